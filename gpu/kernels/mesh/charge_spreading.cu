// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "gpu/kernels/mesh/window/window_weights.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr unsigned tiles = threads / tile_lanes;
constexpr float unit = 16777216.0f;  // 2^24: mesh::charge_bits<float>
constexpr Work work{"kernel spread_charges", "the mesh"};

/// A mesh plane that an atom reaches: its weight, and where it is in the mesh.
struct alignas(8) Plane {
    float weight;
    std::int32_t offset;
};
/// Those of a cluster, along each axis. With an unused column, lanes that read planes of one atom use different banks.
template <int Order>
struct ClusterPlanes {
    Plane axis[3][Order][cluster_size + 1];
};

// factor: for the weights along x the charge, for the others one, which changes no bit.
template <class Window>
MDSIM_ON_DEVICE void put_planes(const Window& window, std::uint32_t u, const NodeRange& nodes, int axis, float factor,
                                Plane (*planes)[cluster_size + 1], int place) {
    constexpr int Order = Window::order;
    const int n = NodeRange::of(nodes.mesh, axis);
    float values[Order], slopes[Order];
    window.template weights<DeviceOps>(physics::mesh_fraction<float>(u, n), values, slopes);
    const std::int32_t first = physics::mesh_node(u, n);
    MDSIM_UNROLL
    for (int j = 0; j < Order; ++j) {
        const int k = nodes.number(axis, first + j);
        planes[j][place] = k < 0 ? Plane{0.0f, 0} : Plane{factor * values[j], nodes.along(axis, k)};
    }
}

}  // namespace

// A tile takes a cluster. First each lane does an axis of an atom; then the lanes share the nodes of one atom after the
// other, neighbouring lanes those along z, so that their additions fall into one line of the memory.
template <class Window>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) spread_charges_kernel(WithWindow<SpreadChargesArgs, Window> with) {
    constexpr int Order = Window::order;
    const SpreadChargesArgs& args = with.args;
    MDSIM_SHARED(ClusterPlanes<Order>, kept, [tiles]);
    const unsigned tile = thread_index() / tile_lanes, cluster = block_index() * tiles + tile;
    if (cluster >= args.cluster_count) return;
    ClusterPlanes<Order>& planes = kept[tile];
    const int lane = tile_lane(), axis = lane / cluster_size, place = lane % cluster_size;
    const float charge = args.charges[cluster * cluster_size + static_cast<unsigned>(place)];
    const unsigned charged = tile_ballot(axis == 0 && charge != 0.0f);
    if (axis < 3 && charge != 0.0f) {
        const ClusterPoints& p = args.clusters[cluster];
        const std::uint32_t u = axis == 0 ? p.x[place] : axis == 1 ? p.y[place] : p.z[place];
        put_planes(with.window, u, args.nodes, axis, axis == 0 ? charge * unit : 1.0f, planes.axis[axis], place);
    }
    tile_barrier();
    for (int a = 0; a < cluster_size; ++a) {
        if ((charged >> a & 1u) == 0) continue;
        MDSIM_UNROLL
        for (int first = 0; first < Order * Order * Order; first += tile_lanes) {
            const int node = first + lane;
            if (node >= Order * Order * Order) continue;
            const Plane x = planes.axis[0][node / (Order * Order)][a];
            const Plane y = planes.axis[1][node / Order % Order][a];
            const Plane z = planes.axis[2][node % Order][a];
            atomic_add(args.grid + (x.offset + y.offset + z.offset), nearest_int(x.weight * y.weight * z.weight));
        }
    }
}

void spread_charges(Stream& stream, const SpreadChargesArgs& args) {
    const LaunchShape shape{blocks_for(args.cluster_count, tiles), threads, 0};
    with_window(args, [&](const auto& with) { launch(stream, work, spread_charges_kernel, shape, with); });
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
