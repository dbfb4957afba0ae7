// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_solver.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "core/error.h"
#include "forces/mesh/influence.h"
#include "forces/mesh/ranks/mesh_route.h"
#include "gpu/kernels/mesh/half_spectrum.h"
#include "gpu/kernels/mesh/plane_turning.h"
#include "gpu/kernels/mesh/row_packing.h"

namespace mdsim {

using gpu::Direction;
using kernels::plane_pairs;
using kernels::WaveTotals;

namespace {

constexpr gpu::Work grid_work{"mesh of charges", "the mesh"};
constexpr gpu::Work spectrum_work{"array of the spectrum", "the mesh"};
constexpr gpu::Work table_work{"table of the window", "the mesh"};
constexpr gpu::Work totals_work{"sums over wave vectors", "the mesh"};

std::size_t product(int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}
unsigned count(mesh::Stretch s) {
    return static_cast<unsigned>(s.size());
}

template <std::size_t n>
std::array<float, n> narrow(const std::array<double, n>& values) {
    std::array<float, n> narrowed{};
    std::transform(values.begin(), values.end(), narrowed.begin(), [](double v) { return static_cast<float>(v); });
    return narrowed;
}

kernels::WaveSplit for_kernels(const mesh::GaussianSplit& split) {
    return {.gaussian = static_cast<float>(-split.exponent_scale())};
}
kernels::WaveSplit for_kernels(const mesh::ProlateSplit& split) {
    return {.largest_k2 = static_cast<float>(split.largest_k2),
            .scale = static_cast<float>(2.0 / split.largest_k2),
            .polynomial = narrow(split.gamma)};
}

}  // namespace

MeshSolver::MeshSolver(const gpu::Device& device, const mesh::MeshSettings& settings, const mesh::Pencils& p, int tile)
    : settings_(settings),
      split_(std::visit([](const auto& split) { return for_kernels(split); }, settings.split)),
      x_(p.points_z(tile % p.second)),
      y_(p.y(tile / p.second)),
      kz_(p.kx(tile / p.second)),
      ky_(p.ky(tile % p.second)),
      range_(range_of(along_lines(mesh::tile_nodes(p, tile)), settings.mesh)),
      along_x_(device, settings.mesh[0], product(p.planes(), p.n[1]), lines_along_x()),
      along_y_(device, settings.mesh[1], product(p.planes(), p.n[2]), lines_along_y()),
      along_z_(device, settings.mesh[2], product((p.n[2] + 1) / 2, p.n[1]), lines_along_z()),
      grid_(device, grid_work),
      arrays_{{{device, spectrum_work}, {device, spectrum_work}}},
      unwindow_{{{device, table_work}, {device, table_work}, {device, table_work}}},
      totals_(device, totals_work),
      downloaded_(device, totals_work) {
    MDSIM_EXPECT(p.n == along_lines(settings.mesh) && p.from_y == 0 && p.from_z == 0);
    prepare(device);
}

void MeshSolver::prepare(const gpu::Device& device) {
    const auto room_for = [](const gpu::FftLines<float>& fft, std::size_t lines) {
        return fft.padded(lines) * static_cast<std::size_t>(fft.length());
    };
    const std::size_t spectrum = product(range_.mesh[2] / 2 + 1, x_.size()) * static_cast<std::size_t>(y_.size());
    for (gpu::Buffer<std::complex<float>>& array : arrays_) {
        array.resize(std::max({room_for(along_x_, lines_along_x()), room_for(along_y_, lines_along_y()),
                               room_for(along_z_, lines_along_z()), spectrum}));
    }
    grid_.resize(range_.extent());
    totals_.resize(1);
    downloaded_.resize(1);
    gpu::Stream stream(device);
    grid_.zero(stream);
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double> factors = mesh::unwindow(settings_.window, settings_.mesh[a]);
        const std::vector<float> narrowed(factors.begin(), factors.end());
        unwindow_[a].fill(stream, narrowed);
    }
    stream.finish();
}

std::size_t MeshSolver::lines_along_z() const {
    return std::size_t{plane_pairs(count(x_))} * count(y_);
}
std::size_t MeshSolver::lines_along_y() const {
    return product(kz_.size(), x_.size());
}
std::size_t MeshSolver::lines_along_x() const {
    return product(kz_.size(), ky_.size());
}

kernels::Complex* MeshSolver::array(std::size_t i) const {
    return reinterpret_cast<kernels::Complex*>(arrays_[i].data());
}

void MeshSolver::transform(gpu::Stream& stream, const gpu::FftLines<float>& fft, Direction direction,
                           std::size_t lines) {
    fft.run(stream, direction, arrays_[now_].data(), arrays_[1 - now_].data(), lines);
    turned();
}

// Each transform brings the numbers from one array to the other, and a kernel brings them back.
void MeshSolver::forward_z(gpu::Stream& stream, kernels::ForceFlags* flags) {
    const auto numbers_of_lines = static_cast<unsigned>(range_.extent() / 2);
    now_ = 0;
    kernels::pack_rows(stream, {grid_.data(), numbers(), numbers_of_lines, flags});
    transform(stream, along_z_, Direction::forward, lines_along_z());
    kernels::split_rows(stream, {numbers(), others(), count(x_), count(y_), static_cast<unsigned>(range_.mesh[2])});
    turned();
}

void MeshSolver::forward_y(gpu::Stream& stream) {
    transform(stream, along_y_, Direction::forward, lines_along_y());
    kernels::turn_planes(stream, {numbers(), others(), count(kz_), count(x_), static_cast<unsigned>(range_.mesh[1])});
    turned();
}

void MeshSolver::along_x(gpu::Stream& stream, const MeshRun& run) {
    transform(stream, along_x_, Direction::forward, lines_along_x());
    multiply(stream, run);
    transform(stream, along_x_, Direction::backward, lines_along_x());
}

void MeshSolver::backward_y(gpu::Stream& stream) {
    kernels::turn_planes(stream, {numbers(), others(), count(kz_), static_cast<unsigned>(range_.mesh[1]), count(x_)});
    turned();
    transform(stream, along_y_, Direction::backward, lines_along_y());
}

void MeshSolver::backward_z(gpu::Stream& stream) {
    kernels::merge_rows(stream, {others(), numbers(), count(x_), count(y_), static_cast<unsigned>(range_.mesh[2])});
    turned();
    transform(stream, along_z_, Direction::backward, lines_along_z());
    MDSIM_EXPECT(now_ == 0);
}

void MeshSolver::multiply(gpu::Stream& stream, const MeshRun& run) {
    kernels::MultiplyWavesArgs args;
    args.spectrum = numbers();
    args.nx = settings_.mesh[0];
    args.ny = settings_.mesh[1];
    args.nz = settings_.mesh[2];
    args.first_y = ky_.begin;
    args.count_y = ky_.size();
    args.first_z = kz_.begin;
    args.count_z = kz_.size();
    args.unwindow_x = unwindow_[0].data();
    args.unwindow_y = unwindow_[1].data();
    args.unwindow_z = unwindow_[2].data();
    args.reciprocal = narrow(mesh::reciprocal_matrix(run.box));
    args.scale = static_cast<float>(mesh::influence_scale(run.box, settings_.coulomb_constant));
    args.split = split_;
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
