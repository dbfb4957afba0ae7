// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/stop_clock.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

namespace {

constexpr double unknown_checkpoint = 5.0;  // [s]
constexpr double longest_spare = 60.0;      // [s]

double seconds(WallTime::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

StopClock::StopClock(const JobEnd& end, std::optional<double> spare, WallTime now) : end_(end.at), source_(end.source) {
    if (!end_) return;
    const double left = seconds(*end_ - now);
    spare_ = spare.value_or(std::min(0.1 * left, longest_spare));
    most_ = 0.5 * left;
}

bool StopClock::due(WallTime now) {
    if (!end_) return false;
    if (last_asked_) between_ = std::max(between_, seconds(now - *last_asked_));
    last_asked_ = now;
    return seconds(*end_ - now) <= reserve();
}

void StopClock::checkpoint_took(double seconds) {
    checkpoint_ = std::max(checkpoint_, seconds);
}

double StopClock::reserve() const {
    return std::min(most_, spare_ + 2.0 * (checkpoint_ > 0.0 ? checkpoint_ : unknown_checkpoint) + between_);
}

std::string StopClock::describe() const {
    if (!end_) return {};
    return fmt::format("the job ends at {} ({}); {:.0f} s are kept for a checkpoint and the end", as_utc(*end_),
                       source_, reserve());
}

}  // namespace mdsim
