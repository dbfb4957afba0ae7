// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/bonded_reference.h"

#include <algorithm>
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
    double distance(int i, int j) const { return norm(from_to(i, j)); }
    static double angle_between(const Vec3d& a, const Vec3d& b) { return std::acos(dot(a, b) / (norm(a) * norm(b))); }
    double angle(int i, int j, int k) const { return angle_between(from_to(j, i), from_to(j, k)); }
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

double square(double value) {
    return value * value;
}

/// sum over n of c[n] x^n
double series(const double* c, int terms, double x) {
    double sum = 0.0;
    for (int n = 0; n < terms; ++n) sum += c[n] * std::pow(x, n);
    return sum;
}

/// k (1 + cos(n angle - phase)) with the phase by its cosine and sine.
double periodic(const double* p, double angle) {
    return p[0] * (1.0 + std::cos(p[1] * angle - std::atan2(p[3], p[2])));
}

double energy_of(const TwoAtomTerm& t, const Measures& at) {
    const auto& p = t.p;
    const double r = at.distance(t.i, t.j);
    switch (t.form) {
        case TwoAtomForm::morse:
            return p[0] * square(1.0 - std::exp(-p[1] * (r - p[2])));
        case TwoAtomForm::cubic:
            return p[0] * square(r - p[1]) + p[0] * p[2] * std::pow(r - p[1], 3);
        case TwoAtomForm::fene:
            return -0.5 * p[0] * square(p[1]) * std::log(1.0 - square(r / p[1]));
        case TwoAtomForm::flat_bottomed:
            if (r > p[3]) return p[0] * (p[3] - p[2]) * (0.5 * (p[3] - p[2]) + r - p[3]);
            return 0.5 * p[0] * square(r < p[1] ? r - p[1] : r > p[2] ? r - p[2] : 0.0);
        case TwoAtomForm::angle_with_z:
            break;
    }
    return periodic(p.data(), Measures::angle_between(at.from_to(t.i, t.j), {0.0, 0.0, 1.0}));
}

double energy_of(const ThreeAtomTerm& t, const Measures& at) {
    const auto& p = t.p;
    const double ij = at.distance(t.i, t.j), kj = at.distance(t.k, t.j), ik = at.distance(t.i, t.k);
    const double theta = at.angle(t.i, t.j, t.k);
    switch (t.form) {
        case ThreeAtomForm::bond_bond:
            return p[0] * (ij - p[1]) * (kj - p[2]);
        case ThreeAtomForm::bond_angle:
            return p[0] * (ik - p[3]) * (ij - p[1] + kj - p[2]);
        case ThreeAtomForm::quartic:
            return series(&p[1], 5, theta - p[0]);
        case ThreeAtomForm::linear:
            return 0.5 * p[0] * norm2(p[1] * at.from_to(t.j, t.i) + (1.0 - p[1]) * at.from_to(t.j, t.k));
        case ThreeAtomForm::restricted:
            break;
    }
    return 0.5 * p[0] * square((std::cos(theta) - p[1]) / std::sin(theta));
}

double energy_of(const FourAtomTerm& t, const Measures& at) {
    const auto& p = t.p;
    const double phi = at.dihedral(t.i, t.j, t.k, t.l);
    switch (t.form) {
        case FourAtomForm::restricted:
            return 0.5 * p[0] * square((std::cos(phi) - p[1]) / std::sin(phi));
        case FourAtomForm::bending_torsion:
            return std::pow(std::sin(at.angle(t.i, t.j, t.k)) * std::sin(at.angle(t.j, t.k, t.l)), 3) *
                   series(p.data(), 5, std::cos(phi));
        case FourAtomForm::flat_bottomed:
            return 0.5 * p[0] * square(std::max(0.0, std::abs(std::remainder(phi - p[1], 2.0 * pi)) - p[2]));
        case FourAtomForm::vector_angle:
            break;
    }
    return periodic(p.data(), Measures::angle_between(at.from_to(t.i, t.j), at.from_to(t.k, t.l)));
}

bool is_restraint(const TwoAtomTerm& t) {
    return t.form == TwoAtomForm::flat_bottomed || t.form == TwoAtomForm::angle_with_z;
}
bool is_restraint(const FourAtomTerm& t) {
    return t.form == FourAtomForm::flat_bottomed || t.form == FourAtomForm::vector_angle;
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
    for (const TwoAtomTerm& t : terms_.two_atom_terms) {
        energy(is_restraint(t) ? Term::restraint : Term::bond) += energy_of(t, at);
    }
    for (const ThreeAtomTerm& t : terms_.three_atom_terms) energy(Term::angle) += energy_of(t, at);
    for (const FourAtomTerm& t : terms_.four_atom_terms) {
        energy(is_restraint(t) ? Term::restraint : Term::proper_dihedral) += energy_of(t, at);
    }
    for (const Pair14& t : terms_.plain_pairs) {
        const double r = at.distance(t.i, t.j);
        energy(Term::lj_sr) += t.lj.c12 / std::pow(r, 12) - t.lj.c6 / std::pow(r, 6);
        energy(Term::coulomb_real) += coulomb_constant_ * t.charge_product / r;
    }
    return out;
}

}  // namespace mdsim
