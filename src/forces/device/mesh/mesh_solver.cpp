// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_solver.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "core/error.h"
#include "forces/mesh/influence.h"
#include "gpu/kernels/mesh/half_spectrum.h"
#include "gpu/kernels/mesh/plane_turning.h"
#include "gpu/kernels/mesh/row_packing.h"

namespace mdsim {

using gpu::Direction;
using kernels::WaveTotals;

namespace {

constexpr gpu::Work spectrum_work{"array of the spectrum", "the mesh"};
constexpr gpu::Work table_work{"table of the window", "the mesh"};
constexpr gpu::Work totals_work{"sums over wave vectors", "the mesh"};

// The layout is that of std::complex, which kernels do not know.
kernels::Complex* as_kernels_know(std::complex<float>* numbers) {
    return reinterpret_cast<kernels::Complex*>(numbers);
}

std::array<float, 6> narrow(const std::array<double, 6>& values) {
    std::array<float, 6> narrowed{};
    std::transform(values.begin(), values.end(), narrowed.begin(), [](double v) { return static_cast<float>(v); });
    return narrowed;
}

}  // namespace

MeshSolver::MeshSolver(const gpu::Device& device, const mesh::MeshSettings& settings)
    : settings_(settings),
      nx_(static_cast<unsigned>(settings.mesh[0])),
      ny_(static_cast<unsigned>(settings.mesh[1])),
      nz_(static_cast<unsigned>(settings.mesh[2])),
      rows_(nx_ * ny_),
      half_(nz_ / 2 + 1),
      along_x_(device, settings.mesh[0], half_ * ny_),
      along_y_(device, settings.mesh[1], half_ * nx_),
      along_z_(device, settings.mesh[2], kernels::row_pairs(rows_)),
      spectrum_(device, spectrum_work),
      unwindow_{{{device, table_work}, {device, table_work}, {device, table_work}}},
      totals_(device, totals_work),
      downloaded_(device, totals_work) {
    spectrum_.resize(std::max({along_x_.padded(half_ * ny_) * nx_, along_y_.padded(half_ * nx_) * ny_,
                               along_z_.padded(kernels::row_pairs(rows_)) * nz_}));
    totals_.resize(1);
    downloaded_.resize(1);
    gpu::Stream stream(device);
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double> factors = mesh::unwindow(settings.window, settings.mesh[a]);
        const std::vector<float> narrowed(factors.begin(), factors.end());
        unwindow_[a].fill(stream, narrowed);
    }
    stream.finish();
}

// Forward transforms go from the first array to the second, backward ones the other way, and the kernels between them
// bring the numbers back.
void MeshSolver::launch(gpu::Stream& stream, const Run& run) {
    const unsigned along_x = half_ * ny_, along_y = half_ * nx_, along_z = kernels::row_pairs(rows_);
    kernels::Complex *const first = as_kernels_know(run.potential), *const second = as_kernels_know(spectrum_.data());
    const auto forward = [&](const gpu::FftLines<float>& fft, std::size_t lines) {
        fft.run(stream, Direction::forward, run.potential, spectrum_.data(), lines);
    };
    const auto backward = [&](const gpu::FftLines<float>& fft, std::size_t lines) {
        fft.run(stream, Direction::backward, spectrum_.data(), run.potential, lines);
    };
    kernels::pack_rows(stream, {run.grid, first, rows_, nz_, run.flags});
    forward(along_z_, along_z);
    kernels::split_rows(stream, {second, first, rows_, nz_});
    forward(along_y_, along_y);
    kernels::turn_planes(stream, {second, first, half_, nx_, ny_});
    forward(along_x_, along_x);
    multiply(stream, run);
    backward(along_x_, along_x);
    kernels::turn_planes(stream, {first, second, half_, ny_, nx_});
    backward(along_y_, along_y);
    kernels::merge_rows(stream, {second, first, rows_, nz_});
    backward(along_z_, along_z);
}

void MeshSolver::multiply(gpu::Stream& stream, const Run& run) {
    kernels::MultiplyWavesArgs args;
    args.spectrum = as_kernels_know(spectrum_.data());
    args.nx = settings_.mesh[0];
    args.ny = settings_.mesh[1];
    args.nz = settings_.mesh[2];
    args.unwindow_x = unwindow_[0].data();
    args.unwindow_y = unwindow_[1].data();
    args.unwindow_z = unwindow_[2].data();
    args.reciprocal = narrow(mesh::reciprocal_matrix(run.box));
    args.scale = static_cast<float>(mesh::influence_scale(run.box, settings_.coulomb_constant));
    args.gaussian = static_cast<float>(-std::get<mesh::GaussianSplit>(settings_.split).exponent_scale());
    args.everything = run.with_energy;
    args.totals = totals_.data();
    args.flags = run.flags;
    if (run.with_energy) totals_.zero(stream);
    kernels::multiply_waves(stream, args);
}

void MeshSolver::download_sums(gpu::Stream& stream) {
    totals_.download(stream, downloaded_);
}

void MeshSolver::report(EnergySums& energies) const {
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
