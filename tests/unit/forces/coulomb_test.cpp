// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <limits>
#include <numbers>

#include "core/units.h"
#include "forces/charged_molecule.h"
#include "forces/dispersion_correction.h"
#include "forces/pair_settings.h"
#include "forces/reference/ewald.h"
#include "forces/reference/reference_pairs.h"
#include "forces/restraints/flat_position_restraints.h"
#include "forces/restraints/position_restraints.h"
#include "forces/term_checks.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

const Box triclinic = Box::from_rows({Vec3d{2.1, 0, 0}, Vec3d{0.6, 2.0, 0}, Vec3d{-0.5, 0.4, 1.9}});

struct Fluid {
    ForceField force_field;
    std::vector<int> types;
    std::vector<double> charges;
    std::vector<Exclusion> exclusions;
};

Fluid fluid(std::size_t atoms) {
    Fluid f;
    f.force_field.type_names = {"A", "B"};
    f.force_field.lj = {{2e-3, 2e-6}, {1e-3, 5e-7}, {1e-3, 5e-7}, {5e-4, 1e-7}};
    for (std::size_t i = 0; i < atoms; ++i) {
        f.types.push_back(static_cast<int>(i % 2));
        f.charges.push_back(i % 3 == 0 ? 8.0 : -4.1);
        if (i + 1 < atoms) f.exclusions.push_back({static_cast<int>(i), static_cast<int>(i + 1)});
    }
    return f;
}

NonbondedSettings with(LennardJones lj, Electrostatics electrostatics) {
    NonbondedSettings s;
    s.cutoff = 0.85;
    s.lennard_jones = lj;
    s.switch_from = 0.65;
    s.electrostatics = electrostatics;
    s.ewald_splitting = 3.7;
    s.reaction_field_permittivity = 78.0;
    s.coulomb_constant = units::coulomb_codata2018;
    return s;
}

ReferencePairs reference_pairs(const Fluid& f, const NonbondedSettings& s) {
    return ReferencePairs(f.force_field, f.types, f.charges, f.exclusions, s);
}

}  // namespace

TEST_CASE("the reference pairs of every form: force, virial, Newton's third law, threads") {
    const auto x = jittered_grid(triclinic, 4, 11);
    const Fluid f = fluid(x.size());
    // The forms whose energies do not jump at the cutoff stand the test of differences in a dense system.
    for (const LennardJones lj : {LennardJones::potential_switch, LennardJones::force_switch,
                                  LennardJones::charmm_force_switch, LennardJones::shift}) {
        auto smooth = with(lj, Electrostatics::reaction_field);
        auto term = reference_pairs(f, smooth);
        check_threads(term, triclinic, x);
        check_newton(term, triclinic, x);
        smooth.reaction_field_permittivity = 0.0;
        auto conductor = reference_pairs(f, smooth);
        if (lj != LennardJones::shift) {
            check_slope(conductor, triclinic, x);
            check_virial(conductor, triclinic, x);
        }
        // erfc(3.7 * 0.85) = 9e-6 jumps at the cutoff; splitting 9 leaves 2e-27.
        auto tight = with(lj, Electrostatics::ewald);
        tight.ewald_splitting = 9.0;
        auto ewald = reference_pairs(f, tight);
        check_threads(ewald, triclinic, x);
        if (lj != LennardJones::shift) {
            check_slope(ewald, triclinic, x);
            check_virial(ewald, triclinic, x);
        }
    }
    auto vacuum = reference_pairs(f, with(LennardJones::cut, Electrostatics::none));
    check_all(vacuum, Box{}, x);
}

