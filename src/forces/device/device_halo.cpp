// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_halo.h"

#include "gpu/kernels/halo_atoms.h"

namespace mdsim {

using kernels::WideForce;

namespace {

constexpr int tag_of_points = 500, tag_of_forces = 600;
constexpr gpu::Work numbers_work{"numbers of halo atoms", "the halo"};
constexpr gpu::Work points_work{"positions of halo atoms", "the halo"};
constexpr gpu::Work forces_work{"forces on halo atoms", "the halo"};

}  // namespace

DeviceHalo::Pulse::Pulse(const gpu::Device& device, DeviceAtoms& atoms, Transport transport)
    : send(device, numbers_work),
      packed(device, points_work),
      returned(device, forces_work),
      points_out(device, packed, points_work, transport),
      points_in(device, atoms.points(), points_work, transport),
      forces_out(device, atoms.wide_forces(), forces_work, transport),
      forces_in(device, returned, forces_work, transport) {}

DeviceHalo::DeviceHalo(const gpu::Device& device, const Halo& halo, Transport transport)
    : device_(device), halo_(halo), transport_(transport) {}

void DeviceHalo::assign(DeviceAtoms& atoms, gpu::Stream& stream) {
    atoms_ = &atoms;
    count_ = static_cast<std::size_t>(halo_.pulses());
    while (pulses_.size() < count_) pulses_.push_back(std::make_unique<Pulse>(device_, atoms, transport_));
    for (std::size_t k = 0; k < count_; ++k) {
        const HaloPulse& from = halo_.pulse(static_cast<int>(k));
        Pulse& pulse = *pulses_[k];
        pulse.to = from.to;
        pulse.from = from.from;
        pulse.send_count = static_cast<unsigned>(from.send.size());
        pulse.send.fill(stream, from.send);
        pulse.packed.resize(from.send.size());
        pulse.returned.resize(from.send.size());
        pulse.points_out.set_range(0, from.send.size());
        pulse.points_in.set_range(from.begin, from.count);
        pulse.forces_out.set_range(from.begin, from.count);
        pulse.forces_in.set_range(0, from.send.size());
    }
}

void DeviceHalo::begin_points(gpu::Stream& stream) {
    for (std::size_t k = 0; k < count_; ++k) {
        Pulse& pulse = *pulses_[k];
        if (pulse.points_in.empty()) continue;
        pulse.receiving = pulse.points_in.begin_receive(halo_.comm(), pulse.from, tag_of_points);
    }
    next_ = 0;
    if (count_ > 0) pack(stream);
}

// What an earlier pulse has brought is in the stream by now.
void DeviceHalo::pack(gpu::Stream& stream) {
    Pulse& pulse = *pulses_[next_];
    pulse.sent = pulse.points_out.empty();
    kernels::pack_points(stream, {.points = atoms_->points().data(),
                                  .atoms = pulse.send.data(),
                                  .message = pulse.packed.data(),
                                  .count = pulse.send_count});
    pulse.points_out.close(stream);
}

bool DeviceHalo::progress_points(gpu::Stream& stream) {
    while (next_ < count_) {
        Pulse& pulse = *pulses_[next_];
        if (!pulse.sent && pulse.points_out.closed()) {
            pulse.sending = pulse.points_out.begin_send(halo_.comm(), pulse.to, tag_of_points, Traffic::halo_positions);
            pulse.sent = true;
        }
        if (!pulse.sent || !pulse.receiving.test()) return false;
        pulse.points_in.open(stream);
        if (++next_ < count_) pack(stream);
    }
    return all_sent();
}

bool DeviceHalo::all_sent() {
    bool all = true;
    for (std::size_t k = 0; k < count_; ++k) all = pulses_[k]->sending.test() && all;
    return all;
}

void DeviceHalo::begin_forces(gpu::Stream& stream) {
    // In the order in which others send.
    for (std::size_t k = count_; k > 0; --k) {
        Pulse& pulse = *pulses_[k - 1];
        pulse.sent = pulse.forces_out.empty();
        if (pulse.forces_in.empty()) continue;
        pulse.receiving = pulse.forces_in.begin_receive(halo_.comm(), pulse.to, tag_of_forces);
    }
    next_ = count_;  // the last pulse goes back first, so that each rank passes on complete sums
    if (next_ > 0) pulses_[next_ - 1]->forces_out.close(stream);
}

bool DeviceHalo::progress_forces(gpu::Stream& stream) {
    while (next_ > 0) {
        Pulse& pulse = *pulses_[next_ - 1];
        if (!pulse.sent && pulse.forces_out.closed()) {
            pulse.sending = pulse.forces_out.begin_send(halo_.comm(), pulse.from, tag_of_forces, Traffic::halo_forces);
            pulse.sent = true;
        }
        if (!pulse.sent || !pulse.receiving.test()) return false;
        pulse.forces_in.open(stream);
        kernels::add_forces(stream, {.forces = atoms_->wide_forces().data(),
                                     .atoms = pulse.send.data(),
                                     .message = pulse.returned.data(),
                                     .count = pulse.send_count});
        if (--next_ > 0) pulses_[next_ - 1]->forces_out.close(stream);
    }
    return all_sent();
}

}  // namespace mdsim
