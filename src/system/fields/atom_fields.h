// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "system/state.h"

namespace mdsim {

/// One thing that each atom of a state has.
struct AtomField {
    std::vector<Vec3d> State::*values;
    const char* name;  ///< of its data set in checkpoints
};

/// The one list of what belongs to the atoms of a state beside their numbers and is no parameter of the topology. By it
/// atoms are dealt to ranks and move between them (domain/home_fields.h), and checkpoints are gathered, written and
/// read: a field that is added here is in all of these. The first are the positions, which is what neighbours have
/// copies of (domain/halo.h).
inline constexpr std::array atom_fields{AtomField{&State::x, "positions"}, AtomField{&State::v, "velocities"}};
static_assert(atom_fields.front().values == &State::x);

/// All that moves with atoms from rank to rank: the fields, and the places that restraints of the stage hold atoms to,
/// which checkpoints keep by restraint.
inline std::vector<std::vector<Vec3d>*> moving_fields(State& state) {
    std::vector<std::vector<Vec3d>*> fields;
    for (const AtomField& field : atom_fields) fields.push_back(&(state.*field.values));
    for (std::vector<Vec3d>& reference : state.references) fields.push_back(&reference);
    return fields;
}

/// Those behind the positions.
inline std::vector<std::span<const Vec3d>> fields_beside_positions(const State& state) {
    std::vector<std::span<const Vec3d>> fields;
    for (const AtomField& field : std::span(atom_fields).subspan(1)) fields.emplace_back(state.*field.values);
    return fields;
}

}  // namespace mdsim
