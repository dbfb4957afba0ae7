// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/state_line.h"

#include <array>

#include <fmt/format.h>

#include "system/state_hash.h"

namespace mdsim {

namespace {
std::string line(const State& state, std::uint64_t hash) {
    return fmt::format("state step={} time={} ps hash={:016x}", state.step, state.time, hash);
}
}  // namespace

// Modulo 2^64 by halves, whose sums over any number of ranks fit.
std::uint64_t state_hash(const State& home, std::span<const std::int64_t> ids, const Comm& comm) {
    const std::uint64_t own = hash_of_atoms(home.x, home.v, ids);
    std::array<std::int64_t, 2> halves{static_cast<std::int64_t>(own & 0xffffffffU),
                                       static_cast<std::int64_t>(own >> 32)};
    comm.sum(halves);
    return hash_of_step(home) + static_cast<std::uint64_t>(halves[0]) + (static_cast<std::uint64_t>(halves[1]) << 32);
}

std::string state_line(const State& state) {
    return line(state, state_hash(state));
}

std::string state_line(const State& home, std::span<const std::int64_t> ids, const Comm& comm) {
    return line(home, state_hash(home, ids, comm));
}

}  // namespace mdsim
