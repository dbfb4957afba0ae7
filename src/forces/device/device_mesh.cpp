// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_mesh.h"

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "forces/mesh/influence.h"
#include "gpu/kernels/mesh/charge_spreading.h"
#include "gpu/kernels/mesh/force_gathering.h"
#include "gpu/kernels/mesh/half_spectrum.h"
#include "gpu/kernels/mesh/plane_turning.h"
#include "gpu/kernels/mesh/row_packing.h"
#include "parallel/threads.h"
#include "physics/mesh_window.h"

namespace mdsim {

using gpu::Direction;
using kernels::WaveTotals;

namespace {

constexpr gpu::Work charges_work{"charges of atoms", "the mesh"};
constexpr gpu::Work grid_work{"mesh of charges", "the mesh"};
constexpr gpu::Work numbers_work{"array of the spectrum", "the mesh"};
constexpr gpu::Work table_work{"table of the window", "the mesh"};
constexpr gpu::Work totals_work{"sums over wave vectors", "the mesh"};

std::array<float, 6> narrow(const std::array<double, 6>& values) {
    std::array<float, 6> narrowed{};
    std::transform(values.begin(), values.end(), narrowed.begin(), [](double v) { return static_cast<float>(v); });
    return narrowed;
}

}  // namespace

DeviceMesh::DeviceMesh(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges)
    : settings_(settings),
      charges_(charges.begin(), charges.end()),
      nx_(static_cast<unsigned>(settings.mesh[0])),
      ny_(static_cast<unsigned>(settings.mesh[1])),
      nz_(static_cast<unsigned>(settings.mesh[2])),
      rows_(nx_ * ny_),
      half_(nz_ / 2 + 1),
      along_x_(device, settings.mesh[0], half_ * ny_),
      along_y_(device, settings.mesh[1], half_ * nx_),
      along_z_(device, settings.mesh[2], kernels::row_pairs(rows_)),
      slot_charges_(device, charges_work),
      grid_(device, grid_work),
      numbers_{{{device, numbers_work}, {device, numbers_work}}},
      unwindow_{{{device, table_work}, {device, table_work}, {device, table_work}}},
      totals_(device, totals_work),
      downloaded_(device, totals_work) {
    MDSIM_EXPECT(*std::min_element(settings.mesh.begin(), settings.mesh.end()) >= 8);
    MDSIM_EXPECT(std::size_t{rows_} * nz_ < (std::size_t{1} << 31));
    const std::size_t extent = std::max({along_x_.padded(half_ * ny_) * nx_, along_y_.padded(half_ * nx_) * ny_,
                                         along_z_.padded(kernels::row_pairs(rows_)) * nz_});
    for (auto& numbers : numbers_) numbers.resize(extent);
    grid_.resize(std::size_t{nx_} * ny_ * nz_);
    totals_.resize(1);
    downloaded_.resize(1);
    gpu::Stream stream(device);
    grid_.zero(stream);
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double> factors = mesh::unwindow(settings.window, settings.mesh[a]);
        const std::vector<float> narrowed(factors.begin(), factors.end());
        unwindow_[a].fill(stream, narrowed);
    }
    stream.finish();
}

void DeviceMesh::set_clusters(const Clusters& clusters, gpu::Stream& stream) {
    std::vector<float> charges(clusters.atoms().size(), 0.0f);
    parallel_ranges(charges.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            if (clusters.real(slot)) charges[slot] = static_cast<float>(charges_[clusters.atoms()[slot]]);
        }
    });
    slot_charges_.fill(stream, charges);
}

void DeviceMesh::launch(gpu::Stream& stream, const Run& run) {
    MDSIM_EXPECT(std::size_t{run.cluster_count} * cluster_size == slot_charges_.size());
    spread(stream, run);
    solve(stream, run);
    gather(stream, run);
    if (run.with_energy) totals_.download(stream, downloaded_);
}

void DeviceMesh::spread(gpu::Stream& stream, const Run& run) {
    const auto [nx, ny, nz] = settings_.mesh;
    kernels::spread_charges(stream, {run.points, slot_charges_.data(), run.cluster_count, settings_.window.order, nx,
                                     ny, nz, grid_.data()});
}

