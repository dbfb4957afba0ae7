// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/atom_order.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {
constexpr unsigned threads = 128;
constexpr Work gathering{"kernel gather_points", "the order of atoms"};
constexpr Work scattering{"kernel scatter_forces", "the order of atoms"};
}  // namespace

// One thread a slot: it reads three neighbouring words somewhere, and eight threads write a row of a cluster.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) gather_points_kernel(GatherPointsArgs args) {
    const unsigned slot = block_index() * threads + thread_index();
    const unsigned cluster = slot / cluster_size, place = slot % cluster_size;
    if (cluster >= args.cluster_count) return;
    const LatticePoint p = args.points[args.atoms[slot]];
    ClusterPoints& to = args.clusters[cluster];
    to.x[place] = p.x;
    to.y[place] = p.y;
    to.z[place] = p.z;
    ClusterForces &f = args.forces[cluster], &g = args.high[cluster];
    f.x[place] = f.y[place] = f.z[place] = 0;
    g.x[place] = g.y[place] = g.z[place] = 0;
    if (slot == 0) args.flags->out_of_range = 0;
}

namespace {

MDSIM_ON_DEVICE std::int32_t whole(const ScatterForcesArgs& args, std::int32_t low, std::int32_t high) {
    const std::int64_t sum = low + high * (std::int64_t{1} << args.high_shift);
    const auto word = static_cast<std::int32_t>(sum);
    return word == sum ? word : AtomForce::out_of_range;
}

}  // namespace

// One thread an atom. Slots that repeat an atom are nobody's slot, so what they hold is left out.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) scatter_forces_kernel(ScatterForcesArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    if (atom >= args.atom_count) return;
    const unsigned slot = args.slots[atom];
    const ClusterForces &f = args.clusters[slot / cluster_size], &g = args.high[slot / cluster_size];
    const unsigned k = slot % cluster_size;
    constexpr std::int32_t useless = AtomForce::out_of_range;
    args.forces[atom] =
        args.flags->out_of_range != 0
            ? AtomForce{useless, useless, useless}
            : AtomForce{whole(args, f.x[k], g.x[k]), whole(args, f.y[k], g.y[k]), whole(args, f.z[k], g.z[k])};
}

void gather_points(Stream& stream, const GatherPointsArgs& args) {
    const std::size_t slots = std::size_t{args.cluster_count} * cluster_size;
    launch(stream, gathering, gather_points_kernel, {blocks_for(slots, threads), threads, 0}, args);
}

void scatter_forces(Stream& stream, const ScatterForcesArgs& args) {
    launch(stream, scattering, scatter_forces_kernel, {blocks_for(args.atom_count, threads), threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
