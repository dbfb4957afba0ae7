// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/device_mesh.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "forces/reference/ewald.h"
#include "tests/device/kernels/atoms.h"
#include "tests/device/kernels/faulty_mesh.h"
#include "tests/unit/mesh/evaluate.h"

using namespace mdsim;
using test::Evaluated;

namespace {

constexpr double ke = units::coulomb_codata2018;
constexpr double beta = 2.5;

mesh::MeshSettings settings(int order, std::array<int, 3> n) {
    return {n, {mesh::WindowShape::bspline, order}, mesh::GaussianSplit{beta}, ke};
}

/// With prolates: a cutoff of 0.9 nm, and about three points in it.
mesh::MeshSettings prolates(int order, std::array<int, 3> n) {
    return {n,
            {mesh::WindowShape::prolate, order, mesh::prolate_pieces(order, 2.0 * order)},
            mesh::prolate_split(9.0, 0.9),
            ke};
}

std::vector<Vec3d> positions(const test::SomeAtoms& atoms) {
    const Mat3d& h = atoms.box.rows();
    std::vector<Vec3d> x;
    for (const LatticePoint& p : atoms.points) x.push_back((p.x * h[0] + p.y * h[1] + p.z * h[2]) * 0x1p-32);
    return x;
}

/// What comes back from a device.
struct Found {
    std::vector<Vec3d> forces;  // of atoms [kJ/mol/nm]
    EnergySums energies;
    bool out_of_range = false;

    double relative_error(const std::vector<Vec3d>& exact) const {
        double difference = 0.0, size = 0.0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            difference += norm2(forces[i] - exact[i]);
            size += norm2(exact[i]);
        }
        return std::sqrt(difference / size);
    }
    double energy() const { return energies[Term::coulomb_recip].value(); }
};

/// A mesh on a device with the atoms there, for some evaluations.
class MeshOnDevice {
  public:
    MeshOnDevice(const test::Case& c, const test::SomeAtoms& atoms, const mesh::MeshSettings& s)
        : atoms_(atoms),
          device_(c.info, c.settings),
          stream_(device_),
          mesh_(device_, s, atoms.charges),
          points_(test::on_device<ClusterPoints>(device_, stream_, atoms.clusters.points())),
          sums_(device_, {}),
          flags_(device_, {}) {
        mesh_.set_clusters(atoms.clusters, stream_);
        sums_.resize(atoms.clusters.size());
        flags_.resize(1);
    }

    Found evaluate(bool with_energy) {
        sums_.zero(stream_);
        flags_.zero(stream_);
        mesh_.launch(stream_, {points_.data(), static_cast<unsigned>(points_.size()), atoms_.box, with_energy,
                               sums_.data(), flags_.data()});
        const std::vector<kernels::ClusterForces> sums = test::from_device(stream_, sums_);
        Found found;
        for (const std::uint32_t slot : atoms_.clusters.slots()) {
            const kernels::ClusterForces& f = sums[slot / cluster_size];
            const std::uint32_t k = slot % cluster_size;
            found.forces.push_back(Vec3d{double(f.x[k]), double(f.y[k]), double(f.z[k])} * (1.0 / 4096.0));
        }
        found.out_of_range = test::from_device(stream_, flags_)[0].out_of_range != 0;
        if (with_energy) mesh_.report(found.energies);
        return found;
    }

  private:
    const test::SomeAtoms& atoms_;
    gpu::Device device_;
    gpu::Stream stream_;
    DeviceMesh mesh_;
    gpu::Buffer<ClusterPoints> points_;
    gpu::Buffer<kernels::ClusterForces> sums_;
    gpu::Buffer<kernels::ForceFlags> flags_;
};

std::vector<Vec3d> forces_of(const ForceSink& sink) {
    std::vector<Vec3d> forces;
    for (std::size_t i = 0; i < sink.size(); ++i) forces.push_back(sink.force(i));
    return forces;
}

