// SPDX-License-Identifier: Apache-2.0
#include "system/state_hash.h"

#include <bit>

namespace mdsim {

namespace {

// Finalizer of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}

std::uint64_t add_vector(std::uint64_t hash, const Vec3d& v) {
    for (int a = 0; a < 3; ++a) hash = mix(hash ^ std::bit_cast<std::uint64_t>(v[a]));
    return hash;
}

}  // namespace

std::uint64_t state_hash(const State& state) {
    return hash_of_step(state) + hash_of_atoms(state.x, state.v, {});
}

std::uint64_t hash_of_step(const State& state) {
    std::uint64_t sum = mix(static_cast<std::uint64_t>(state.step) ^ 0xB0C5'0000'0000'0000U);
    for (const Vec3d& row : state.box.rows()) sum = add_vector(sum, row);
    return sum;
}

std::uint64_t hash_of_atoms(std::span<const Vec3d> x, std::span<const Vec3d> v, std::span<const std::int64_t> ids) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint64_t id = ids.empty() ? i : static_cast<std::uint64_t>(ids[i]);
        std::uint64_t hash = add_vector(mix(id + 1), x[i]);
        if (i < v.size()) hash = add_vector(hash, v[i]);
        sum += hash;
    }
    return sum;
}

}  // namespace mdsim
