// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mdsim {

/// Three normal deviates for each of `size` consecutive atoms, one array per component.
struct NormalBatch {
    static constexpr std::size_t size = 64;
    alignas(64) double value[3][size];
};

/// The first three normal deviates of RandomStream(seed, langevin, step, atom) for atoms first_atom, first_atom + 1,
/// ..., to rounding of logarithm, sine and cosine. A lane's bits depend on its atom alone.
void draw_normals(std::uint64_t seed, std::uint64_t step, std::uint64_t first_atom, NormalBatch& batch);

}  // namespace mdsim
