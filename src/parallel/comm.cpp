// SPDX-License-Identifier: Apache-2.0
#include "parallel/comm.h"

#include <algorithm>

#include "parallel/comm_group.h"

// What is the same with MPI and without: a group of one answers at once, any other asks its Group.
namespace mdsim {

Comm::Comm() = default;
Comm::~Comm() = default;
Comm::Comm(Comm&&) noexcept = default;
Comm& Comm::operator=(Comm&&) noexcept = default;

namespace {
std::vector<Bytes> one_of(std::span<const std::byte> data) {
    return {Bytes(data.begin(), data.end())};
}
}  // namespace

void Comm::sum(std::span<fixed::EnergySum> sums) const {
    if (group_) group_->sum(sums);
}

void Comm::sum(std::span<fixed::EnergySum::Wide> sums) const {
    if (group_) group_->sum(sums);
}

void Comm::sum(std::span<std::int64_t> sums) const {
    if (group_) group_->sum(sums);
}

void Comm::max(std::span<double> values) const {
    if (group_) group_->max(values);
}

void Comm::max(std::span<std::int64_t> values) const {
    if (group_) group_->max(values);
}

void Comm::broadcast(std::span<std::byte> data) const {
    if (group_) group_->broadcast(data);
}

void Comm::broadcast(Bytes& data) const {
    if (!group_) return;
    auto size = static_cast<std::int64_t>(data.size());
    group_->broadcast(std::as_writable_bytes(std::span(&size, 1)));
    data.resize(static_cast<std::size_t>(size));
    group_->broadcast(data);
}

void Comm::broadcast(std::string& text) const {
    if (!group_) return;
    Bytes bytes(text.size());
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), bytes.data());
    broadcast(bytes);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::vector<Bytes> Comm::gather(std::span<const std::byte> data) const {
    return group_ ? group_->gather(data) : one_of(data);
}

std::vector<Bytes> Comm::gather_to_all(std::span<const std::byte> data) const {
    return group_ ? group_->gather_to_all(data) : one_of(data);
}

Bytes Comm::scatter(const std::vector<Bytes>& parts) const {
    return group_ ? group_->scatter(parts) : parts.front();
}

std::vector<Bytes> Comm::exchange(const std::vector<Bytes>& parts, Traffic traffic) const {
    return group_ ? group_->exchange(parts, traffic) : parts;
}

void Comm::barrier() const {
    if (group_) group_->barrier();
}

TrafficCounts Comm::traffic() const {
    return group_ ? group_->traffic() : TrafficCounts{};
}

}  // namespace mdsim
