// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "core/units.h"
#include "forces/bonded/bonded_term.h"
#include "forces/reference/bonded_reference.h"
#include "forces/term_checks.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

constexpr double ke = 138.935457644;

// A crooked chain with nothing symmetric about it.
std::vector<Vec3d> chain(int atoms, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-0.08, 0.08);
    std::vector<Vec3d> x;
    for (int n = 0; n < atoms; ++n) x.push_back({0.1 * n + u(random), 0.12 * (n % 2) + u(random), u(random)});
    return x;
}

void add_rare_forms(LocalTerms& t, int atoms) {
    using Two = TwoAtomForm;
    using Three = ThreeAtomForm;
    using Four = FourAtomForm;
    for (int n = 0; n + 3 < atoms; ++n) {
        const int i = n, j = n + 1, k = n + 2, l = n + 3;
        t.plain_pairs.push_back({n, n + 3, {2.6e-3, 2.6e-6}, -0.12});
        t.two_atom_terms.push_back({i, j, Two::morse, {300.0, 20.0, 0.13}});
        t.two_atom_terms.push_back({i, j, Two::cubic, {2e4, 0.13, -10.0}});
        t.two_atom_terms.push_back({i, j, Two::fene, {3e3, 0.9}});
        for (const double low : {0.01, 0.2, 0.4}) {
            t.two_atom_terms.push_back({i, l, Two::flat_bottomed, {500.0, low, low + 0.01, low + 0.05}});
        }
        t.two_atom_terms.push_back({i, k, Two::angle_with_z, {50.0, 3.0, std::cos(1.1), std::sin(1.1)}});
        t.three_atom_terms.push_back({i, j, k, Three::bond_bond, {9e3, 0.13, 0.16}});
        t.three_atom_terms.push_back({i, j, k, Three::bond_angle, {8e3, 0.13, 0.16, 0.22}});
        t.three_atom_terms.push_back({i, j, k, Three::quartic, {1.9, 3.0, -20.0, 300.0, -150.0, 60.0}});
        t.three_atom_terms.push_back({i, j, k, Three::linear, {5e3, 0.4}});
        t.three_atom_terms.push_back({i, j, k, Three::restricted, {90.0, std::cos(1.9)}});
        t.four_atom_terms.push_back({i, j, k, l, Four::restricted, {5.0, std::cos(1.3)}});
        t.four_atom_terms.push_back({i, j, k, l, Four::bending_torsion, {5.0, -3.0, 8.0, 4.0, -11.0}});
        t.four_atom_terms.push_back({i, j, k, l, Four::flat_bottomed, {200.0, 0.3 * n, 0.2}});
        t.four_atom_terms.push_back({i, j, k, l, Four::vector_angle, {50.0, 2.0, std::cos(0.4), std::sin(0.4)}});
    }
    t.four_atom_terms.push_back({2, 0, 2, 4, Four::vector_angle, {50.0, 1.0, std::cos(0.4), std::sin(0.4)}});
}

LocalTerms all_kinds(int atoms) {
    LocalTerms t;
    for (int n = 0; n + 3 < atoms; ++n) {
        t.bonds.push_back({n, n + 1, 2e5, 0.11});
        t.angles.push_back({n, n + 1, n + 2, 400.0, 1.9});
        t.urey_bradleys.push_back({n, n + 2, 5000.0, 0.2});
        t.g96_bonds.push_back({n, n + 2, 1.1e5, 0.19});
        t.g96_angles.push_back({n, n + 1, n + 2, 450.0, std::cos(1.8)});
        t.proper_dihedrals.push_back({n, n + 1, n + 2, n + 3, 1 + n % 6, 7.0, 0.3 * n});
        t.proper_dihedrals.push_back({n, n + 1, n + 2, n + 3, 3, 2.0, units::pi});
        t.improper_dihedrals.push_back({n + 1, n, n + 3, n + 2, 2, 43.0, units::pi});
        t.harmonic_impropers.push_back({n, n + 2, n + 3, n + 1, 160.0, 0.4});
        t.ryckaert_bellemans.push_back({n, n + 1, n + 2, n + 3, {9.3, 12.2, -13.1, -3.1, 26.2, -31.5}});
        t.pairs14.push_back({n, n + 3, {2.6e-3, 2.6e-6}, -0.12});
    }
    add_rare_forms(t, atoms);
    for (int n = 0; n + 4 < atoms; ++n) t.cmaps.push_back(Cmap::of_five(n, n + 1, n + 2, n + 3, n + 4, n % 2));
    t.cmaps.push_back({{0, 1, 2, 3, 7, 6, 5, 3}, 1});
    return t;
}

