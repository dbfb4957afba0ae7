// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "parallel/comm.h"
#include "system/state.h"

namespace mdsim {

/// state_hash of the state whose home atoms each rank has, the same on all of them. ids: of the home atoms.
std::uint64_t state_hash(const State& home, std::span<const std::int64_t> ids, const Comm& comm);

/// "state step=N time=T ps hash=HEX", the last line of every log. Of all atoms, in order, or of home atoms.
std::string state_line(const State& state);
std::string state_line(const State& home, std::span<const std::int64_t> ids, const Comm& comm);

}  // namespace mdsim
