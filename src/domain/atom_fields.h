// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "system/state.h"

namespace mdsim {

/// A number of the state that every atom has three of.
struct AtomField {
    std::string_view name;
    std::vector<Vec3d>& (*of)(State& state);
    bool in_halo;  ///< copies travel to other ranks in every step
};

/// What belongs to atoms and not to the whole: it moves with them between ranks and is stored in checkpoints.
/// State::references, of which each stage has another number, move and are stored likewise.
inline constexpr std::array<AtomField, 2> atom_fields{{
    {"position", [](State& state) -> std::vector<Vec3d>& { return state.x; }, true},
    {"velocity", [](State& state) -> std::vector<Vec3d>& { return state.v; }, false},
}};

/// All of them that hold anything, in the order of the table.
inline std::vector<std::vector<Vec3d>*> fields_of(State& state) {
    std::vector<std::vector<Vec3d>*> fields;
    for (const AtomField& field : atom_fields) fields.push_back(&field.of(state));
    for (std::vector<Vec3d>& reference : state.references) fields.push_back(&reference);
    return fields;
}

}  // namespace mdsim