// Grids of 24 and of 5 points along each angle.
const std::vector<CmapGrid>& grids() {
    static const std::vector<CmapGrid> all = [] {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> u(-10.0, 10.0);
        std::vector<CmapGrid> made{{24, {}}, {5, {}}};
        for (CmapGrid& grid : made) {
            for (int n = 0; n < grid.size * grid.size; ++n) grid.energy.push_back(u(random));
        }
        return made;
    }();
    return all;
}

BondedTerm bonded_term(const LocalTerms& terms) {
    BondedTerm term(ke, grids());
    assign(term, terms);
    return term;
}

double energy_of(const LocalTerms& terms, const std::vector<Vec3d>& x) {
    BondedTerm term = bonded_term(terms);
    return energy(term, Box{}, x);
}

// Four atoms with the dihedral angle phi [rad] about the z axis.
std::vector<Vec3d> with_dihedral(double phi) {
    return {{0.1, 0.0, -0.03}, {0, 0, 0}, {0, 0, 0.15}, {0.1 * std::cos(phi), 0.1 * std::sin(phi), 0.17}};
}

}  // namespace

TEST_CASE("bonded terms in numbers worked by hand") {
    LocalTerms t;
    t.bonds.push_back({0, 1, 1000.0, 0.1});
    CHECK(energy_of(t, {{0, 0, 0}, {0.3, 0, 0.4}}) == Approx(0.5 * 1000 * 0.16).epsilon(1e-9));
    t = {};
    t.angles.push_back({0, 1, 2, 300.0, units::pi / 3});
    CHECK(energy_of(t, {{0.1, 0, 0}, {0, 0, 0}, {0, 0.2, 0}}) ==
          Approx(150 * units::pi * units::pi / 36).epsilon(1e-9));
    t = {};
    t.g96_bonds.push_back({0, 1, 1e5, 0.2});
    CHECK(energy_of(t, {{0, 0, 0}, {0.3, 0, 0}}) == Approx(0.25 * 1e5 * 0.05 * 0.05).epsilon(1e-9));
    t = {};
    t.g96_angles.push_back({0, 1, 2, 300.0, 0.5});
    CHECK(energy_of(t, {{0.1, 0, 0}, {0, 0, 0}, {0, 0.2, 0}}) == Approx(150 * 0.25).epsilon(1e-9));
    t = {};
    t.urey_bradleys.push_back({0, 2, 500.0, 0.2});
    CHECK(energy_of(t, {{0.1, 0, 0}, {0, 0, 0}, {0.4, 0, 0}}) == Approx(0.5 * 500 * 0.01).epsilon(1e-9));
    t = {};
    t.pairs14.push_back({0, 1, {1e-3, 1e-6}, 0.25});
    CHECK(energy_of(t, {{0, 0, 0}, {0, 0, 0.5}}) == Approx(1e-6 * 4096 - 1e-3 * 64 + ke * 0.25 * 2).epsilon(1e-9));
}

TEST_CASE("dihedrals follow IUPAC: zero is cis, positive is clockwise along the middle bond") {
    for (const double phi : {-3.0, -1.2, -0.01, 0.0, 0.7, 2.0, 3.1}) {
        LocalTerms t;
        t.proper_dihedrals.push_back({0, 1, 2, 3, 3, 2.5, 0.4});
        // Seen from atom 1 towards atom 2 (up the z axis) the geometry turns clockwise when phi grows.
        CHECK(energy_of(t, with_dihedral(phi)) == Approx(2.5 * (1 + std::cos(3 * phi - 0.4))).margin(1e-9));
        t = {};
        t.harmonic_impropers.push_back({0, 1, 2, 3, 100.0, 3.0});
        double off = phi - 3.0;
        if (off < -units::pi) off += 2 * units::pi;
        CHECK(energy_of(t, with_dihedral(phi)) == Approx(50 * off * off).margin(1e-9));
        t = {};
        t.ryckaert_bellemans.push_back({0, 1, 2, 3, {1, 2, 3, 4, 5, 6}});
        const double c = std::cos(phi - units::pi);
        const double expected = 1 + c * (2 + c * (3 + c * (4 + c * (5 + c * 6))));
        CHECK(energy_of(t, with_dihedral(phi)) == Approx(expected).margin(1e-9));
    }
    LocalTerms negative, positive;
    negative.proper_dihedrals.push_back({0, 1, 2, 3, -2, 1.0, 0.7});
    positive.proper_dihedrals.push_back({0, 1, 2, 3, 2, 1.0, -0.7});
    CHECK(energy_of(negative, with_dihedral(0.5)) == energy_of(positive, with_dihedral(0.5)));
}