TEST_CASE("the cells of the reference find every pair that the double loop finds") {
    const Box box = Box::from_rows({Vec3d{3.4, 0, 0}, Vec3d{1.1, 3.2, 0}, Vec3d{-1.0, 0.9, 3.0}});
    auto x = jittered_grid(box, 9, 5);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] += box.rows()[2] - 2.0 * box.rows()[1];  // any image
    const Fluid f = fluid(x.size());
    auto s = with(LennardJones::cut, Electrostatics::cutoff);
    auto term = reference_pairs(f, s);
    const Outcome got = evaluate(term, box, x);
    fixed::EnergySum lj, coulomb;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double r = norm(box.minimum_image(x[i] - x[j]));
            if (r >= s.cutoff || i - j == 1) continue;
            const LjParameters& p = f.force_field.pair(f.types[i], f.types[j]);
            lj.add(p.c12 / std::pow(r, 12) - p.c6 / std::pow(r, 6));
            coulomb.add(f.charges[i] * f.charges[j] / r);
        }
    }
    CHECK(got.sums[Term::lj_sr].value() == Approx(lj.value()).epsilon(1e-11).margin(1e-6));
    CHECK(got.sums[Term::coulomb_real].value() == Approx(coulomb.value()).epsilon(1e-11).margin(1e-6));
}

TEST_CASE("the reciprocal sum: force, virial, threads") {
    const auto x = jittered_grid(triclinic, 3, 7);
    EwaldReciprocal term(fluid(x.size()).charges, {3.0, 0.0});
    check_slope(term, triclinic, x);
    check_virial(term, triclinic, x);
    check_threads(term, triclinic, x);
}

TEST_CASE("the Madelung constant of rock salt, and of its cell described askew") {
    // -1.7475645946331822 per ion pair in units of the nearest distance (Madelung 1918; OEIS A085469).
    const double a = 0.5;
    const Box cube = Box::rectangular(2 * a, 2 * a, 2 * a);
    const Box askew = Box::from_rows({Vec3d{2 * a, 0, 0}, Vec3d{a, a, 0}, Vec3d{a, 0, a}});  // the primitive cell
    const auto madelung = [&](const Box& box, const std::vector<Vec3d>& x, const std::vector<double>& q) {
        NonbondedSettings s;
        s.electrostatics = Electrostatics::ewald;
        s.coulomb_constant = 1.0;
        s.ewald_splitting = 24.0;  // erfc(24 * 0.25) = 2e-17
        s.cutoff = 0.25;
        EwaldReciprocal reciprocal(q, {24.0, 0.0});
        const auto constants = coulomb_constants(q, s);
        return energy(reciprocal, box, x) + energy(*constants, box, x);
    };
    std::vector<Vec3d> x;
    std::vector<double> q;
    for (int i = 0; i < 8; ++i) {
        x.push_back({a * (i & 1), a * (i >> 1 & 1), a * (i >> 2 & 1)});
        q.push_back((i ^ i >> 1 ^ i >> 2) & 1 ? -1.0 : 1.0);
    }
    CHECK(madelung(cube, x, q) == Approx(-1.7475645946331822 / a * 4).epsilon(1e-9));
    CHECK(madelung(askew, {{0, 0, 0}, {a, 0, 0}}, {1.0, -1.0}) == Approx(-1.7475645946331822 / a).epsilon(1e-9));
}

TEST_CASE("the whole Coulomb energy does not depend on the splitting, also with a net charge") {
    const auto x = jittered_grid(triclinic, 3, 3);
    Fluid f = fluid(x.size());
    // Bonded neighbours are far apart here: also the branch beyond the reach of the rational function is used.
    const auto total = [&](double beta) {
        NonbondedSettings s = with(LennardJones::cut, Electrostatics::ewald);
        s.ewald_splitting = beta;
        f.force_field.lj.assign(4, {});
        auto pairs = reference_pairs(f, s);
        EwaldReciprocal reciprocal(f.charges, {beta, 0.0});
        const auto exclusions = exclusion_term(f.exclusions, f.charges, s);
        const auto constants = coulomb_constants(f.charges, s);
        double sum = 0.0;
        for (HostTerm* term :
             {static_cast<HostTerm*>(&pairs), static_cast<HostTerm*>(&reciprocal), exclusions.get(), constants.get()}) {
            sum += energy(*term, triclinic, x);
        }
        return sum;
    };
    CHECK(total(7.5) == Approx(total(9.0)).epsilon(1e-9));
}