// limit: of forces, relative; of energies and virial, related to the energy.
void check(const Found& found, const Evaluated& expected, double limit) {
    const double size = std::abs(expected.energy());
    INFO("force error " << found.relative_error(forces_of(expected.sink)) << ", energy "
                        << found.energy() - expected.energy() << " of " << size);
    CHECK(found.relative_error(forces_of(expected.sink)) < limit);
    CHECK(std::abs(found.energy() - expected.energy()) < limit * size);
    const Mat3d a = found.energies.virial(), b = expected.sink.energies().virial();
    for (std::size_t i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) CHECK(std::abs(a[i][j] - b[i][j]) < limit * size);
    }
    CHECK(!found.out_of_range);
}

std::vector<test::Case> devices() {
    std::vector<test::Case> cases = test::all_cases();
    std::erase_if(cases, [](const test::Case& c) { return c.info.backend == gpu::Backend::host; });
    cases.push_back(test::host_cases(0).front());
    return cases;
}

}  // namespace

TEST_CASE("the mesh of a device agrees with double precision and with the plain Ewald sum", "[device]") {
    const std::vector<Box> boxes{Box::rectangular(2.4, 3.1, 2.7), test::triclinic_box(),
                                 Box::from_lengths_angles({2.9, 2.9, 2.9}, {60, 60, 90})};
    const std::vector<std::array<int, 3>> meshes{{20, 21, 25}, {25, 21, 28}, {32, 27, 35}};
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        const test::SomeAtoms atoms(203, boxes[b]);  // with a net charge
        const std::vector<Vec3d> x = positions(atoms);
        std::vector<double> scaled = atoms.charges;
        for (double& q : scaled) q *= std::sqrt(ke);
        EwaldReciprocal plain(scaled, {beta, 0.0});
        const Evaluated exact(plain, boxes[b], x);
        for (const int order : {4, 5, 6}) {
            mesh::MeshTerm<double> term(settings(order, meshes[b]), atoms.charges);
            const Evaluated expected(term, boxes[b], x);
            for (const test::Case& c : devices()) {
                INFO(c.name << ", box " << b << ", order " << order);
                const Found found = MeshOnDevice(c, atoms, settings(order, meshes[b])).evaluate(true);
                check(found, expected, 3e-6);
                check(found, exact, order == 4 ? 2e-3 : order == 5 ? 5e-4 : 2e-4);
            }
        }
    }
}

TEST_CASE("a mesh of prolates on a device agrees with double precision", "[device]") {
    // With an even and an odd number of points along each axis.
    const std::vector<std::array<int, 3>> meshes{{10, 11, 12}, {9, 12, 11}};
    for (const Box& box : {Box::rectangular(2.4, 3.1, 2.7), test::triclinic_box()}) {
        const test::SomeAtoms atoms(203, box);
        for (const int order : {5, 6, 7, 8}) {
            for (const auto& n : meshes) {
                mesh::MeshTerm<double> term(prolates(order, n), atoms.charges);
                const Evaluated expected(term, box, positions(atoms));
                for (const test::Case& c : devices()) {
                    INFO(c.name << ", order " << order << ", mesh " << n[0] << " x " << n[1] << " x " << n[2]);
                    MeshOnDevice mesh(c, atoms, prolates(order, n));
                    const Found found = mesh.evaluate(true);
                    check(found, expected, 3e-6);
                    CHECK(mesh.evaluate(false).forces == found.forces);
                }
            }
        }
    }
}

TEST_CASE("a coarse mesh of a device agrees with double precision, waves of the highest mode included", "[device]") {
    // The highest mode of an even mesh stands for two wave vectors; which of them is taken shows off the diagonal, and
    // everywhere in a skew box.
    const std::vector<std::array<int, 3>> meshes{{10, 12, 14}, {10, 11, 13}, {9, 12, 13}, {9, 11, 14}, {10, 12, 13}};
    for (const Box& box : {Box::rectangular(2.4, 3.1, 2.7), test::triclinic_box()}) {
        const test::SomeAtoms atoms(75, box);
        for (const auto& n : meshes) {
            mesh::MeshTerm<double> term(settings(4, n), atoms.charges);
            const Evaluated expected(term, box, positions(atoms));
            for (const test::Case& c : devices()) {
                INFO(c.name << ", mesh " << n[0] << " x " << n[1] << " x " << n[2]);
                MeshOnDevice mesh(c, atoms, settings(4, n));
                const Found found = mesh.evaluate(true);
                check(found, expected, 3e-6);
                CHECK(mesh.evaluate(false).forces == found.forces);
            }
        }
    }
}

