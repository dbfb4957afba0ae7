// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/charged_clusters.h"

#include <algorithm>

#include "core/error.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "gpu/kernels/mesh/force_gathering.h"
#include "parallel/threads.h"
#include "physics/mesh_window.h"

namespace mdsim {

namespace {

constexpr gpu::Work charges_work{"charges of atoms", "the mesh"};

}  // namespace

kernels::NodeRange range_of(const mesh::NodeBox& box, const std::array<int, 3>& mesh) {
    kernels::NodeRange range{};
    for (std::size_t a = 0; a < 3; ++a) {
        range.first[a] = box.first[a];
        range.count[a] = box.count[a];
        range.mesh[a] = mesh[a];
    }
    MDSIM_EXPECT(range.extent() < (std::size_t{1} << 31));
    return range;
}

kernels::MeshWindow window_for_kernels(const mesh::Window& window) {
    using kernels::MeshWindow;
    static_assert(MeshWindow::most_nodes == mesh::largest_prolate_order && MeshWindow::terms == mesh::window_terms);
    MeshWindow out{.order = window.order, .by_pieces = window.shape == mesh::WindowShape::prolate};
    for (std::size_t j = 0; j < window.pieces.size(); ++j) {
        std::transform(window.pieces[j].begin(), window.pieces[j].end(), out.pieces[j],
                       [](double v) { return static_cast<float>(v); });
    }
    return out;
}

ChargedClusters::ChargedClusters(const gpu::Device& device, const mesh::MeshSettings& settings,
                                 std::span<const double> charges)
    : settings_(settings),
      window_(window_for_kernels(settings.window)),
      charges_(charges.begin(), charges.end()),
      slot_charges_(device, charges_work) {
    MDSIM_EXPECT(*std::min_element(settings.mesh.begin(), settings.mesh.end()) >= 8);
}

void ChargedClusters::set_clusters(const Clusters& clusters, gpu::Stream& stream) {
    std::vector<float> charges(clusters.home() * cluster_size, 0.0f);
    parallel_ranges(charges.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            if (clusters.real(slot)) charges[slot] = static_cast<float>(charges_[clusters.atoms()[slot]]);
        }
    });
    slot_charges_.fill(stream, charges);
}

void ChargedClusters::spread(gpu::Stream& stream, const MeshRun& run, const MeshNodes& nodes) const {
    MDSIM_EXPECT(std::size_t{run.cluster_count} * cluster_size == slot_charges_.size());
    kernels::spread_charges(stream,
                            {run.points, slot_charges_.data(), run.cluster_count, window_, nodes.range, nodes.charges});
}

void ChargedClusters::gather(gpu::Stream& stream, const MeshRun& run, const MeshNodes& nodes) const {
    kernels::GatherForcesArgs args;
    args.clusters = run.points;
    args.charges = slot_charges_.data();
    args.cluster_count = run.cluster_count;
    args.window = window_;
    args.nodes = nodes.range;
    args.potential = nodes.potential;
    const std::array<double, 6> matrix = physics::mesh_force_matrix(run.box.rows(), settings_.mesh);
    std::transform(matrix.begin(), matrix.end(), args.matrix.begin(), [](double v) { return static_cast<float>(v); });
    args.forces = run.forces;
    args.flags = run.flags;
    kernels::gather_forces(stream, args);
}

}  // namespace mdsim
