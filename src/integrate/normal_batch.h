// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mdsim {

/// Three normal deviates for each of up to `size` atoms, one array per component.
struct NormalBatch {
    static constexpr std::size_t size = 64;
    alignas(64) double value[3][size];
};

/// The first three normal deviates of RandomStream(seed, langevin, step, id) for each of these ids, at most as many as
/// a batch holds, to rounding of logarithm, sine and cosine. A lane's bits depend on its id alone.
void draw_normals(std::uint64_t seed, std::uint64_t step, std::span<const std::int64_t> ids, NormalBatch& batch);

}  // namespace mdsim
