// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/influence.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/units.h"
#include "parallel/threads.h"

namespace mdsim::mesh {

namespace {

// The transform of the charge grid is twice the sum, and the grid is in units of 2^-charge_bits e.
template <class Real>
double spectrum_unit() {
    return std::ldexp(1.0, -(charge_bits<Real> + 1));
}

}  // namespace

std::vector<double> unwindow(const Window& window, int n) {
    std::vector<double> factors;
    for (int m = 0; m < n; ++m) {
        const double transform = window.transform(2.0 * units::pi * signed_mode(m, n) / n);
        factors.push_back(1.0 / (transform * transform));
    }
    return factors;
}

std::array<double, 6> reciprocal_matrix(const Box& box) {
    const Mat3d& h = box.rows();
    const double ix = 1.0 / h[0].x, iy = 1.0 / h[1].y, iz = 1.0 / h[2].z;
    std::array<double, 6> reciprocal{
        ix, -h[1].x * ix * iy, iy, (h[1].x * h[2].y - h[2].x * h[1].y) * ix * iy * iz, -h[2].y * iy * iz, iz};
    for (double& r : reciprocal) r *= 2.0 * units::pi;
    return reciprocal;
}

double influence_scale(const Box& box, double coulomb_constant) {
    return 4.0 * units::pi * coulomb_constant / box.volume();
}

template <class Real>
Influence<Real>::Influence(std::array<int, 3> n, const SpectrumPart& part, double coulomb_constant, const Split& split,
                           const Window& window)
    : n_(n), part_(part), coulomb_constant_(coulomb_constant), split_(split) {
    for (std::size_t a = 0; a < 3; ++a) {
        for (int m = 0; m < n[a]; ++m) number_[a].push_back(signed_mode(m, n[a]));
        const std::vector<double> factors = unwindow(window, n[a]);
        unwindow_[a].assign(factors.begin(), factors.end());
    }
    const auto pitch = static_cast<std::size_t>(part.pitch);
    number_[2].resize(pitch, 0.0);
    unwindow_[2].resize(pitch, 0.0);
    table_.resize(static_cast<std::size_t>(part.kx.size()) * static_cast<std::size_t>(part.ky.size()) * pitch);
}

template <class Real>
WavePlane Influence<Real>::plane(const SpectrumRows& rows) const {
    return {{n_[0], rows.count, n_[2]},  part_.pitch,      number_[0][static_cast<std::size_t>(rows.kx)], reciprocal_,
            number_[1].data() + rows.ky, number_[2].data()};
}

template <class Real>
std::ptrdiff_t Influence<Real>::place(const SpectrumRows& rows) const {
    const std::ptrdiff_t planes = rows.kx - part_.kx.begin;
    return (planes * part_.ky.size() + rows.ky - part_.ky.begin) * part_.pitch;
}

template <class Real>
void Influence<Real>::set_box(const Box& box) {
    if (box == box_) return;
    MDSIM_EXPECT(box.periodic());
    box_ = box;
    reciprocal_ = reciprocal_matrix(box);
    const double scale = influence_scale(box, coulomb_constant_) * spectrum_unit<Real>();
    const auto rows = static_cast<std::size_t>(part_.ky.size());
    parallel_ranges(static_cast<std::size_t>(part_.kx.size()) * rows, [&](int, std::size_t begin, std::size_t end) {
        while (begin < end) {
            const std::size_t count = std::min(end - begin, rows - begin % rows);
            const SpectrumRows some{part_.kx.begin + static_cast<int>(begin / rows),
                                    part_.ky.begin + static_cast<int>(begin % rows), static_cast<int>(count)};
            fill_influence<Real>(plane(some), split_, scale * unwindow_[0][static_cast<std::size_t>(some.kx)],
                                 unwindow_[1].data() + some.ky, unwindow_[2].data(), table_.data() + place(some));
            begin += count;
        }
    });
}

template <class Real>
void Influence<Real>::apply(const SpectrumRows& rows, std::complex<Real>* spectrum, WaveSums* sums) const {
    const Real* influence = table_.data() + place(rows);
    if (sums == nullptr) return multiply<Real>(plane(rows), influence, spectrum);
    // Planes between the first and the Nyquist plane stand for -kx as well.
    const double copies = rows.kx == 0 || 2 * rows.kx == n_[0] ? 1.0 : 2.0;
    multiply_with_energy<Real>(plane(rows), split_, 0.5 * copies * spectrum_unit<Real>(), influence, spectrum, *sums);
}

template class Influence<float>;
template class Influence<double>;

}  // namespace mdsim::mesh
