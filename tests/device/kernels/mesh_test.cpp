// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "forces/device/mesh/charged_clusters.h"
#include "forces/mesh/charge_grid.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "gpu/kernels/mesh/force_gathering.h"
#include "physics/mesh_window.h"
#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr std::array<int, 3> mesh_size{18, 15, 20};
constexpr std::size_t nodes = 18 * 15 * 20;

const std::vector<mesh::Window>& windows() {
    static const std::vector<mesh::Window> all = [] {
        std::vector<mesh::Window> made;
        for (const int order : {4, 5, 6}) made.push_back({mesh::WindowShape::bspline, order});
        for (const int order : {5, 6, 7, 8}) {
            made.push_back({mesh::WindowShape::prolate, order, mesh::prolate_pieces(order, 2.0 * order)});
        }
        return made;
    }();
    return all;
}
std::string name(const mesh::Window& window) {
    return (window.shape == mesh::WindowShape::prolate ? "prolate of order " : "order ") + std::to_string(window.order);
}

std::vector<std::int32_t> charges_of_cpu(const test::SomeAtoms& atoms, const mesh::Window& window) {
    mesh::ChargeGrid<float> grid(mesh_size, window, atoms.charges);
    grid.spread(atoms.points);
    std::vector<std::int32_t> charges;
    for (int x = 0; x < mesh_size[0]; ++x) {
        for (int y = 0; y < mesh_size[1]; ++y) {
            for (int z = 0; z < mesh_size[2]; ++z)
                charges.push_back(static_cast<std::int32_t>(grid.block().charge(x, y, z)));
        }
    }
    return charges;
}

// Such that a window does not average most of it away.
std::vector<float> some_potential() {
    std::vector<float> potential;
    for (int x = 0; x < mesh_size[0]; ++x) {
        for (int y = 0; y < mesh_size[1]; ++y) {
            for (int z = 0; z < mesh_size[2]; ++z)
                potential.push_back(static_cast<float>(300.0 * std::sin(0.7 * x + 0.5 * y + 0.37 * z)));
        }
    }
    return potential;
}

constexpr NodeRange whole = NodeRange::whole(18, 15, 20);

// Inside, over the end of one axis and of all, an odd number of planes, whole axes that begin elsewhere.
std::vector<NodeRange> ranges() {
    return {{{2, 1, 3}, {14, 12, 16}, {18, 15, 20}},
            {{0, 9, 2}, {9, 10, 17}, {18, 15, 20}},
            {{13, 8, 11}, {12, 13, 18}, {18, 15, 20}},
            {{7, 0, 5}, {18, 15, 11}, {18, 15, 20}}};
}

// The values of nodes of the mesh, as an array of these nodes has them.
template <class T>
std::vector<T> of_nodes(const NodeRange& nodes, const std::vector<T>& of_mesh) {
    std::vector<T> values(nodes.extent(), T{});
    for (int x = 0; x < nodes.count[0]; ++x) {
        for (int y = 0; y < nodes.count[1]; ++y) {
            for (int z = 0; z < nodes.count[2]; ++z) {
                const int at[3] = {(nodes.first[0] + x) % 18, (nodes.first[1] + y) % 15, (nodes.first[2] + z) % 20};
                const auto place = static_cast<std::size_t>((x / 2 * nodes.count[1] + y) * nodes.count[2] + z);
                values[2 * place + static_cast<std::size_t>(x % 2)] =
                    of_mesh[static_cast<std::size_t>((at[0] * 15 + at[1]) * 20 + at[2])];
            }
        }
    }
    return values;
}

// [kJ/mol/nm], of each atom.
std::vector<Vec3d> forces_of_cpu(const test::SomeAtoms& atoms, const mesh::Window& window,
                                 const std::vector<float>& potential) {
    mesh::ChargeGrid<float> grid(mesh_size, window, atoms.charges);
    grid.spread(atoms.points);
    constexpr int chunk = mesh::LineFft<float>::real_lines;
    for (int y = 0; y < mesh_size[1]; ++y) {
        for (int z0 = 0; z0 < mesh_size[2]; z0 += chunk) {
            std::vector<float> lines(static_cast<std::size_t>(mesh_size[0] * chunk));
            for (int x = 0; x < mesh_size[0]; ++x) {
                for (int l = 0; l < chunk && z0 + l < mesh_size[2]; ++l) {
                    lines[static_cast<std::size_t>(x * chunk + l)] =
                        potential[static_cast<std::size_t>((x * mesh_size[1] + y) * mesh_size[2] + z0 + l)];
                }
            }
            grid.block().store(y, z0, lines.data());
        }
    }
    const auto [xx, yx, yy, zx, zy, zz] = physics::mesh_force_matrix(atoms.box.rows(), mesh_size);
    const std::array<double, 6> m{xx, yx, yy, zx, zy, zz};
    std::vector<Vec3d> forces(atoms.points.size());
    grid.gather([](int, std::size_t) {},
                [&](int, std::size_t atom, float charge, const Vec3<float>& g) {
                    const double q = charge;
                    forces[atom] = q * Vec3d{m[0] * g.x, m[1] * g.x + m[2] * g.y, m[3] * g.x + m[4] * g.y + m[5] * g.z};
                });
    return forces;
}

struct Gathered {
    std::vector<ClusterForces> forces;
    ForceFlags flags;
};

