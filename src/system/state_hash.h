// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "system/state.h"

namespace mdsim {

/// A 64-bit hash of step, box, positions and velocities, equal exactly when these are equal bit for bit. It is the sum
/// modulo 2^64 of one hash per atom, keyed by the atom's global number, and one of step and box, so that it does not
/// depend on how atoms are spread over ranks or threads.
std::uint64_t state_hash(const State& state);

/// Its two summands: of step and box, and of atoms. ids: global numbers; empty where they are all atoms, in order.
std::uint64_t hash_of_step(const State& state);
std::uint64_t hash_of_atoms(std::span<const Vec3d> x, std::span<const Vec3d> v, std::span<const std::int64_t> ids);

}  // namespace mdsim
