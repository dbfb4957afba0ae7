// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/force_gathering.h"
#include "gpu/kernels/mesh/window/window_weights.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr float unit = 4096.0f;  // 2^12: fixed::pair_force_scale
constexpr Work work{"kernel gather_forces", "the mesh"};

/// The weights of an atom along an axis, and where their nodes are.
template <int Order>
struct AxisWeights {
    float w[Order], dw[Order];
    std::int32_t place[Order];

    template <class Window>
    MDSIM_ON_DEVICE AxisWeights(const Window& window, std::uint32_t u, const NodeRange& nodes, int axis) {
        const int n = nodes.mesh[axis], first = physics::mesh_node(u, n);
        window.template weights<DeviceOps>(physics::mesh_fraction<float>(u, n), w, dw);
        MDSIM_UNROLL
        for (int j = 0; j < Order; ++j) {
            const int k = nodes.number(axis, first + j);
            place[j] = nodes.along(axis, k < 0 ? 0 : k);
        }
    }
};

/// False for not-a-number.
MDSIM_ON_DEVICE bool within_limit(float units) {
    constexpr float limit = mesh_force_limit * unit;
    return units < limit && units > -limit;
}

}  // namespace

// One thread an atom: the sum is in a fixed order, and atoms of a cluster read nearly the same nodes.
template <class Window>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) gather_forces_kernel(WithWindow<GatherForcesArgs, Window> with) {
    constexpr int Order = Window::order;
    const GatherForcesArgs& args = with.args;
    const unsigned slot = block_index() * threads + thread_index();
    const unsigned cluster = slot / cluster_size, place = slot % cluster_size;
    if (cluster >= args.cluster_count) return;
    const float charge = args.charges[slot];
    if (charge == 0.0f) return;
    const ClusterPoints& p = args.clusters[cluster];
    const NodeRange& nodes = args.nodes;
    const Window& window = with.window;
    const AxisWeights<Order> wx(window, p.x[place], nodes, 0), wy(window, p.y[place], nodes, 1);
    const AxisWeights<Order> wz(window, p.z[place], nodes, 2);
    float gx = 0.0f, gy = 0.0f, gz = 0.0f;
    MDSIM_UNROLL
    for (int i = 0; i < Order; ++i) {
        float of_plane = 0.0f, of_plane_y = 0.0f, of_plane_z = 0.0f;
        MDSIM_UNROLL
        for (int j = 0; j < Order; ++j) {
            const float* row = args.potential + (wx.place[i] + wy.place[j]);
            float of_row = 0.0f, of_row_z = 0.0f;
            MDSIM_UNROLL
            for (int k = 0; k < Order; ++k) {
                const float potential = row[wz.place[k]];
                of_row = fused(potential, wz.w[k], of_row);
                of_row_z = fused(potential, wz.dw[k], of_row_z);
            }
            of_plane = fused(of_row, wy.w[j], of_plane);
            of_plane_y = fused(of_row, wy.dw[j], of_plane_y);
            of_plane_z = fused(of_row_z, wy.w[j], of_plane_z);
        }
        gx = fused(of_plane, wx.dw[i], gx);
        gy = fused(of_plane_y, wx.w[i], gy);
        gz = fused(of_plane_z, wx.w[i], gz);
    }
    const std::array<float, 6>& m = args.matrix;
    const float q = charge * unit, fx = q * (m[0] * gx), fy = q * fused(m[1], gx, m[2] * gy);
    const float fz = q * fused(m[3], gx, fused(m[4], gy, m[5] * gz));
    if (!(within_limit(fx) && within_limit(fy) && within_limit(fz))) atomic_max(&args.flags->out_of_range, 1u);
    ClusterForces& f = args.forces[cluster];
    atomic_add(&f.x[place], nearest_int(fx));
    atomic_add(&f.y[place], nearest_int(fy));
    atomic_add(&f.z[place], nearest_int(fz));
}

void gather_forces(Stream& stream, const GatherForcesArgs& args) {
    const LaunchShape shape{blocks_for(std::size_t{args.cluster_count} * cluster_size, threads), threads, 0};
    with_window(args, [&](const auto& with) { launch(stream, work, gather_forces_kernel, shape, with); });
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