TEST_CASE("excluded pairs with Ewald: force, virial, Newton's third law, threads") {
    std::vector<Vec3d> x;
    std::vector<Exclusion> exclusions;
    std::vector<double> charges;
    std::mt19937 random(4);
    std::uniform_real_distribution<double> u(-0.2, 0.2);
    for (int n = 0; n < 100; ++n) {
        x.push_back({0.3 * n + u(random), u(random), u(random)});
        charges.push_back(n % 2 == 0 ? 9.0 : -7.0);
        for (int m = n + 1; m < std::min(100, n + 9); ++m) exclusions.push_back({n, m});
    }
    const auto settings = with(LennardJones::cut, Electrostatics::pme);
    const auto term = exclusion_term(exclusions, charges, settings);
    check_newton(*term, triclinic, x);
    check_virial(*term, triclinic, x);
    check_threads(*term, triclinic, x);
    double expected = 0.0;
    for (const Exclusion& e : exclusions) {
        const double r = norm(x[static_cast<std::size_t>(e.i)] - x[static_cast<std::size_t>(e.j)]);
        expected -= charges[static_cast<std::size_t>(e.i)] * charges[static_cast<std::size_t>(e.j)] *
                    std::erf(settings.ewald_splitting * r) / r;
    }
    CHECK(evaluate(*term, triclinic, x).sums[Term::coulomb_exclusion].value() == Approx(expected).epsilon(1e-11));
    const std::vector<Vec3d> few{{0, 0, 0}, {0.1, 0.02, 0}, {0.02, 0.1, 0.03}, {1.3, 0, 0}};
    const auto small = exclusion_term({{0, 1}, {0, 2}, {1, 2}, {0, 3}}, {9.0, -7.0, -5.0, 3.0}, settings);
    check_slope(*small, triclinic, few);
}

TEST_CASE("excluded pairs with reaction field, and what the constants are") {
    const auto settings = with(LennardJones::cut, Electrostatics::reaction_field);
    const auto tail = make_coulomb_tail(settings);
    const std::vector<Vec3d> x{{0, 0, 0}, {0.1, 0.02, 0}, {0.02, 0.1, 0.03}};
    const auto term = exclusion_term({{0, 1}, {0, 2}, {1, 2}}, {9.0, -7.0, -5.0}, settings);
    check_all(*term, triclinic, x);
    const double r2 = 0.1 * 0.1 + 0.02 * 0.02;
    const auto pair = exclusion_term({{0, 1}}, {9.0, -7.0, -5.0}, settings);
    CHECK(energy(*pair, triclinic, x) == Approx(-63.0 * (tail.k_rf * r2 - tail.c_rf)).epsilon(1e-9));
    const auto self = coulomb_constants({3.0, -2.0}, settings);
    CHECK(energy(*self, triclinic, x) == Approx(-0.5 * tail.c_rf * 13.0).epsilon(1e-9));
    CHECK(exclusion_term({{0, 1}}, {9.0, -7.0}, with(LennardJones::cut, Electrostatics::cutoff)) == nullptr);
    CHECK(coulomb_constants({1.0}, with(LennardJones::cut, Electrostatics::none)) == nullptr);

    const auto ewald = with(LennardJones::cut, Electrostatics::pme);
    const auto constants = coulomb_constants({3.0, -2.0}, ewald);
    const Outcome out = evaluate(*constants, triclinic, x);
    CHECK(out.sums[Term::coulomb_self].value() == Approx(-3.7 * std::numbers::inv_sqrtpi * 13.0).epsilon(1e-9));
    CHECK(out.sums[Term::coulomb_net_charge_background].value() ==
          Approx(-units::pi / (2 * triclinic.volume() * 3.7 * 3.7)).epsilon(1e-7));
    check_virial(*constants, triclinic, x);
}

