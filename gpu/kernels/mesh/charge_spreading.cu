// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "physics/mesh_window.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr unsigned tiles = threads / tile_lanes;
constexpr float unit = 16777216.0f;  // 2^24: mesh::charge_bits<float>
constexpr Work work{"kernel spread_charges", "the mesh"};

/// What a tile keeps of its 32 atoms: an atom a column, so that lanes write different banks.
template <int Order>
struct SpreadAtoms {
    float x[Order][tile_lanes], y[Order][tile_lanes], z[Order][tile_lanes];  // weights, those of x times the charge
    std::int32_t first_x[tile_lanes], first_y[tile_lanes], first_z[tile_lanes];
};

// factor: for the weights along x the charge, for the others one, which changes no bit.
template <int Order>
MDSIM_ON_DEVICE void put_weights(float t, float factor, float (*w)[tile_lanes]) {
    float values[Order], slopes[Order];
    physics::BSplineWindow<Order>::template weights<physics::ScalarOps<float>>(t, values, slopes);
    for (int j = 0; j < Order; ++j) w[j][tile_lane()] = factor * values[j];
}

MDSIM_ON_DEVICE std::int32_t around(std::int32_t node, int n) {
    return node < n ? node : node - n;
}

}  // namespace

// A tile takes the 32 atoms of four clusters. First each lane makes the weights of one atom; then the lanes share the
// nodes of one atom after the other, neighbouring lanes those along z, so that their additions fall into one line of
// the memory.
template <int Order>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) spread_charges_kernel(SpreadChargesArgs args) {
    MDSIM_SHARED(SpreadAtoms<Order>, kept, [tiles]);
    const unsigned slot = block_index() * threads + thread_index();
    const unsigned cluster = slot / cluster_size, place = slot % cluster_size;
    SpreadAtoms<Order>& atoms = kept[thread_index() / tile_lanes];
    const int lane = tile_lane();
    const float charge = cluster < args.cluster_count ? args.charges[slot] : 0.0f;
    const unsigned charged = tile_ballot(charge != 0.0f);
    if (charge != 0.0f) {
        const ClusterPoints& p = args.clusters[cluster];
        put_weights<Order>(physics::mesh_fraction<float>(p.x[place], args.nx), charge * unit, atoms.x);
        put_weights<Order>(physics::mesh_fraction<float>(p.y[place], args.ny), 1.0f, atoms.y);
        put_weights<Order>(physics::mesh_fraction<float>(p.z[place], args.nz), 1.0f, atoms.z);
        atoms.first_x[lane] = physics::mesh_node(p.x[place], args.nx);
        atoms.first_y[lane] = physics::mesh_node(p.y[place], args.ny);
        atoms.first_z[lane] = physics::mesh_node(p.z[place], args.nz);
    }
    tile_barrier();
    for (int a = 0; a < tile_lanes; ++a) {
        if ((charged >> a & 1u) == 0) continue;
        for (int node = lane; node < Order * Order * Order; node += tile_lanes) {
            const int i = node / (Order * Order), j = node / Order % Order, k = node % Order;
            const std::int32_t x = around(atoms.first_x[a] + i, args.nx);
            const std::int32_t y = around(atoms.first_y[a] + j, args.ny);
            const std::int32_t z = around(atoms.first_z[a] + k, args.nz);
            const std::int32_t addend = nearest_int(atoms.x[i][a] * atoms.y[j][a] * atoms.z[k][a]);
            atomic_add(args.grid + (static_cast<std::int64_t>(x) * args.ny + y) * args.nz + z, addend);
        }
    }
}

void spread_charges(Stream& stream, const SpreadChargesArgs& args) {
    const LaunchShape shape{blocks_for(std::size_t{args.cluster_count} * cluster_size, threads), threads, 0};
    if (args.order == 4) return launch(stream, work, spread_charges_kernel<4>, shape, args);
    if (args.order == 5) return launch(stream, work, spread_charges_kernel<5>, shape, args);
    launch(stream, work, spread_charges_kernel<6>, shape, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
