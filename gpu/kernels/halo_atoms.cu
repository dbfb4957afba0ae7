// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/halo_atoms.h"
#include "gpu/kernels/wide_force.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {
constexpr unsigned threads = 128;
constexpr Work packing{"kernel pack_points", "positions of the halo"};
constexpr Work widening{"kernel widen_forces", "the order of atoms"};
constexpr Work adding{"kernel add_forces", "forces of the halo"};
constexpr Work narrowing{"kernel narrow_forces", "all forces"};

LaunchShape one_thread_each(unsigned count) {
    return {blocks_for(count, threads), threads, 0};
}

MDSIM_ON_DEVICE void add_to(WideForce& sum, const WideForce& more) {
    sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z};
}
}  // namespace

// One thread an atom in each of these.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) pack_points_kernel(PackPointsArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i < args.count) args.message[i] = args.points[args.atoms[i]];
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) widen_forces_kernel(WidenForcesArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    if (atom >= args.atom_count) return;
    add_to(args.forces[atom], sum_in_slot(args.clusters, args.high, args.high_shift, args.slots[atom]));
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) add_forces_kernel(AddForcesArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i >= args.count) return;
    add_to(args.forces[args.atoms[i]], args.message[i]);
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) narrow_forces_kernel(NarrowForcesArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    if (atom < args.count) args.narrowed[atom] = narrow(args.forces[atom], *args.flags);
}

void pack_points(Stream& stream, const PackPointsArgs& args) {
    launch(stream, packing, pack_points_kernel, one_thread_each(args.count), args);
}

void widen_forces(Stream& stream, const WidenForcesArgs& args) {
    launch(stream, widening, widen_forces_kernel, one_thread_each(args.atom_count), args);
}

void add_forces(Stream& stream, const AddForcesArgs& args) {
    launch(stream, adding, add_forces_kernel, one_thread_each(args.count), args);
}

void narrow_forces(Stream& stream, const NarrowForcesArgs& args) {
    launch(stream, narrowing, narrow_forces_kernel, one_thread_each(args.count), args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