TEST_CASE("dispersion correction in numbers worked by hand, and its virial") {
    // One type: 2 pi N rho C6 times -1/(3 rc^3) for a plain cut; with the shift also the constant within the cutoff.
    const double n = 100.0, c6 = 2e-3, volume = triclinic.volume(), rho = n / volume;
    const auto cut = with(LennardJones::cut, Electrostatics::pme);
    DispersionCorrection plain(n, c6, cut);
    const double rc3 = cut.cutoff * cut.cutoff * cut.cutoff;
    CHECK(plain.energy(volume) == Approx(-2.0 / 3.0 * units::pi * n * rho * c6 / rc3).epsilon(1e-13));
    // P = -4/3 pi rho^2 C6 / rc^3 (Allen and Tildesley, eq. 2.143)
    CHECK(plain.virial(volume) / volume == Approx(-4.0 / 3.0 * units::pi * rho * rho * c6 / rc3).epsilon(1e-13));
    DispersionCorrection shifted(n, c6, with(LennardJones::shift, Electrostatics::pme));
    CHECK(shifted.energy(volume) ==
          Approx(-4.0 / 3.0 * units::pi * n * rho * c6 / rc3 + 0.5 * n * c6 / (rc3 * rc3)).epsilon(1e-13));
    // Where the form has no jump the virial is minus the slope of the energy with the strain.
    for (const LennardJones lj : {LennardJones::shift, LennardJones::potential_switch, LennardJones::force_switch,
                                  LennardJones::charmm_force_switch}) {
        DispersionCorrection term(n, c6, with(lj, Electrostatics::pme));
        check_virial(term, triclinic, {});
    }
}

TEST_CASE("dispersion correction of 5832 argon atoms as GROMACS has it") {
    // GROMACS 2022.5 in double precision, DispCorr = EnerPres, cutoff 1 nm, switch from 0.8 nm: "Disper. corr."
    // [kJ/mol] and "Pres. DC" [bar]. Its switched forms are integrals of a table, good to some 1e-7.
    struct Row {
        LennardJones form;
        double energy, pressure, tolerance;
    };
    NonbondedSettings s;
    s.cutoff = 1.0;
    s.switch_from = 0.8;
    const double volume = std::pow(6.05449, 3), c6 = 4 * 1.045128 * std::pow(0.3345, 6);
    for (const Row& row : {Row{LennardJones::cut, -1879.607427892634, -281.263610306772, 1e-9},
                           Row{LennardJones::shift, -3742.138557724099, -281.263610306772, 1e-9},
                           Row{LennardJones::potential_switch, -2605.904321535190, -194.973131540958, 5e-7},
                           Row{LennardJones::force_switch, -4877.733867782988, -367.174041071010, 5e-7}}) {
        s.lennard_jones = row.form;
        const DispersionCorrection term(5832.0, c6, s);
        CHECK(term.energy(volume) == Approx(row.energy).epsilon(row.tolerance));
        CHECK(term.virial(volume) / volume * units::bar_per_pressure_unit ==
              Approx(row.pressure).epsilon(row.tolerance));
    }
}

TEST_CASE("average C6 leaves out excluded pairs") {
    Topology t;
    t.force_field.type_names = {"A", "B"};
    t.force_field.lj = {{1.0, 0}, {3.0, 0}, {3.0, 0}, {7.0, 0}};
    MoleculeType m;
    m.atoms.resize(2);
    m.atoms[1].type = 1;
    m.exclusions = {{0, 1}};
    t.types = {m};
    t.blocks = {{0, 2}};
    // Pairs between the two molecules: AA, AB, BA, BB.
    CHECK(average_c6(t) == Approx((1.0 + 3.0 + 3.0 + 7.0) / 4.0).epsilon(1e-15));
}

TEST_CASE("position restraints: force and virial with references fixed and moving along") {
    const std::vector<Vec3d> x{{0.3, 0.2, 0.1}, {1.0, 1.1, 0.7}};
    LocalTerms terms;
    terms.position_restraints = {{0, 1000, 500, 0}, {1, 1000, 1000, 1000}};
    const std::vector<std::vector<Vec3d>> references{{{0.25, 0.3, 0.1}, {1.1, 1.0, 0.6}}};
    PositionRestraints fixed(0, std::nullopt, ReferenceScaling::fixed, triclinic);
    PositionRestraints moving(0, std::nullopt, ReferenceScaling::with_box, triclinic);
    for (HostTerm* term : {static_cast<HostTerm*>(&fixed), static_cast<HostTerm*>(&moving)}) {
        assign(*term, terms, {}, references);
    }
    const double expected = 0.5 * (1000 * 0.0025 + 500 * 0.01 + 1000 * 0.03);
    CHECK(energy(fixed, triclinic, x) == Approx(expected).epsilon(1e-9));
    CHECK(energy(moving, triclinic, x) == Approx(expected).epsilon(1e-9));
    for (HostTerm* term : {static_cast<HostTerm*>(&fixed), static_cast<HostTerm*>(&moving)}) {
        check_slope(*term, triclinic, x);
        check_virial(*term, triclinic, x, false);
        check_threads(*term, triclinic, x);
    }
}

