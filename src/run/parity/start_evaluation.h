// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "run/setup.h"
#include "system/energies.h"
#include "system/restraints/restraint_value.h"

namespace mdsim {

/// One evaluation at the start, on all ranks.
struct StartEvaluation {
    EnergySums sums;
    std::vector<RestraintValue> restraints;
    std::vector<Vec3d> forces;  ///< of all atoms [kJ/mol/nm]; on the leading rank
};

/// All terms at the positions of the setup. Restraints are those of the first stage, as they stand at its start.
/// Collective.
StartEvaluation evaluate_start(const Setup& setup);

}  // namespace mdsim
