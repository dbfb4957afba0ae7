// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/pair_list/point_moves.h"

#include <bit>

#include <catch2/catch.hpp>

#include "gpu/kernels/pair_list/pair_pruning.h"
#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

// Moved along x, over the end of the box for some, by i units of 2^-20; one of them farther.
std::vector<LatticePoint> moved(std::vector<LatticePoint> points, std::size_t farthest) {
    for (std::size_t i = 0; i < points.size(); ++i) points[i].x += static_cast<std::uint32_t>(i) << 12;
    points[farthest].y -= 1u << 28;
    return points;
}

MoveLimit limit(const gpu::Buffer<std::uint32_t>& largest, double square) {
    return {.largest = largest.data(), .square = static_cast<float>(square)};
}

}  // namespace

TEST_CASE("the largest move is found, and decides on the device what is due", "[device]") {
    const test::SomeAtoms atoms(301);
    const auto count = static_cast<unsigned>(atoms.points.size());
    const LatticeMetric<float> metric(atoms.box);
    for (const std::size_t farthest : {std::size_t{0}, std::size_t{130}, std::size_t{300}}) {
        const std::vector<LatticePoint> now = moved(atoms.points, farthest);
        const Vec3d move = atoms.box.to_cartesian({static_cast<double>(farthest) * 0x1p-20, -0x1p-4, 0.0});
        for (const test::Case& c : test::all_cases()) {
            INFO(c.name);
            const gpu::Device device(c.info, c.settings);
            gpu::Stream stream(device);
            const auto before = test::on_device<LatticePoint>(device, stream, atoms.points);
            const auto points = test::on_device<LatticePoint>(device, stream, now);
            const auto largest = test::on_device<std::uint32_t>(device, stream, std::vector<std::uint32_t>{0});
            find_moves(stream, {points.data(), before.data(), count, metric, largest.data()});
            const auto found = static_cast<double>(std::bit_cast<float>(test::from_device(stream, largest)[0]));
            CHECK(found == Approx(norm2(move)).epsilon(1e-5));

            keep_points(stream, {points.data(), before.data(), count, limit(largest, 1.001 * norm2(move))});
            CHECK(test::from_device(stream, before) == atoms.points);
            keep_points(stream, {points.data(), before.data(), count, limit(largest, 0.999 * norm2(move))});
            CHECK(test::from_device(stream, before) == now);
            find_moves(stream, {points.data(), before.data(), count, metric, largest.data()});
            CHECK(std::bit_cast<float>(test::from_device(stream, largest)[0]) == static_cast<float>(found));
        }
    }
}

TEST_CASE("a list is pruned where that is due, and stays as it is where it is not", "[device]") {
    const test::SomeAtoms atoms(16);
    const std::vector<TileRow> rows{{0, 0, 0, 1, 0}}, none{{0, 0, 0, 0, 0}};
    for (const test::Case& c : test::host_cases(1)) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto points = test::on_device<ClusterPoints>(device, stream, atoms.clusters.points());
        const auto outer_rows = test::on_device<TileRow>(device, stream, rows);
        const auto kept_rows = test::on_device<TileRow>(device, stream, none);
        const auto entries = test::on_device<std::uint32_t>(device, stream, std::vector<std::uint32_t>{1});
        const auto kept = test::on_device<std::uint32_t>(device, stream, std::vector<std::uint32_t>{7});
        const auto largest = test::on_device<std::uint32_t>(
            device, stream, std::vector<std::uint32_t>{std::bit_cast<std::uint32_t>(0.01f)});
        PrunePairsArgs args{{outer_rows.data(), entries.data(), nullptr},
                            {kept_rows.data(), kept.data(), nullptr},
                            1,
                            points.data(),
                            LatticeMetric<float>(atoms.box),
                            1e30f,
                            limit(largest, 0.01)};
        prune_pairs(stream, args);
        CHECK(test::from_device(stream, kept_rows)[0].end == 0);
        CHECK(test::from_device(stream, kept)[0] == 7);
        args.due.square = 0.0099f;
        prune_pairs(stream, args);
        CHECK(test::from_device(stream, kept_rows)[0].end == 1);
        CHECK(test::from_device(stream, kept)[0] == 1);
    }
}