TEST_CASE("flat-bottomed position restraints: spheres, layers and cylinders, from inside and from outside") {
    const std::vector<Vec3d> x{{0.3, 0.2, 0.1}, {1.0, 1.1, 0.7}, {0.5, 0.5, 0.5}, {0.8, 0.1, 0.3}};
    LocalTerms terms;
    terms.flat_position_restraints = {{0, {1, 1, 1}, false, 0.05, 1000},
                                      {1, {1, 1, 0}, true, 0.5, 800},
                                      {2, {0, 0, 1}, false, 0.2, 600},
                                      {3, {1, 1, 1}, false, 0.9, 900}};
    const std::vector<std::vector<Vec3d>> references{
        {{0.3, 0.3, 0.1}, {1.3, 1.5, 0.1}, {0.1, 0.1, 0.9}, {0.8, 0.1, 0.3}}};
    FlatPositionRestraints term(0, triclinic);
    assign(term, terms, {}, references);
    // Distances 0.1, 0.5 (the free side begins there), 0.4 and 0.
    CHECK(energy(term, triclinic, x) == Approx(0.5 * (1000 * 0.0025 + 600 * 0.04)).epsilon(1e-9));
    terms.flat_position_restraints[1].radius = 0.6;
    assign(term, terms, {}, references);
    CHECK(energy(term, triclinic, x) == Approx(0.5 * (1000 * 0.0025 + 800 * 0.01 + 600 * 0.04)).epsilon(1e-9));
    check_slope(term, triclinic, x);
    check_virial(term, triclinic, x, false);
    check_threads(term, triclinic, x);
}

TEST_CASE("a restraint of a stage holds the home atoms that have a place") {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3d> x{{0.3, 0.2, 0.1}, {1.0, 1.1, 0.7}, {0.5, 0.5, 0.5}};
    LocalTerms terms;
    terms.position_restraints = {{0, 1e6, 1e6, 1e6}};  // of another restraint
    PositionRestraints term(1, 200.0, ReferenceScaling::fixed, Box{});
    assign(term, terms, {}, {{{9, 9, 9}, {9, 9, 9}}, {{none, none, none}, {1.1, 1.0, 0.6}}});
    const Outcome out = evaluate(term, Box{}, x);
    CHECK(out.sums[Term::restraint].value() == Approx(100.0 * 0.03).epsilon(1e-9));
    CHECK(out.units[0] == Vec3l{});
    CHECK(out.forces[1].x == Approx(20.0).epsilon(1e-9));
    CHECK(out.units[2] == Vec3l{});
}

TEST_CASE("21 thousand excluded pairs are cheap", "[.][timing]") {
    std::vector<Vec3d> x;
    std::vector<Exclusion> exclusions;
    std::vector<double> charges;
    for (int n = 0; n < 7000; ++n) {
        for (int k = 0; k < 3; ++k) {
            x.push_back({0.3 * (n % 20) + 0.1 * k, 0.3 * (n / 20 % 20) + 0.05 * k, 0.3 * (n / 400)});
            charges.push_back(k == 0 ? -9.8 : 4.9);
        }
        for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
            exclusions.push_back({3 * n + i, 3 * n + j});
        }
    }
    const Box box = Box::rectangular(6, 6, 6);
    const auto term = exclusion_term(exclusions, charges, with(LennardJones::cut, Electrostatics::pme));
    const Lattice lattice(box, x);
    std::vector<LatticePoint> points(x.size());
    omp_set_num_threads(1);
    ForceSink sink;
    sink.resize(x.size(), 1);
    const Evaluation evaluation{box, lattice, x, points, {}};
    double best = 1e9;
    for (int n = 0; n < 200; ++n) {
        const auto start = std::chrono::steady_clock::now();
        term->compute(evaluation, sink);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    WARN("21000 excluded pairs: " << 1e3 * best << " ms");
    CHECK(best < 1.5e-4);
}
