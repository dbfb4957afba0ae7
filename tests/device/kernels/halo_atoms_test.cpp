// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/halo_atoms.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr unsigned atom_count = 301;

/// Every third atom, from the last one down.
std::vector<std::uint32_t> every_third() {
    std::vector<std::uint32_t> atoms;
    for (std::uint32_t i = atom_count; i > 0; i -= std::min(i, 3u)) atoms.push_back(i - 1);
    return atoms;
}

WideForce some_force(std::int64_t i) {
    return {i, -7 * i, (i << 40) + 1};
}

std::vector<WideForce> some_forces(std::int64_t first, std::size_t count) {
    std::vector<WideForce> forces;
    for (std::size_t i = 0; i < count; ++i) forces.push_back(some_force(first + static_cast<std::int64_t>(i)));
    return forces;
}

}  // namespace

TEST_CASE("points of the halo are packed in the order in which they travel", "[device]") {
    std::vector<LatticePoint> points;
    for (std::uint32_t i = 0; i < atom_count; ++i) points.push_back({i, 0x80000000u + i, ~i});
    const std::vector<std::uint32_t> chosen = every_third();
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto from = test::on_device<LatticePoint>(device, stream, points);
        const auto atoms = test::on_device<std::uint32_t>(device, stream, chosen);
        const auto message =
            test::on_device<LatticePoint>(device, stream, std::vector<LatticePoint>(chosen.size() + 1));
        pack_points(stream, {from.data(), atoms.data(), message.data(), static_cast<unsigned>(chosen.size())});
        const std::vector<LatticePoint> packed = test::from_device(stream, message);
        for (std::size_t i = 0; i < chosen.size(); ++i) REQUIRE(packed[i] == points[chosen[i]]);
        CHECK(packed.back() == LatticePoint{});
    }
}

TEST_CASE("sums of clusters become wide ones of atoms", "[device]") {
    const test::SomeAtoms some(atom_count);
    const std::size_t n = some.clusters.size();
    std::vector<ClusterForces> first(n), second(n);
    for (std::size_t slot = 0; slot < n * cluster_size; ++slot) {
        const auto v = static_cast<std::int32_t>(slot);
        ClusterForces &f = first[slot / cluster_size], &g = second[slot / cluster_size];
        f.x[slot % cluster_size] = INT32_MIN + v;
        f.y[slot % cluster_size] = v;
        f.z[slot % cluster_size] = -v;
        g.y[slot % cluster_size] = -2 * v;
        g.z[slot % cluster_size] = INT32_MAX;
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto sums = test::on_device<ClusterForces>(device, stream, first);
        const auto high = test::on_device<ClusterForces>(device, stream, second);
        const auto slots = test::on_device<std::uint32_t>(device, stream, some.clusters.slots());
        const std::vector<WideForce> before = some_forces(7, atom_count);
        const auto forces = test::on_device<WideForce>(device, stream, before);
        widen_forces(stream, {sums.data(), high.data(), 24, slots.data(), forces.data(), atom_count});
        const std::vector<WideForce> wide = test::from_device(stream, forces);
        for (std::size_t i = 0; i < atom_count; ++i) {
            const std::int64_t slot = some.clusters.slots()[i], unit = std::int64_t{1} << 24;
            const auto [x, y, z] = before[i];
            REQUIRE(wide[i] ==
                    WideForce{x + INT32_MIN + slot, y + slot - 2 * slot * unit, z + INT32_MAX * unit - slot});
        }
    }
}

TEST_CASE("forces from another rank are added to their atoms and to no others", "[device]") {
    const std::vector<std::uint32_t> chosen = every_third();
    const std::vector<WideForce> before = some_forces(5, atom_count), more = some_forces(-1000, chosen.size());
    std::vector<WideForce> expected = before;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        WideForce& sum = expected[chosen[i]];
        sum = {sum.x + more[i].x, sum.y + more[i].y, sum.z + more[i].z};
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto forces = test::on_device<WideForce>(device, stream, before);
        const auto atoms = test::on_device<std::uint32_t>(device, stream, chosen);
        const auto message = test::on_device<WideForce>(device, stream, more);
        add_forces(stream, {forces.data(), atoms.data(), message.data(), static_cast<unsigned>(chosen.size())});
        CHECK(test::from_device(stream, forces) == expected);
    }
}

TEST_CASE("a wide sum that does not fit 32 bits is of no use", "[device]") {
    constexpr std::int32_t useless = AtomForce::out_of_range;
    constexpr std::int64_t most = INT32_MAX, least = INT32_MIN;
    std::vector<WideForce> wide(200, WideForce{1, -2, 3});
    std::vector<AtomForce> expected(200, AtomForce{1, -2, 3});
    wide[0] = {most, -most, 0};
    expected[0] = {INT32_MAX, -INT32_MAX, 0};
    wide[150] = {most + 1, 5, least};
    expected[150] = {useless, 5, useless};
    wide[199] = {1 - (std::int64_t{1} << 32), std::int64_t{1} << 33, least - 1};
    expected[199] = {useless, useless, useless};
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto forces = test::on_device<WideForce>(device, stream, wide);
        auto flags = test::on_device<ForceFlags>(device, stream, std::array{ForceFlags{0}});
        const auto narrowed = test::on_device<AtomForce>(device, stream, std::vector<AtomForce>(wide.size() + 1));
        const NarrowForcesArgs args{forces.data(), flags.data(), narrowed.data(), static_cast<unsigned>(wide.size())};
        narrow_forces(stream, args);
        std::vector<AtomForce> found = test::from_device(stream, narrowed);
        CHECK(found.back() == AtomForce{});
        found.pop_back();
        CHECK(found == expected);
        flags.upload(stream, std::array{ForceFlags{1}});
        narrow_forces(stream, args);
        found = test::from_device(stream, narrowed);
        CHECK(std::count(found.begin(), found.end(), AtomForce{useless, useless, useless}) == 200);
    }
}
