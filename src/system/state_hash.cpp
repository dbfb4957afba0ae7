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
    std::uint64_t sum = mix(static_cast<std::uint64_t>(state.step) ^ 0xB0C5'0000'0000'0000U);
    for (const Vec3d& row : state.box.rows()) sum = add_vector(sum, row);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
        std::uint64_t hash = add_vector(mix(i + 1), state.x[i]);
        if (i < state.v.size()) hash = add_vector(hash, state.v[i]);
        sum += hash;
    }
    return sum;
}

}  // namespace mdsim
