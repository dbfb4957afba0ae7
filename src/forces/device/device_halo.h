// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "domain/halo.h"
#include "forces/device/device_atoms.h"
#include "forces/device/device_message.h"

namespace mdsim {

/// What the halo does for positions and forces on the host, between the devices of the ranks: lattice coordinates
/// travel upwards in its pulses, 12 bytes an atom, and force sums back, 24 bytes an atom. Kernels pack what is sent and
/// add what comes back; what comes in lies where it belongs at once. Only the thread of the loop may call it.
class DeviceHalo {
  public:
    DeviceHalo(const gpu::Device& device, const Halo& halo, Transport transport);

    /// After the halo was made, and atoms have room for its atoms.
    void assign(DeviceAtoms& atoms, gpu::Stream& stream);

    /// Points of home atoms are in the stream.
    void begin_points(gpu::Stream& stream);
    /// True once those of the halo are in the stream too. Never waits.
    bool progress_points(gpu::Stream& stream);
    /// Sums of forces on halo atoms are in the stream.
    void begin_forces(gpu::Stream& stream);
    /// True once all that other ranks have computed for atoms of this one is in the stream, and all has been sent.
    bool progress_forces(gpu::Stream& stream);

  private:
    struct Pulse {
        Pulse(const gpu::Device& device, DeviceAtoms& atoms, Transport transport);

        int to = 0, from = 0;
        unsigned send_count = 0;
        gpu::Buffer<std::uint32_t> send;  // local numbers
        gpu::Buffer<LatticePoint> packed;
        gpu::Buffer<kernels::WideForce> returned;
        OutMessage<LatticePoint> points_out;
        InMessage<LatticePoint> points_in;
        OutMessage<kernels::WideForce> forces_out;
        InMessage<kernels::WideForce> forces_in;
        Request sending, receiving;
        bool sent = false;
    };

    const gpu::Device& device_;
    const Halo& halo_;
    Transport transport_;
    DeviceAtoms* atoms_ = nullptr;
    std::vector<std::unique_ptr<Pulse>> pulses_;  // the first `count_` are in use
    std::size_t count_ = 0, next_ = 0;

    void pack(gpu::Stream& stream);
    bool all_sent();
};

}  // namespace mdsim
