// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "system/state.h"

namespace mdsim {

/// What of the state belongs to atoms and moves with them between ranks; extent of each: home atoms.
inline std::vector<std::vector<Vec3d>*> fields_of(State& state) {
    std::vector<std::vector<Vec3d>*> fields{&state.x, &state.v};
    for (std::vector<Vec3d>& reference : state.references) fields.push_back(&reference);
    return fields;
}

}  // namespace mdsim