// Forward transforms go from the first array to the second, backward ones the other way, and the kernels between them
// bring the numbers back.
void DeviceMesh::solve(gpu::Stream& stream, const Run& run) {
    const unsigned along_x = half_ * ny_, along_y = half_ * nx_, along_z = kernels::row_pairs(rows_);
    kernels::Complex *const first = numbers(0), *const second = numbers(1);
    kernels::pack_rows(stream, {grid_.data(), first, rows_, nz_, run.flags});
    transform(stream, along_z_, Direction::forward, along_z);
    kernels::split_rows(stream, {second, first, rows_, nz_});
    transform(stream, along_y_, Direction::forward, along_y);
    kernels::turn_planes(stream, {second, first, half_, nx_, ny_});
    transform(stream, along_x_, Direction::forward, along_x);
    multiply(stream, run);
    transform(stream, along_x_, Direction::backward, along_x);
    kernels::turn_planes(stream, {first, second, half_, ny_, nx_});
    transform(stream, along_y_, Direction::backward, along_y);
    kernels::merge_rows(stream, {second, first, rows_, nz_});
    transform(stream, along_z_, Direction::backward, along_z);
}

void DeviceMesh::multiply(gpu::Stream& stream, const Run& run) {
    kernels::MultiplyWavesArgs args;
    args.spectrum = numbers(1);
    args.nx = settings_.mesh[0];
    args.ny = settings_.mesh[1];
    args.nz = settings_.mesh[2];
    args.unwindow_x = unwindow_[0].data();
    args.unwindow_y = unwindow_[1].data();
    args.unwindow_z = unwindow_[2].data();
    args.reciprocal = narrow(mesh::reciprocal_matrix(run.box));
    args.scale = static_cast<float>(mesh::influence_scale(run.box, settings_.coulomb_constant));
    const auto take = [&](const mesh::GaussianSplit& split) {
        args.gaussian = static_cast<float>(-split.exponent_scale());
    };
    std::visit(take, settings_.split);
    args.everything = run.with_energy;
    args.totals = totals_.data();
    args.flags = run.flags;
    if (run.with_energy) totals_.zero(stream);
    kernels::multiply_waves(stream, args);
}

void DeviceMesh::gather(gpu::Stream& stream, const Run& run) {
    kernels::GatherForcesArgs args;
    args.clusters = run.points;
    args.charges = slot_charges_.data();
    args.cluster_count = run.cluster_count;
    args.order = settings_.window.order;
    args.nx = settings_.mesh[0];
    args.ny = settings_.mesh[1];
    args.nz = settings_.mesh[2];
    args.potential = reinterpret_cast<const float*>(numbers_[0].data());
    args.matrix = narrow(physics::mesh_force_matrix(run.box.rows(), settings_.mesh));
    args.forces = run.forces;
    args.flags = run.flags;
    kernels::gather_forces(stream, args);
}

void DeviceMesh::transform(gpu::Stream& stream, const gpu::FftLines<float>& fft, Direction direction,
                           std::size_t lines) {
    const bool forward = direction == Direction::forward;
    fft.run(stream, direction, numbers_[forward ? 0 : 1].data(), numbers_[forward ? 1 : 0].data(), lines);
}

// Complex has the layout of std::complex, which kernels do not know.
kernels::Complex* DeviceMesh::numbers(std::size_t which) const {
    return reinterpret_cast<kernels::Complex*>(numbers_[which].data());
}

void DeviceMesh::report(EnergySums& energies) const {
    const WaveTotals& totals = downloaded_[0];
    const auto add = [&](fixed::EnergySum& sum, WaveTotals::Index i) {
        sum.add_wide(totals.low[i] + (static_cast<fixed::EnergySum::Wide>(totals.high[i]) << 32));
    };
    add(energies[Term::coulomb_recip], WaveTotals::energy);
    struct Component {
        WaveTotals::Index index;
        int a, b;
    };
    constexpr std::array<Component, 6> lower{{{WaveTotals::xx, 0, 0},
                                              {WaveTotals::yx, 1, 0},
                                              {WaveTotals::yy, 1, 1},
                                              {WaveTotals::zx, 2, 0},
                                              {WaveTotals::zy, 2, 1},
                                              {WaveTotals::zz, 2, 2}}};
    for (const Component& c : lower) {
        add(energies.virial(c.a, c.b), c.index);
        if (c.a != c.b) add(energies.virial(c.b, c.a), c.index);
    }
}

}  // namespace mdsim
