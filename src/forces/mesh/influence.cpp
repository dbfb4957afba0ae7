// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/influence.h"

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
Influence<Real>::Influence(std::array<int, 3> n, int pitch, double coulomb_constant, const Split& split,
                           const Window& window)
    : n_(n), pitch_(pitch), coulomb_constant_(coulomb_constant), split_(split) {
    for (std::size_t a = 0; a < 3; ++a) {
        for (int m = 0; m < n[a]; ++m) number_[a].push_back(signed_mode(m, n[a]));
        const std::vector<double> factors = unwindow(window, n[a]);
        unwindow_[a].assign(factors.begin(), factors.end());
    }
    number_[2].resize(static_cast<std::size_t>(pitch), 0.0);
    unwindow_[2].resize(static_cast<std::size_t>(pitch), 0.0);
    table_.resize(static_cast<std::size_t>(n[0] / 2 + 1) * static_cast<std::size_t>(n[1]) *
                  static_cast<std::size_t>(pitch));
}

template <class Real>
WavePlane Influence<Real>::plane(int kx) const {
    return {n_, pitch_, number_[0][static_cast<std::size_t>(kx)], reciprocal_, number_[1].data(), number_[2].data()};
}

template <class Real>
void Influence<Real>::set_box(const Box& box) {
    if (box == box_) return;
    MDSIM_EXPECT(box.periodic());
    box_ = box;
    reciprocal_ = reciprocal_matrix(box);
    const double scale = influence_scale(box, coulomb_constant_) * spectrum_unit<Real>();
    parallel_ranges(static_cast<std::size_t>(n_[0] / 2 + 1), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t kx = begin; kx < end; ++kx) {
            const int k = static_cast<int>(kx);
            fill_influence<Real>(plane(k), split_, scale * unwindow_[0][kx], unwindow_[1].data(), unwindow_[2].data(),
                                 row(k));
        }
    });
}

template <class Real>
void Influence<Real>::apply(int kx, std::complex<Real>* spectrum) const {
    multiply<Real>(plane(kx), row(kx), spectrum);
}

template <class Real>
void Influence<Real>::apply_with_energy(int kx, std::complex<Real>* spectrum, WaveSums& sums) const {
    // Planes between the first and the Nyquist plane stand for -kx as well.
    const double copies = kx == 0 || 2 * kx == n_[0] ? 1.0 : 2.0;
    multiply_with_energy<Real>(plane(kx), split_, 0.5 * copies * spectrum_unit<Real>(), row(kx), spectrum, sums);
}

template class Influence<float>;
template class Influence<double>;

}  // namespace mdsim::mesh
