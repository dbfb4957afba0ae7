// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>
#include <omp.h>

#include "forces/force_term.h"

/// What every term of the potential must hold, whatever it is.
namespace mdsim::test {

/// Has a term work on atoms that are all at home.
inline void assign(HostTerm& term, const LocalTerms& terms, const std::vector<double>& charges = {},
                   const std::vector<std::vector<Vec3d>>& references = {}) {
    LocalAtoms atoms;
    atoms.home = references.empty() ? charges.size() : references.front().size();
    LocalParameters parameters;
    parameters.charge = charges;
    term.assign({atoms, terms, parameters, references});
}

struct Outcome {
    std::vector<Vec3l> units;
    std::vector<Vec3d> forces;
    EnergySums sums;
};

inline Outcome evaluate(HostTerm& term, const Box& box, const std::vector<Vec3d>& x, int threads = 1,
                        Need wanted = Need::yes) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const Lattice lattice(box, x);
    std::vector<LatticePoint> points(x.size());
    lattice.points(x, points);
    const Evaluation evaluation{box, lattice, x, points, {0, wanted, wanted}};
    ForceSink sink;
    sink.resize(x.size(), threads);
    sink.begin();
    term.rebuild(evaluation);
    term.compute_home(evaluation, sink);
    term.compute(evaluation, sink);
    sink.finish();
    omp_set_num_threads(before);
    Outcome out{{sink.forces().begin(), sink.forces().end()}, {}, sink.energies()};
    for (std::size_t i = 0; i < x.size(); ++i) out.forces.push_back(sink.force(i));
    return out;
}

inline double energy(HostTerm& term, const Box& box, const std::vector<Vec3d>& x) {
    return evaluate(term, box, x).sums.potential();
}

/// f = -dE/dx by five-point central differences. Energies are whole multiples of 2^-32 kJ/mol, so with h = 1e-4 nm the
/// difference carries some 1e-5 kJ/mol/nm of rounding. `step`: smaller where the potential is steep.
inline void check_slope(HostTerm& term, const Box& box, const std::vector<Vec3d>& x, double step = 1e-4) {
    const Outcome at = evaluate(term, box, x);
    double largest = 0.0;
    for (const Vec3d& f : at.forces) largest = std::max(largest, norm(f));
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (int a = 0; a < 3; ++a) {
            const auto moved = [&](double by) {
                auto y = x;
                y[i][a] += by;
                return energy(term, box, y);
            };
            const double slope =
                (moved(-2 * step) - 8 * moved(-step) + 8 * moved(step) - moved(2 * step)) / (12 * step);
            INFO("atom " << i << " axis " << a);
            CHECK(at.forces[i][a] == Approx(-slope).margin(2e-9 / step + 2e-7 * largest));
        }
    }
}

/// Forces sum to zero exactly.
inline void check_newton(HostTerm& term, const Box& box, const std::vector<Vec3d>& x) {
    Vec3l sum{};
    for (const Vec3l& f : evaluate(term, box, x).units) sum += f;
    CHECK(sum == Vec3l{});
}

/// x and box under the strain e_ab: every vector d becomes d_a + e d_b. a <= b keeps the box lower triangular.
inline std::vector<Vec3d> strained(std::vector<Vec3d> x, int a, int b, double e) {
    for (Vec3d& r : x) r[a] += e * r[b];
    return x;
}
inline Box strained(const Box& box, int a, int b, double e) {
    if (!box.periodic()) return box;
    Mat3d m{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    m[static_cast<std::size_t>(b)][a] += e;
    return box.transformed(m);
}

/// W_ab = -dE/de_ab for a <= b, and W symmetric where the energy does not change with a rotation.
inline void check_virial(HostTerm& term, const Box& box, const std::vector<Vec3d>& x, bool symmetric = true,
                         double step = 1e-4) {
    const Mat3d w = evaluate(term, box, x).sums.virial();
    double size = 0.0;
    for (const Vec3d& row : w) size = std::max(size, norm(row));
    for (int a = 0; a < 3; ++a) {
        for (int b = a; b < 3; ++b) {
            const auto at = [&](double e) { return energy(term, strained(box, a, b, e), strained(x, a, b, e)); };
            const double slope = (at(-2 * step) - 8 * at(-step) + 8 * at(step) - at(2 * step)) / (12 * step);
            INFO("strain " << a << b);
            CHECK(w[static_cast<std::size_t>(a)][b] == Approx(-slope).margin(2e-8 / step + 1e-7 * size));
            if (symmetric) {
                CHECK(w[static_cast<std::size_t>(b)][a] ==
                      Approx(w[static_cast<std::size_t>(a)][b]).margin(1e-6 + 1e-9 * size));
            }
        }
    }
}

/// The same bits with 1 to 4 threads, and the same forces without energies.
inline void check_threads(HostTerm& term, const Box& box, const std::vector<Vec3d>& x) {
    const Outcome one = evaluate(term, box, x, 1);
    for (int threads = 1; threads <= 4; ++threads) {
        const Outcome more = evaluate(term, box, x, threads);
        CHECK(more.units == one.units);
        CHECK(more.sums.potential() == one.sums.potential());
        CHECK(more.sums.virial() == one.sums.virial());
        CHECK(evaluate(term, box, x, threads, Need::no).units == one.units);
    }
}

inline void check_all(HostTerm& term, const Box& box, const std::vector<Vec3d>& x) {
    check_slope(term, box, x);
    check_newton(term, box, x);
    check_virial(term, box, x);
    check_threads(term, box, x);
}

/// Atoms on a jittered grid that fills the box, none closer than about a third of the grid.
inline std::vector<Vec3d> jittered_grid(const Box& box, int side, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-0.25, 0.25);
    std::vector<Vec3d> x;
    for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) {
            for (int k = 0; k < side; ++k) {
                x.push_back(box.to_cartesian({(i + 0.5 + jitter(random)) / side, (j + 0.5 + jitter(random)) / side,
                                              (k + 0.5 + jitter(random)) / side}));
            }
        }
    }
    return x;
}

}  // namespace mdsim::test