TEST_CASE("the mesh of a device has the same bits each time and in any order of threads", "[device]") {
    const test::SomeAtoms atoms(75);
    const mesh::MeshSettings s = settings(5, {15, 9, 35});
    std::optional<Found> first;
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        MeshOnDevice mesh(c, atoms, s);
        const Found found = mesh.evaluate(true);
        CHECK(mesh.evaluate(false).forces == found.forces);
        if (c.info.backend != gpu::Backend::host) {
            const Found again = mesh.evaluate(true);
            CHECK(again.energy() == found.energy());
            CHECK(again.energies.virial() == found.energies.virial());
            continue;  // transforms of other libraries
        }
        if (!first) first = found;
        CHECK(found.forces == first->forces);
        CHECK(found.energy() == first->energy());
        CHECK(found.energies.virial() == first->energies.virial());
    }
}

TEST_CASE("too much charge on one point of a device's mesh is reported", "[device]") {
    test::SomeAtoms atoms(75);
    for (auto& p : atoms.points) p = atoms.points[0];
    for (auto& q : atoms.charges) q = 4.0;
    atoms.clusters.gather(atoms.points, 0, atoms.clusters.size());
    const mesh::MeshSettings s = settings(4, {8, 9, 10});
    CHECK(MeshOnDevice(test::host_cases(0).front(), atoms, s).evaluate(false).out_of_range);
    mesh::MeshTerm<float> term(s, atoms.charges);
    CHECK_THROWS_WITH(Evaluated(term, atoms.box, positions(atoms)), Catch::Contains("MD501"));
}

TEST_CASE("a wave vector beyond the range of energies is reported", "[device]") {
    const gpu::Device device(gpu::host_device());
    gpu::Stream stream(device);
    const std::vector<float> ones(8, 1.0f);
    const auto unwindow = test::on_device<float>(device, stream, ones);
    for (const float amplitude : {1.0f, 1e4f}) {
        for (const bool everything : {false, true}) {
            const std::vector<kernels::Complex> waves(5 * 8 * 8, {amplitude, amplitude});
            const auto spectrum = test::on_device<kernels::Complex>(device, stream, waves);
            const auto totals = test::on_device<kernels::WaveTotals>(device, stream, std::array{kernels::WaveTotals{}});
            const auto flags = test::on_device<kernels::ForceFlags>(device, stream, std::array{kernels::ForceFlags{0}});
            kernels::multiply_waves(stream, {spectrum.data(),
                                             8,
                                             8,
                                             8,
                                             0,
                                             8,
                                             0,
                                             5,
                                             unwindow.data(),
                                             unwindow.data(),
                                             unwindow.data(),
                                             {2.0f, 0.0f, 2.0f, 0.0f, 0.0f, 2.0f},
                                             1.0f,
                                             {.gaussian = 0.01f},
                                             everything,
                                             totals.data(),
                                             flags.data()});
            CHECK(test::from_device(stream, flags)[0].out_of_range == (everything && amplitude > 1.0f ? 1 : 0));
        }
    }
}

TEST_CASE("planes turned without a barrier are found to be wrong", "[device]") {
    constexpr unsigned planes = 3, rows = 45, columns = 70;
    std::vector<kernels::Complex> numbers;
    for (unsigned i = 0; i < planes * rows * columns; ++i) numbers.push_back({float(i), 0.5f});
    const auto right = [&](const std::vector<kernels::Complex>& turned) {
        for (unsigned i = 0; i < planes * rows * columns; ++i) {
            const unsigned plane = i / (rows * columns), row = i / columns % rows, column = i % columns;
            if (turned[(plane * columns + column) * rows + row].re != float(i)) return false;
        }
        return true;
    };
    for (const test::Case& c : test::host_cases(5)) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto from = test::on_device<kernels::Complex>(device, stream, numbers);
        const auto to = test::on_device<kernels::Complex>(device, stream, numbers);
        const kernels::TurnPlanesArgs args{from.data(), to.data(), planes, rows, columns};
        kernels::turn_planes(stream, args);
        CHECK(right(test::from_device(stream, to)));
        kernels::turn_planes_without_barrier(stream, args);
        CHECK(!right(test::from_device(stream, to)));
    }
}
