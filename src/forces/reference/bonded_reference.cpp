// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/bonded_reference.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace mdsim {

namespace {

constexpr double pi = std::numbers::pi;

/// Distances and angles of the atoms, by number.
struct Measures {
    std::span<const Vec3d> x;

    Vec3d from_to(int i, int j) const { return x[static_cast<std::size_t>(j)] - x[static_cast<std::size_t>(i)]; }
    /// IUPAC: 0 is cis, positive clockwise seen along j-k.
    double dihedral(int i, int j, int k, int l) const {
        const Vec3d a = from_to(i, j), b = from_to(j, k), c = from_to(k, l);
        return std::atan2(norm(b) * dot(a, cross(b, c)), dot(cross(a, b), cross(b, c)));
    }
};

/// The periodic cubic spline through values at 0, 1, ... n - 1, at a place in [0, n), by its second derivatives m:
/// m[i-1] + 4 m[i] + m[i+1] = 6 (y[i-1] - 2 y[i] + y[i+1]), repeated until nothing changes any more.
double spline(const std::vector<double>& y, double place) {
    const std::size_t n = y.size();
    std::vector<double> m(n, 0.0);
    for (int round = 0; round < 60; ++round) {
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
            m[i] = (6.0 * (y[before] - 2.0 * y[i] + y[after]) - m[before] - m[after]) / 4.0;
        }
    }
    const double t = place - std::floor(place), s = 1.0 - t;
    const std::size_t low = static_cast<std::size_t>(place) % n, high = (low + 1) % n;
    return s * y[low] + t * y[high] + ((s * s * s - s) * m[low] + (t * t * t - t) * m[high]) / 6.0;
}

/// Splines along the second angle, then one through their values along the first.
double cmap_energy(const CmapGrid& grid, double first, double second) {
    const auto n = static_cast<std::size_t>(grid.size);
    const auto place = [&](double angle) { return (angle + pi) / (2.0 * pi) * grid.size; };
    std::vector<double> across;
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = grid.energy.begin() + static_cast<std::ptrdiff_t>(i * n);
        across.push_back(spline({row, row + grid.size}, place(second)));
    }
    return spline(across, place(first));
}

}  // namespace

std::array<double, term_count> BondedReference::energies(std::span<const Vec3d> x) const {
    std::array<double, term_count> out{};
    const auto energy = [&](Term term) -> double& { return out[static_cast<std::size_t>(term)]; };
    const Measures at{x};
    for (const Cmap& t : terms_.cmaps) {
        const auto& n = t.atoms;
        energy(Term::cmap) += cmap_energy(cmap_grids_[static_cast<std::size_t>(t.grid)],
                                          at.dihedral(n[0], n[1], n[2], n[3]), at.dihedral(n[4], n[5], n[6], n[7]));
    }
    return out;
}

}  // namespace mdsim
