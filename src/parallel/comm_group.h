// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parallel/comm.h"

namespace mdsim {

/// What a group of more than one rank does, or one that MPI has started; only the build with MPI has any.
struct Comm::Group {
    virtual ~Group() = default;
    virtual void sum(std::span<fixed::EnergySum> sums) = 0;
    virtual void sum(std::span<fixed::EnergySum::Wide> sums) = 0;
    virtual void sum(std::span<std::int64_t> sums) = 0;
    virtual void max(std::span<double> values) = 0;
    virtual void max(std::span<std::int64_t> values) = 0;
    virtual void broadcast(std::span<std::byte> data) = 0;
    virtual std::vector<Bytes> gather(std::span<const std::byte> data) = 0;
    virtual std::vector<Bytes> gather_to_all(std::span<const std::byte> data) = 0;
    virtual Bytes scatter(const std::vector<Bytes>& parts) = 0;
    virtual std::vector<Bytes> exchange(const std::vector<Bytes>& parts, Traffic traffic) = 0;
    virtual void barrier() = 0;
    virtual TrafficCounts traffic() const = 0;
};

}  // namespace mdsim