TEST_CASE("a correction map goes through its grid and is the periodic spline between") {
    for (int grid = 0; grid < 2; ++grid) {
        const bonded::CmapSurface surface(grids()[static_cast<std::size_t>(grid)]);
        const int size = grids()[static_cast<std::size_t>(grid)].size;
        const double step = 2 * units::pi / size;
        for (int a = 0; a <= size; ++a) {
            for (int b = 0; b <= size; ++b) {
                const auto point = static_cast<std::size_t>(a % size * size + b % size);
                const double energy = surface.at(a * step - units::pi, b * step - units::pi).energy;
                CHECK(energy == Approx(grids()[static_cast<std::size_t>(grid)].energy[point]).margin(1e-12));
            }
        }
    }
    for (const unsigned seed : {1u, 2u, 3u}) {
        LocalTerms t;
        t.cmaps = all_kinds(9).cmaps;
        const auto x = chain(9, seed);
        const auto expected = BondedReference(t, grids(), ke).energies(x);
        CHECK(energy_of(t, x) == Approx(expected[static_cast<std::size_t>(Term::cmap)]).epsilon(1e-9));
    }
}

TEST_CASE("forms that few force fields have: each as its formula says, under its name") {
    for (const unsigned seed : {1u, 2u, 3u}) {
        const LocalTerms all = all_kinds(9);
        const auto x = chain(9, seed);
        const auto check = [&](auto list) {
            for (const auto& term : all.*list) {
                LocalTerms t;
                t.*list = {term};
                BondedTerm term_alone = bonded_term(t);
                const EnergySums sums = evaluate(term_alone, Box{}, x).sums;
                const auto expected = BondedReference(t, grids(), ke).energies(x);
                for (std::size_t n = 0; n < term_count; ++n) {
                    INFO(name_of(static_cast<Term>(n)));
                    CHECK(sums[static_cast<Term>(n)].value() == Approx(expected[n]).epsilon(1e-9).margin(1e-9));
                }
            }
        };
        check(&LocalTerms::plain_pairs);
        check(&LocalTerms::two_atom_terms);
        check(&LocalTerms::three_atom_terms);
        check(&LocalTerms::four_atom_terms);
    }
}

TEST_CASE("forms with a pole: a finite force and a note where the pole is reached") {
    LocalTerms fene, angle, dihedral;
    fene.two_atom_terms.push_back({0, 1, TwoAtomForm::fene, {3e3, 0.9}});
    angle.three_atom_terms.push_back({0, 1, 2, ThreeAtomForm::restricted, {90.0, std::cos(1.9)}});
    dihedral.four_atom_terms.push_back({0, 1, 2, 3, FourAtomForm::restricted, {90.0, std::cos(1.9)}});
    const std::vector<Vec3d> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0.1, 0}};
    const std::vector<Vec3d> planar{{0, 0.1, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0.1, 0}};
    for (const auto& [terms, x] : {std::pair{fene, line}, {angle, line}, {dihedral, planar}}) {
        BondedTerm term = bonded_term(terms);
        const Outcome out = evaluate(term, Box{}, x);
        CHECK(out.sums.potential() > 1e4);
        for (const Vec3d& f : out.forces) CHECK(norm(f) < 1e9);
    }
}

TEST_CASE("every bonded term: force, virial, Newton's third law, threads") {
    for (const unsigned seed : {1u, 2u}) {
        const auto x = chain(9, seed);
        const LocalTerms all = all_kinds(9);
        const auto only = [&](auto member) {
            LocalTerms some;
            some.*member = all.*member;
            BondedTerm term = bonded_term(some);
            check_all(term, Box{}, x);
        };
        only(&LocalTerms::bonds);
        only(&LocalTerms::angles);
        only(&LocalTerms::urey_bradleys);
        only(&LocalTerms::g96_bonds);
        only(&LocalTerms::g96_angles);
        only(&LocalTerms::proper_dihedrals);
        only(&LocalTerms::improper_dihedrals);
        only(&LocalTerms::harmonic_impropers);
        only(&LocalTerms::ryckaert_bellemans);
        only(&LocalTerms::cmaps);
        only(&LocalTerms::plain_pairs);
        only(&LocalTerms::three_atom_terms);
        only(&LocalTerms::pairs14);
        // Steep near their poles, and with an angle to the z axis, which rotations change.
        const auto only_steep = [&](auto member) {
            LocalTerms some;
            some.*member = all.*member;
            BondedTerm term = bonded_term(some);
            check_slope(term, Box{}, x, 2e-5);
            check_newton(term, Box{}, x);
            check_virial(term, Box{}, x, false, 2e-5);
            check_threads(term, Box{}, x);
        };
        only_steep(&LocalTerms::two_atom_terms);
        only_steep(&LocalTerms::four_atom_terms);
        BondedTerm everything = bonded_term(all);
        check_threads(everything, Box{}, x);
    }
}

