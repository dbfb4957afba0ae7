// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/kernels/atom_order.h"
#include "gpu/kernels/wide_force.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {
constexpr unsigned threads = 128;
constexpr Work gathering{"kernel gather_points", "the order of atoms"};
constexpr Work scattering{"kernel scatter_forces", "the order of atoms"};
}  // namespace

// One thread a slot: it reads three neighbouring words somewhere, and eight threads write a row of a cluster.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) gather_points_kernel(GatherPointsArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i == 0 && args.first_cluster == 0) args.flags->out_of_range = 0;
    if (i / cluster_size >= args.cluster_count) return;
    const unsigned cluster = args.first_cluster + i / cluster_size, place = i % cluster_size;
    const LatticePoint p = args.points[args.atoms[cluster * cluster_size + place]];
    ClusterPoints& to = args.clusters[cluster];
    to.x[place] = p.x;
    to.y[place] = p.y;
    to.z[place] = p.z;
    ClusterForces &f = args.forces[cluster], &g = args.high[cluster];
    f.x[place] = f.y[place] = f.z[place] = 0;
    g.x[place] = g.y[place] = g.z[place] = 0;
}

// One thread an atom. Slots that repeat an atom are nobody's slot, so what they hold is left out.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) scatter_forces_kernel(ScatterForcesArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    if (atom >= args.atom_count) return;
    args.forces[atom] = narrow(sum_in_slot(args.clusters, args.high, args.high_shift, args.slots[atom]), *args.flags);
}

void gather_points(Stream& stream, const GatherPointsArgs& args) {
    const std::size_t slots = std::size_t{args.cluster_count} * cluster_size;
    const unsigned least = args.first_cluster == 0 ? 1 : 0;  // for the flags
    launch(stream, gathering, gather_points_kernel, {std::max(least, blocks_for(slots, threads)), threads, 0}, args);
}

void scatter_forces(Stream& stream, const ScatterForcesArgs& args) {
    launch(stream, scattering, scatter_forces_kernel, {blocks_for(args.atom_count, threads), threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
