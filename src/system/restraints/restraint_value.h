// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mdsim {

/// What one restraint of the input comes to at one step, for energies and log.
struct RestraintValue {
    std::string name, unit;  ///< of the value: "nm" or "deg"
    double value = 0.0;      ///< the distance or angle; of what holds many atoms the RMS displacement
    double energy = 0.0;     ///< [kJ/mol]
};

}  // namespace mdsim
