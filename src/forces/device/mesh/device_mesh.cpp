// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/device_mesh.h"

#include <algorithm>

#include "core/error.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "gpu/kernels/mesh/force_gathering.h"
#include "parallel/threads.h"
#include "physics/mesh_window.h"

namespace mdsim {

namespace {

constexpr gpu::Work charges_work{"charges of atoms", "the mesh"};
constexpr gpu::Work grid_work{"mesh of charges", "the mesh"};
constexpr gpu::Work potential_work{"mesh of the potential", "the mesh"};

}  // namespace

DeviceMesh::DeviceMesh(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges,
                       Solving solving)
    : settings_(settings),
      charges_(charges.begin(), charges.end()),
      slot_charges_(device, charges_work),
      grid_(device, grid_work),
      potential_(device, potential_work) {
    MDSIM_EXPECT(*std::min_element(settings.mesh.begin(), settings.mesh.end()) >= 8);
    const auto nx = static_cast<std::size_t>(settings.mesh[0]), ny = static_cast<std::size_t>(settings.mesh[1]);
    const auto nz = static_cast<std::size_t>(settings.mesh[2]);
    MDSIM_EXPECT(nx * ny * nz < (std::size_t{1} << 31));
    if (solving == Solving::here) solver_.emplace(device, settings);
    grid_.resize(nx * ny * nz);
    potential_.resize(solver_ ? solver_->extent() : kernels::row_pairs(static_cast<unsigned>(nx * ny)) * nz);
    gpu::Stream stream(device);
    clear(stream);
    stream.finish();
}

void DeviceMesh::set_clusters(const Clusters& clusters, gpu::Stream& stream) {
    std::vector<float> charges(clusters.home() * cluster_size, 0.0f);
    parallel_ranges(charges.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            if (clusters.real(slot)) charges[slot] = static_cast<float>(charges_[clusters.atoms()[slot]]);
        }
    });
    slot_charges_.fill(stream, charges);
}

void DeviceMesh::clear(gpu::Stream& stream) {
    grid_.zero(stream);
    potential_.zero(stream);
}

void DeviceMesh::launch(gpu::Stream& stream, const Run& run) {
    spread(stream, run);
    solve(stream, run);
    gather(stream, run);
}

void DeviceMesh::spread(gpu::Stream& stream, const Run& run) {
    MDSIM_EXPECT(std::size_t{run.cluster_count} * cluster_size == slot_charges_.size());
    const auto [nx, ny, nz] = settings_.mesh;
    kernels::spread_charges(stream, {run.points, slot_charges_.data(), run.cluster_count, settings_.window.order, nx,
                                     ny, nz, grid_.data()});
}

void DeviceMesh::solve(gpu::Stream& stream, const Run& run) {
    MDSIM_EXPECT(solver_.has_value());
    solver_->launch(stream, {grid_.data(), potential_.data(), run.box, run.with_energy, run.flags});
}

void DeviceMesh::gather(gpu::Stream& stream, const Run& run) {
    kernels::GatherForcesArgs args;
    args.clusters = run.points;
    args.charges = slot_charges_.data();
    args.cluster_count = run.cluster_count;
    args.order = settings_.window.order;
    args.nx = settings_.mesh[0];
    args.ny = settings_.mesh[1];
    args.nz = settings_.mesh[2];
    args.potential = potential();
    const std::array<double, 6> matrix = physics::mesh_force_matrix(run.box.rows(), settings_.mesh);
    std::transform(matrix.begin(), matrix.end(), args.matrix.begin(), [](double v) { return static_cast<float>(v); });
    args.forces = run.forces;
    args.flags = run.flags;
    kernels::gather_forces(stream, args);
    if (solver_ && run.with_energy) solver_->download_sums(stream);
}

void DeviceMesh::report(EnergySums& energies) const {
    if (solver_) solver_->report(energies);
}

}  // namespace mdsim
