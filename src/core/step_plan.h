// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mdsim {

enum class Need : bool { no, yes };

/// What one step must do, fixed before it starts.
struct StepPlan {
    std::int64_t step = 0;     ///< global over all stages
    Need energies = Need::no;  ///< every energy term
    Need virial = Need::no;    ///< for the pressure, at coupling steps and where energies are written
    Need overlaps = Need::no;  ///< atoms may overlap (minimisation): pair forces in double precision and 64-bit sums
};

}  // namespace mdsim
