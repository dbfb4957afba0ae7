// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_atoms.h"

#include <algorithm>
#include <atomic>

#include "core/fixed_point.h"
#include "gpu/kernels/atom_order.h"
#include "parallel/threads.h"

namespace mdsim {

using kernels::AtomForce;

namespace {
constexpr std::size_t grain = 256;  // atoms, so that threads write lines of the cache of their own
}

DeviceAtoms::DeviceAtoms(const gpu::Device& device)
    : points_up_(device, {"positions for the device", "all forces"}),
      forces_down_(device, {"forces from the device", "all forces"}),
      points_(device, {"upload of positions", "all forces"}),
      forces_(device, {"download of forces", "all forces"}),
      atoms_(device, {"atoms of clusters", "the order of atoms"}),
      slots_(device, {"slots of atoms", "the order of atoms"}),
      cluster_points_(device, {"positions of clusters", "all forces"}),
      cluster_forces_(device, {"forces on clusters", "all forces"}),
      high_(device, {"second words of forces", "short-range forces"}),
      flags_(device, {"flags of forces", "all forces"}) {
    flags_.resize(1);
}

void DeviceAtoms::set_clusters(const Clusters& clusters, gpu::Stream& stream) {
    atom_count_ = clusters.slots().size();
    cluster_count_ = clusters.size();
    points_up_.resize(atom_count_);
    forces_down_.resize(atom_count_);
    points_.resize(atom_count_);
    forces_.resize(atom_count_);
    cluster_points_.resize(cluster_count_);
    cluster_forces_.resize(cluster_count_);
    high_.resize(cluster_count_);
    atoms_.fill(stream, clusters.atoms());
    slots_.fill(stream, clusters.slots());
}

void DeviceAtoms::begin_upload(std::span<const LatticePoint> points, gpu::Stream& stream) {
    parallel_ranges(points.size(), grain, [&](int, std::size_t begin, std::size_t end) {
        std::copy(points.begin() + static_cast<std::ptrdiff_t>(begin),
                  points.begin() + static_cast<std::ptrdiff_t>(end), points_up_.data() + begin);
    });
    points_.upload(stream, points_up_);
    const DeviceSums all = sums();
    kernels::gather_points(stream, {.points = points_.data(),
                                    .atoms = atoms_.data(),
                                    .clusters = cluster_points_.data(),
                                    .cluster_count = all.cluster_count,
                                    .forces = all.forces,
                                    .high = all.high,
                                    .flags = all.flags});
}

void DeviceAtoms::begin_download(int high_shift, gpu::Stream& stream) {
    kernels::scatter_forces(stream, {.clusters = cluster_forces_.data(),
                                     .high = high_.data(),
                                     .high_shift = high_shift,
                                     .slots = slots_.data(),
                                     .forces = forces_.data(),
                                     .flags = flags_.data(),
                                     .atom_count = static_cast<unsigned>(atom_count_)});
    forces_.download(stream, forces_down_);
}

bool DeviceAtoms::add_forces(ForceSink& sink) const {
    if (add(sink, 1)) return true;
    add(sink, -1);  // of integers nothing is left
    return false;
}

bool DeviceAtoms::add(ForceSink& sink, std::int64_t times) const {
    std::atomic<bool> in_range{true};
    const std::int64_t unit = times * (std::int64_t{1} << fixed::pair_to_force_shift);
    parallel_ranges(atom_count_, grain, [&](int thread, std::size_t begin, std::size_t end) {
        constexpr std::int32_t useless = AtomForce::out_of_range;
        ForceSink::Slot& slot = sink.slot(thread);
        bool good = true;
        for (std::size_t i = begin; i < end; ++i) {
            const AtomForce& f = forces_down_[i];
            good &= f.x != useless && f.y != useless && f.z != useless;
            slot.add_units(i, {f.x * unit, f.y * unit, f.z * unit});
        }
        if (!good) in_range = false;
    });
    return in_range;
}

DeviceSums DeviceAtoms::sums() const {
    return {.points = cluster_points_.data(),
            .cluster_count = static_cast<unsigned>(cluster_count_),
            .forces = cluster_forces_.data(),
            .high = high_.data(),
            .flags = flags_.data()};
}

}  // namespace mdsim
