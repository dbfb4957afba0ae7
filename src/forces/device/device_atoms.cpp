// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_atoms.h"

#include <algorithm>
#include <atomic>

#include "core/fixed_point.h"
#include "gpu/kernels/atom_order.h"
#include "gpu/kernels/halo_atoms.h"
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
      wide_(device, {"forces of several ranks", "all forces"}),
      atoms_(device, {"atoms of clusters", "the order of atoms"}),
      slots_(device, {"slots of atoms", "the order of atoms"}),
      cluster_points_(device, {"positions of clusters", "all forces"}),
      cluster_forces_(device, {"forces on clusters", "all forces"}),
      high_(device, {"second words of forces", "short-range forces"}),
      flags_(device, {"flags of forces", "all forces"}),
      flags_down_(device, {"flags of forces", "all forces"}) {
    flags_.resize(1);
}

void DeviceAtoms::set_clusters(const Clusters& clusters, std::size_t home, gpu::Stream& stream) {
    home_ = home;
    local_ = clusters.slots().size();
    home_clusters_ = clusters.home();
    clusters_ = clusters.size();
    points_up_.resize(home_);
    forces_down_.resize(home_);
    points_.resize(local_);
    forces_.resize(home_);
    cluster_points_.resize(clusters_);
    cluster_forces_.resize(clusters_);
    high_.resize(clusters_);
    atoms_.fill(stream, clusters.atoms());
    slots_.fill(stream, clusters.slots());
}

void DeviceAtoms::make_room_for_ranks() {
    wide_.resize(local_);
    flags_down_.resize(1);
}

void DeviceAtoms::begin_upload(std::span<const LatticePoint> points, gpu::Stream& stream) {
    parallel_ranges(points.size(), grain, [&](int, std::size_t begin, std::size_t end) {
        std::copy(points.begin() + static_cast<std::ptrdiff_t>(begin),
                  points.begin() + static_cast<std::ptrdiff_t>(end), points_up_.data() + begin);
    });
    points_.upload(stream, points_up_);
    gather(0, home_clusters_, stream);
    wide_.zero(stream);
}

void DeviceAtoms::gather_halo(gpu::Stream& stream) {
    gather(home_clusters_, clusters_, stream);
}

void DeviceAtoms::gather(std::size_t first, std::size_t last, gpu::Stream& stream) {
    kernels::gather_points(stream, {.points = points_.data(),
                                    .atoms = atoms_.data(),
                                    .clusters = cluster_points_.data(),
                                    .cluster_count = static_cast<unsigned>(last - first),
                                    .forces = cluster_forces_.data(),
                                    .high = high_.data(),
                                    .flags = flags_.data(),
                                    .first_cluster = static_cast<unsigned>(first)});
}

void DeviceAtoms::widen_halo(int high_shift, gpu::Stream& stream) {
    widen(home_, local_, high_shift, stream);
}

void DeviceAtoms::widen_home(int high_shift, gpu::Stream& stream) {
    widen(0, home_, high_shift, stream);
}

void DeviceAtoms::widen(std::size_t first, std::size_t last, int high_shift, gpu::Stream& stream) {
    kernels::widen_forces(stream, {.clusters = cluster_forces_.data(),
                                   .high = high_.data(),
                                   .high_shift = high_shift,
                                   .slots = slots_.data() + first,
                                   .forces = wide_.data() + first,
                                   .atom_count = static_cast<unsigned>(last - first)});
}

void DeviceAtoms::begin_wide_download(gpu::Stream& stream) {
    kernels::narrow_forces(stream, {.forces = wide_.data(),
                                    .flags = flags_.data(),
                                    .narrowed = forces_.data(),
                                    .count = static_cast<unsigned>(home_)});
    forces_.download(stream, forces_down_);
    flags_.download(stream, flags_down_);
}

void DeviceAtoms::begin_download(int high_shift, gpu::Stream& stream) {
    kernels::scatter_forces(stream, {.clusters = cluster_forces_.data(),
                                     .high = high_.data(),
                                     .high_shift = high_shift,
                                     .slots = slots_.data(),
                                     .forces = forces_.data(),
                                     .flags = flags_.data(),
                                     .atom_count = static_cast<unsigned>(home_)});
    forces_.download(stream, forces_down_);
}

bool DeviceAtoms::add_forces(ForceSink& sink) const {
    if (flags_down_.size() > 0 && flags_down_[0].out_of_range != 0) return false;
    if (add(sink, 1)) return true;
    add(sink, -1);  // of integers nothing is left
    return false;
}

bool DeviceAtoms::add(ForceSink& sink, std::int64_t times) const {
    std::atomic<bool> in_range{true};
    const std::int64_t unit = times * (std::int64_t{1} << fixed::pair_to_force_shift);
    parallel_ranges(home_, grain, [&](int thread, std::size_t begin, std::size_t end) {
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
    return {.atom_points = points_.data(),
            .points = cluster_points_.data(),
            .cluster_count = static_cast<unsigned>(home_clusters_),
            .forces = cluster_forces_.data(),
            .high = high_.data(),
            .flags = flags_.data()};
}

}  // namespace mdsim
