// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "parallel/comm.h"

namespace mdsim {

/// What all ranks come to know in each step: of every topic the largest number that a rank has said. One small
/// reduction at the end of each evaluation of forces.
class Agreement {
  public:
    enum class Topic : int {
        moved,        ///< of any atom since the halo was made [2^-40 nm]
        strong_pair,  ///< a pair of atoms is too strong for single precision
        doublings,    ///< of the vacuum cell
        failure,      ///< a rank has kept an error
        stop,         ///< a signal came, or the end of the job
        checkpoint,   ///< one is due
        count
    };
    static constexpr double moved_scale = 1099511627776.0;

    explicit Agreement(const Comm& comm) : comm_(comm) {}

    void say(Topic topic, std::int64_t value) {
        std::int64_t& own = said_[static_cast<std::size_t>(topic)];
        own = own > value ? own : value;
    }
    /// From `finish` on `agreed` is what all had said until `begin`; what is said from then on is for the next time.
    void begin() {
        coming_ = said_;
        said_.fill(0);
        request_ = comm_.begin_max(coming_);
    }
    void finish() {
        request_.wait();
        for (const Topic topic : {Topic::stop, Topic::checkpoint}) {
            std::int64_t& coming = coming_[static_cast<std::size_t>(topic)];
            coming = std::max(coming, agreed(topic));
        }
        agreed_ = coming_;
    }
    /// Wishes to stop and for a checkpoint stay until they are fulfilled, on all ranks at the same time.
    void done(Topic topic) { said_[static_cast<std::size_t>(topic)] = agreed_[static_cast<std::size_t>(topic)] = 0; }
    /// What was agreed last; on one rank also what it has said since.
    std::int64_t agreed(Topic topic) const {
        const auto t = static_cast<std::size_t>(topic);
        return comm_.alone() && said_[t] > agreed_[t] ? said_[t] : agreed_[t];
    }

  private:
    using Values = std::array<std::int64_t, static_cast<std::size_t>(Topic::count)>;
    const Comm& comm_;
    Values said_{}, coming_{}, agreed_{};
    Request request_;
};

}  // namespace mdsim
