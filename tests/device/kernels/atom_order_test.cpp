// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/atom_order.h"

#include <algorithm>
#include <cstring>

#include <catch2/catch.hpp>

#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

TEST_CASE("points come into the order of clusters, forces back into that of atoms", "[device]") {
    const test::SomeAtoms atoms(301);
    const std::size_t n = atoms.clusters.size();
    std::vector<ClusterForces> forces(n), second(n);
    for (std::size_t slot = 0; slot < n * cluster_size; ++slot) {
        const auto v = static_cast<std::int32_t>(slot);
        ClusterForces& f = forces[slot / cluster_size];
        f.x[slot % cluster_size] = v;
        f.y[slot % cluster_size] = -v;
        f.z[slot % cluster_size] = 1000 * v;
        second[slot / cluster_size].y[slot % cluster_size] = slot % 3 == 0 ? -v : 0;
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto points = test::on_device<LatticePoint>(device, stream, atoms.points);
        const auto order = test::on_device<std::uint32_t>(device, stream, atoms.clusters.atoms());
        const auto slots = test::on_device<std::uint32_t>(device, stream, atoms.clusters.slots());
        gpu::Buffer<ClusterForces> cleared(device, {});
        cleared.resize(2 * n);
        const auto sums = test::on_device<ClusterForces>(device, stream, forces);
        const auto high = test::on_device<ClusterForces>(device, stream, second);
        gpu::Buffer<ForceFlags> flags(device, {});
        flags.resize(1);
        gpu::Buffer<ClusterPoints> clusters(device, {});
        gpu::Buffer<AtomForce> down(device, {});
        clusters.resize(n);
        down.resize(atoms.points.size());
        gather_points(stream, {points.data(), order.data(), clusters.data(), static_cast<unsigned>(n), cleared.data(),
                               cleared.data() + n, flags.data()});
        ScatterForcesArgs scatter{
            sums.data(), high.data(), 10, slots.data(), down.data(), flags.data(), static_cast<unsigned>(down.size())};
        scatter_forces(stream, scatter);

        const std::vector<ClusterPoints> found = test::from_device(stream, clusters);
        CHECK(std::memcmp(found.data(), atoms.clusters.points().data(), n * sizeof(ClusterPoints)) == 0);
        std::vector<AtomForce> back = test::from_device(stream, down);
        for (std::size_t i = 0; i < back.size(); ++i) {
            const auto slot = static_cast<std::int32_t>(atoms.clusters.slots()[i]);
            REQUIRE(back[i] == AtomForce{slot, slot % 3 == 0 ? -1025 * slot : -slot, 1000 * slot});
        }
        const std::vector<ClusterForces> zero = test::from_device(stream, cleared), none(2 * n, ClusterForces{});
        CHECK(std::memcmp(zero.data(), none.data(), zero.size() * sizeof(ClusterForces)) == 0);

        scatter.high_shift = 24;  // 300 units are too many
        scatter_forces(stream, scatter);
        back = test::from_device(stream, down);
        for (std::size_t i = 0; i < back.size(); ++i) {
            const std::uint32_t slot = atoms.clusters.slots()[i];
            REQUIRE((back[i].y == AtomForce::out_of_range) == (slot % 3 == 0 && slot > 128));
        }
        const std::vector<ForceFlags> raised{{1}};
        flags.upload(stream, raised);
        scatter_forces(stream, scatter);
        back = test::from_device(stream, down);
        constexpr AtomForce useless{AtomForce::out_of_range, AtomForce::out_of_range, AtomForce::out_of_range};
        CHECK(std::count(back.begin(), back.end(), useless) == static_cast<std::ptrdiff_t>(back.size()));
    }
}

TEST_CASE("some clusters are gathered without the others", "[device]") {
    const test::SomeAtoms atoms(301);
    const auto n = static_cast<unsigned>(atoms.clusters.size()), first = n / 3;
    const std::vector<ClusterForces> dirty(n, ClusterForces{{1}, {2}, {3}});
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto points = test::on_device<LatticePoint>(device, stream, atoms.points);
        const auto order = test::on_device<std::uint32_t>(device, stream, atoms.clusters.atoms());
        const auto clusters = test::on_device<ClusterPoints>(device, stream, std::vector<ClusterPoints>(n));
        const auto forces = test::on_device<ClusterForces>(device, stream, dirty);
        const auto high = test::on_device<ClusterForces>(device, stream, dirty);
        const auto flags = test::on_device<ForceFlags>(device, stream, std::array{ForceFlags{7}});
        GatherPointsArgs args{points.data(), order.data(), clusters.data(), n - first,
                              forces.data(), high.data(),  flags.data(),    first};
        gather_points(stream, args);
        const std::vector<ClusterPoints> some = test::from_device(stream, clusters), none(first, ClusterPoints{});
        CHECK(std::memcmp(some.data(), none.data(), first * sizeof(ClusterPoints)) == 0);
        CHECK(std::memcmp(&some[first], &atoms.clusters.points()[first], (n - first) * sizeof(ClusterPoints)) == 0);
        for (const auto* sums : {&forces, &high}) {
            const std::vector<ClusterForces> cleared = test::from_device(stream, *sums);
            for (unsigned i = 0; i < n; ++i) CHECK(cleared[i].x[0] == (i < first ? 1 : 0));
        }
        CHECK(test::from_device(stream, flags)[0].out_of_range == 7);
        // Those before them; and where a rank has none of its own, the flags are its own all the same.
        args.first_cluster = 0;
        args.cluster_count = first;
        gather_points(stream, args);
        CHECK(std::memcmp(test::from_device(stream, clusters).data(), atoms.clusters.points().data(),
                          n * sizeof(ClusterPoints)) == 0);
        CHECK(test::from_device(stream, flags)[0].out_of_range == 0);
        const auto raised = test::on_device<ForceFlags>(device, stream, std::array{ForceFlags{7}});
        args.cluster_count = 0;
        args.flags = raised.data();
        gather_points(stream, args);
        CHECK(test::from_device(stream, raised)[0].out_of_range == 0);
    }
}