TEST_CASE("bonded forces far from the origin and near degenerate geometries") {
    SECTION("angles near zero and near the straight line") {
        for (const double off : {3e-3, 1e-2}) {
            for (const double side : {-1.0, 1.0}) {
                LocalTerms t;
                t.angles.push_back({0, 1, 2, 500.0, units::pi});
                BondedTerm term = bonded_term(t);
                check_slope(term, Box{}, {{0.1, 0, 0}, {0, 0, 0}, {0.13 * side, 0.13 * off, 0}}, 2e-5);
            }
        }
    }
    SECTION("an exactly straight angle has its energy and no force") {
        LocalTerms t;
        t.angles.push_back({0, 1, 2, 500.0, 2.0});
        BondedTerm term = bonded_term(t);
        const Outcome out = evaluate(term, Box{}, {{0.1, 0, 0}, {0, 0, 0}, {-0.1, 0, 0}});
        CHECK(out.sums.potential() == Approx(250 * (units::pi - 2) * (units::pi - 2)).epsilon(1e-9));
        for (const Vec3d& f : out.forces) CHECK(norm(f) == 0.0);
    }
    SECTION("dihedrals with nearly straight arms") {
        LocalTerms t;
        t.proper_dihedrals.push_back({0, 1, 2, 3, 2, 5.0, 0.3});
        BondedTerm term = bonded_term(t);
        check_slope(term, Box{}, {{0.01, 0.002, -0.1}, {0, 0, 0}, {0, 0, 0.15}, {-0.003, 0.012, 0.27}}, 2e-5);
        const Outcome out = evaluate(term, Box{}, {{0, 0, -0.1}, {0, 0, 0}, {0, 0, 0.15}, {0, 0.1, 0.15}});
        for (const Vec3d& f : out.forces) CHECK(norm(f) == 0.0);
    }
    SECTION("dihedrals near cis and trans") {
        for (const double phi : {1e-4, units::pi - 1e-4, -units::pi + 1e-4}) {
            LocalTerms t;
            t.harmonic_impropers.push_back({0, 1, 2, 3, 300.0, units::pi});
            t.proper_dihedrals.push_back({0, 1, 2, 3, 6, 5.0, units::pi});
            BondedTerm term = bonded_term(t);
            check_slope(term, Box{}, with_dihedral(phi), 2e-6);
        }
    }
    SECTION("1-4 pairs on top of each other push apart with a finite force") {
        LocalTerms t;
        for (int n = 1; n < 9; ++n) t.pairs14.push_back({0, n, {2.6e-3, 2.6e-6}, 0.1});
        BondedTerm term = bonded_term(t);
        std::vector<Vec3d> x(9);
        for (std::size_t n = 1; n < 8; ++n) x[n].x = 1e-5 * static_cast<double>(n);  // and one exactly on top
        check_newton(term, Box{}, x);
        const Outcome out = evaluate(term, Box{}, x);
        CHECK(out.sums.out_of_range());
        for (std::size_t n = 1; n < 9; ++n) CHECK(std::abs(out.forces[n].x) == 0x1p27);
    }
    SECTION("whole molecules far from the origin") {
        auto x = chain(9, 3);
        for (Vec3d& r : x) r += Vec3d{512.0, -256.0, 128.0};  // a power of two, so that differences stay the same
        BondedTerm term = bonded_term(all_kinds(9));
        check_newton(term, Box{}, x);
        CHECK(energy(term, Box{}, x) == Approx(energy(term, Box{}, chain(9, 3))).epsilon(1e-8));
    }
}

TEST_CASE("local terms are unrolled molecule by molecule") {
    Topology topology;
    MoleculeType water;
    water.atoms.resize(3);
    water.bonds = {{0, 1, 1.0, 0.1}, {0, 2, 1.0, 0.1}};
    water.angles = {{1, 0, 2, 1.0, 1.8}};
    water.exclusions = {{0, 1}, {0, 2}, {1, 2}};
    topology.types = {water};
    topology.blocks = {{0, 2}, {0, 1}};
    const LocalTerms terms = make_local_terms(topology);
    REQUIRE(terms.bonds.size() == 6);
    CHECK(terms.bonds[5].i == 6);
    CHECK(terms.bonds[5].j == 8);
    CHECK(terms.angles[1].j == 3);
    CHECK(terms.exclusions.back() == Exclusion{7, 8});
}
