// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/ranks/node_boxes.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr Work charges_out{"kernel pack_charges", "the mesh"};
constexpr Work charges_in{"kernel add_charges", "the mesh"};
constexpr Work potential_out{"kernel pack_potential", "the mesh"};
constexpr Work potential_in{"kernel place_potential", "the mesh"};

/// A node of the whole mesh: its row, x ny + y, and its place in it.
struct Node {
    unsigned row, z;
};

MDSIM_ON_DEVICE unsigned along(const NodeRange& box, int axis, unsigned k) {
    const unsigned node = static_cast<unsigned>(box.first[axis]) + k, n = static_cast<unsigned>(box.mesh[axis]);
    return node < n ? node : node - n;
}

// Node i of a box. Neighbouring threads have neighbouring nodes of a row.
MDSIM_ON_DEVICE Node node_of(const NodeRange& box, unsigned i) {
    const auto rows = static_cast<unsigned>(box.count[1]), row = static_cast<unsigned>(box.count[2]);
    const unsigned r = i / row, plane = r / rows;
    return {along(box, 0, plane) * static_cast<unsigned>(box.mesh[1]) + along(box, 1, r - plane * rows),
            along(box, 2, i - r * row)};
}

MDSIM_ON_DEVICE unsigned place_of_charge(const NodeRange& box, unsigned i) {
    const Node node = node_of(box, i);
    return node.row * static_cast<unsigned>(box.mesh[2]) + node.z;
}

// Two rows share a line, number by number.
MDSIM_ON_DEVICE unsigned place_of_potential(const NodeRange& box, unsigned i) {
    const Node node = node_of(box, i);
    return 2 * (node.row / 2 * static_cast<unsigned>(box.mesh[2]) + node.z) + node.row % 2;
}

/// Puts a kernel with one thread a node into the stream.
template <class Args>
void launch_for_nodes(Stream& stream, const Work& work, void (*kernel)(Args), const Args& args) {
    launch(stream, work, kernel, {blocks_for(args.box.nodes(), threads), threads, 0}, args);
}

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) pack_charges_kernel(PackChargesArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i >= args.box.nodes()) return;
    std::int32_t& charge = args.grid[place_of_charge(args.box, i)];
    args.message[i] = charge;
    charge = 0;
}

// No two threads have the same node.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) add_charges_kernel(AddChargesArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i < args.box.nodes()) args.grid[place_of_charge(args.box, i)] += args.message[i];
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) pack_potential_kernel(PackPotentialArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i < args.box.nodes()) args.message[i] = args.potential[place_of_potential(args.box, i)];
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) place_potential_kernel(PlacePotentialArgs args) {
    const unsigned i = block_index() * threads + thread_index();
    if (i < args.box.nodes()) args.potential[place_of_potential(args.box, i)] = args.message[i];
}

void pack_charges(Stream& stream, const PackChargesArgs& args) {
    launch_for_nodes(stream, charges_out, pack_charges_kernel, args);
}

void add_charges(Stream& stream, const AddChargesArgs& args) {
    launch_for_nodes(stream, charges_in, add_charges_kernel, args);
}

void pack_potential(Stream& stream, const PackPotentialArgs& args) {
    launch_for_nodes(stream, potential_out, pack_potential_kernel, args);
}

void place_potential(Stream& stream, const PlacePotentialArgs& args) {
    launch_for_nodes(stream, potential_in, place_potential_kernel, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
