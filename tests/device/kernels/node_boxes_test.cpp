// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/mesh/ranks/node_boxes.h"

#include <catch2/catch.hpp>

#include "tests/device/devices.h"
#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr int nx = 9, ny = 7, nz = 12;
constexpr std::size_t all = nx * ny * nz;

// Inside, one node, over the end of one axis and of all, and whole axes.
std::vector<NodeRange> boxes() {
    return {{{2, 1, 3}, {4, 5, 6}, {nx, ny, nz}},    {{8, 6, 11}, {1, 1, 1}, {nx, ny, nz}},
            {{0, 2, 9}, {3, 3, 7}, {nx, ny, nz}},    {{7, 5, 10}, {5, 4, 11}, {nx, ny, nz}},
            {{0, 0, 0}, {nx, ny, nz}, {nx, ny, nz}}, {{3, 6, 5}, {nx, ny, nz}, {nx, ny, nz}}};
}

/// The nodes of a box in the order in which they travel, as numbers in [nx][ny][nz].
std::vector<std::size_t> nodes_of(const NodeRange& box) {
    std::vector<std::size_t> nodes;
    for (int x = 0; x < box.count[0]; ++x) {
        for (int y = 0; y < box.count[1]; ++y) {
            for (int z = 0; z < box.count[2]; ++z) {
                const int at[3] = {(box.first[0] + x) % nx, (box.first[1] + y) % ny, (box.first[2] + z) % nz};
                nodes.push_back(static_cast<std::size_t>((at[0] * ny + at[1]) * nz + at[2]));
            }
        }
    }
    return nodes;
}

/// Where a node is in lines of two rows each.
std::size_t in_pairs(std::size_t node) {
    const std::size_t row = node / nz, z = node % nz;
    return row / 2 * 2 * nz + 2 * z + row % 2;
}
constexpr std::size_t paired = (nx * ny + 1) / 2 * 2 * nz;

std::int32_t charge(std::size_t node) {
    return static_cast<std::int32_t>(1000 + 7 * node);
}

}  // namespace

TEST_CASE("charges of a box of nodes travel from one mesh to another", "[device]") {
    std::vector<std::int32_t> charges, others(all, 5);
    for (std::size_t i = 0; i < all; ++i) charges.push_back(charge(i));
    for (const NodeRange& box : boxes()) {
        const std::vector<std::size_t> nodes = nodes_of(box);
        REQUIRE(box.nodes() == nodes.size());
        std::vector<std::int32_t> left = charges, sum = others, travelled;
        for (const std::size_t node : nodes) {
            travelled.push_back(charge(node));
            left[node] = 0;
            sum[node] += charge(node);
        }
        for (const test::Case& c : test::all_cases()) {
            INFO(c.name << ", " << nodes.size() << " nodes from " << nodes[0]);
            const gpu::Device device(c.info, c.settings);
            gpu::Stream stream(device);
            const auto here = test::on_device<std::int32_t>(device, stream, charges);
            const auto there = test::on_device<std::int32_t>(device, stream, others);
            gpu::Buffer<std::int32_t> message(device, {});
            message.resize(nodes.size());
            pack_charges(stream, {here.data(), box, message.data()});
            add_charges(stream, {there.data(), box, message.data()});
            CHECK(test::from_device(stream, message) == travelled);
            CHECK(test::from_device(stream, here) == left);
            CHECK(test::from_device(stream, there) == sum);
        }
    }
}

TEST_CASE("the potential of a box of nodes travels from one mesh to another", "[device]") {
    std::vector<float> potential(paired, -1.0f);
    for (std::size_t i = 0; i < all; ++i) potential[in_pairs(i)] = static_cast<float>(i);
    const std::vector<float> before(paired, 0.25f);
    for (const NodeRange& box : boxes()) {
        std::vector<float> after = before, travelled;
        for (const std::size_t node : nodes_of(box)) {
            travelled.push_back(static_cast<float>(node));
            after[in_pairs(node)] = static_cast<float>(node);
        }
        for (const test::Case& c : test::all_cases()) {
            INFO(c.name << ", " << travelled.size() << " nodes from " << travelled[0]);
            const gpu::Device device(c.info, c.settings);
            gpu::Stream stream(device);
            const auto here = test::on_device<float>(device, stream, potential);
            const auto there = test::on_device<float>(device, stream, before);
            gpu::Buffer<float> message(device, {});
            message.resize(travelled.size());
            pack_potential(stream, {here.data(), box, message.data()});
            place_potential(stream, {there.data(), box, message.data()});
            CHECK(test::from_device(stream, message) == travelled);
            CHECK(test::from_device(stream, there) == after);
        }
    }
}