// Force sums of each cluster from a device; zero before.
Gathered forces_of_device(const test::Case& c, const test::SomeAtoms& atoms, const mesh::Window& window,
                          const std::vector<float>& potential, const NodeRange& nodes = whole) {
    const gpu::Device device(c.info, c.settings);
    gpu::Stream stream(device);
    const auto clusters = test::on_device<ClusterPoints>(device, stream, atoms.clusters.points());
    const auto charges = test::on_device<float>(device, stream, atoms.slot_charges);
    const auto phi = test::on_device<float>(device, stream, of_nodes(nodes, potential));
    const auto flags = test::on_device<ForceFlags>(device, stream, std::array{ForceFlags{0}});
    gpu::Buffer<ClusterForces> sums(device, {});
    sums.resize(atoms.clusters.size());
    sums.zero(stream);
    GatherForcesArgs args{clusters.data(),
                          charges.data(),
                          static_cast<unsigned>(clusters.size()),
                          window_for_kernels(window),
                          nodes,
                          phi.data(),
                          {},
                          sums.data(),
                          flags.data()};
    const auto matrix = physics::mesh_force_matrix(atoms.box.rows(), mesh_size);
    for (std::size_t i = 0; i < 6; ++i) args.matrix[i] = static_cast<float>(matrix[i]);
    gather_forces(stream, args);
    return {test::from_device(stream, sums), test::from_device(stream, flags)[0]};
}

}  // namespace

TEST_CASE("charges on the mesh are those of the CPU, bit for bit, and on a part of it what belongs there", "[device]") {
    const test::SomeAtoms atoms(203);
    std::vector<NodeRange> all = ranges();
    all.push_back(whole);
    for (const mesh::Window& window : windows()) {
        const std::vector<std::int32_t> of_cpu = charges_of_cpu(atoms, window);
        for (const NodeRange& nodes : all) {
            const std::vector<std::int32_t> expected = of_nodes(nodes, of_cpu);
            for (const test::Case& c : test::all_cases()) {
                INFO(c.name << ", " << name(window) << ", from node " << nodes.first[0]);
                const gpu::Device device(c.info, c.settings);
                gpu::Stream stream(device);
                const auto clusters = test::on_device<ClusterPoints>(device, stream, atoms.clusters.points());
                const auto charges = test::on_device<float>(device, stream, atoms.slot_charges);
                gpu::Buffer<std::int32_t> grid(device, {});
                grid.resize(nodes.extent());
                grid.zero(stream);
                spread_charges(stream, {clusters.data(), charges.data(), static_cast<unsigned>(clusters.size()),
                                        window_for_kernels(window), nodes, grid.data()});
                CHECK(test::from_device(stream, grid) == expected);
            }
        }
    }
}

TEST_CASE("forces from the mesh are those of the CPU to rounding, and the same in any order of threads", "[device]") {
    const test::SomeAtoms atoms(203);
    const std::vector<float> potential = some_potential();
    for (const mesh::Window& window : windows()) {
        const std::vector<Vec3d> expected = forces_of_cpu(atoms, window, potential);
        std::vector<ClusterForces> first;
        for (const test::Case& c : test::all_cases()) {
            INFO(c.name << ", " << name(window));
            const auto [found, flags] = forces_of_device(c, atoms, window, potential);
            CHECK(flags.out_of_range == 0);
            double error = 0.0, size = 0.0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const std::uint32_t slot = atoms.clusters.slots()[i];
                const ClusterForces& f = found[slot / cluster_size];
                const std::uint32_t k = slot % cluster_size;
                const Vec3d force{f.x[k] / 4096.0, f.y[k] / 4096.0, f.z[k] / 4096.0};
                error += norm2(force - expected[i]);
                size += norm2(expected[i]);
            }
            // Both are sums of 64 to 512 terms in single precision (6e-8 a rounding), in different orders.
            CHECK(std::sqrt(error / size) < 6e-7);
            if (first.empty()) first = found;
            CHECK(std::memcmp(found.data(), first.data(), found.size() * sizeof(ClusterForces)) == 0);
        }
    }
}

TEST_CASE("a mesh force beyond what the sums of pairs leave is reported", "[device]") {
    const test::SomeAtoms atoms(3);
    std::vector<float> potential = some_potential();
    for (float& value : potential) value *= 1e4f;
    CHECK(forces_of_device(test::host_cases(0).front(), atoms, windows().front(), potential).flags.out_of_range == 1);
}

TEST_CASE("forces on atoms that reach nodes of a part of the mesh alone are those from the whole", "[device]") {
    const test::SomeAtoms atoms(203);
    const std::vector<float> potential = some_potential();
    const auto inside = [&](const LatticePoint& p, const NodeRange& nodes, int order) {
        const std::uint32_t u[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; ++a) {
            for (int j = 0; j < order; ++j) {
                const int n = nodes.mesh[a], from_first = physics::mesh_node(u[a], n) + j - nodes.first[a];
                if ((from_first + n) % n >= nodes.count[a]) return false;
            }
        }
        return true;
    };
    for (const mesh::Window& window : windows()) {
        const test::Case c = test::host_cases(0).front();
        const std::vector<ClusterForces> expected = forces_of_device(c, atoms, window, potential).forces;
        for (const NodeRange& nodes : ranges()) {
            const std::vector<ClusterForces> found = forces_of_device(c, atoms, window, potential, nodes).forces;
            int compared = 0;
            for (std::size_t i = 0; i < atoms.points.size(); ++i) {
                if (!inside(atoms.points[i], nodes, window.order)) continue;
                const std::uint32_t slot = atoms.clusters.slots()[i], k = slot % cluster_size;
                const ClusterForces &f = found[slot / cluster_size], &g = expected[slot / cluster_size];
                CHECK((f.x[k] == g.x[k] && f.y[k] == g.y[k] && f.z[k] == g.z[k]));
                ++compared;
            }
            INFO(name(window) << ", from node " << nodes.first[0]);
            CHECK(compared > 5);
        }
    }
}
