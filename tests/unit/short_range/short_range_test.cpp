// SPDX-License-Identifier: Apache-2.0
#include "forces/short_range/short_range.h"

#include <cmath>
#include <random>

#include <catch2/catch.hpp>
#include <hwy/targets.h>

#include "core/error.h"
#include "forces/pair_settings.h"
#include "forces/reference/reference_pairs.h"
#include "parallel/threads.h"
#include "short_range/evaluate_terms.h"
#include "short_range/liquid.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

struct Result {
    std::vector<Vec3l> forces;
    EnergySums energies;
};

constexpr StepPlan everything{0, Need::yes, Need::yes, Need::no};

Result evaluate(HostTerm& term, const Liquid& l, StepPlan plan = everything) {
    const Lattice lattice(l.box, l.x);
    const Evaluation evaluation{l.box, lattice, l.x, l.points, plan};
    const ForceSink sink = evaluate_term(term, evaluation);
    return {{sink.forces().begin(), sink.forces().end()}, sink.energies()};
}

ShortRange make_term(const Liquid& l, const NonbondedSettings& s, PairPrecision precision,
                     PairListSettings lists = {}) {
    const std::vector<double> charges = scaled_charges(l.charges, s);
    return ShortRange({l.force_field, l.types, charges, l.exclusions, s}, precision, lists);
}

double rms(const std::vector<Vec3l>& a, const std::vector<Vec3l>* b = nullptr) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3l d = b ? a[i] - (*b)[i] : a[i];
        sum += std::pow(static_cast<double>(d.x), 2) + std::pow(static_cast<double>(d.y), 2) +
               std::pow(static_cast<double>(d.z), 2);
    }
    return std::sqrt(sum / static_cast<double>(a.size()));
}

Vec3l total(const Result& r) {
    Vec3l sum{};
    for (const Vec3l& f : r.forces) sum += f;
    return sum;
}

void check_against_reference(const Liquid& l, const NonbondedSettings& s, PairPrecision precision) {
    ReferencePairs reference(l.force_field, l.types, scaled_charges(l.charges, s), l.exclusions, s);
    ShortRange term = make_term(l, s, precision);
    const Result expected = evaluate(reference, l), got = evaluate(term, l);
    const bool mixed = precision == PairPrecision::mixed;
    // Without a cutoff an atom has hundreds of addends rounded to 2^-12 kJ/mol/nm, and the vacuum lattice is coarser.
    const double loss = s.electrostatics == Electrostatics::none ? 8.0 : 1.0;
    CHECK(rms(got.forces, &expected.forces) <= loss * (mixed ? 3e-6 : 2e-8) * rms(expected.forces));
    CHECK(total(got) == Vec3l{});
    for (const Term t : {Term::lj_sr, Term::coulomb_real}) {
        const double value = expected.energies[t].value();
        CHECK(got.energies[t].value() == Approx(value).epsilon(mixed ? 2e-6 : 1e-8).margin(mixed ? 2e-2 : 1e-4));
    }
    const Mat3d w = expected.energies.virial(), v = got.energies.virial();
    const double margin = loss * (mixed ? 1e-5 : 1e-7) * std::abs(w[0].x) + loss * (mixed ? 2e-2 : 1e-4);
    for (std::size_t a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) CHECK(std::abs(v[a][b] - w[a][b]) < margin);
    }
}

void check_equal(const Result& a, const Result& b) {
    CHECK(a.forces == b.forces);
    CHECK(a.energies[Term::lj_sr].value() == b.energies[Term::lj_sr].value());
    CHECK(a.energies[Term::coulomb_real].value() == b.energies[Term::coulomb_real].value());
    CHECK(a.energies.virial() == b.energies.virial());
}

// Calls f once with each instruction set that this processor and this build have.
template <class F>
void for_each_target(F&& f) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        INFO("target " << hwy::TargetName(target));
        f();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

TEST_CASE("short-range kernels agree with the plain loops in every form, on every instruction set") {
    const Liquid cube(cubic, 330, Rule::lorentz_berthelot, 1), skew(dodecahedron, 400, Rule::table, 11),
        geometric(cubic, 330, Rule::geometric, 5);
    for_each_target([&] {
        for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::double_}) {
            NonbondedSettings s = pme();
            check_against_reference(cube, s, precision);
            check_against_reference(skew, s, precision);
            check_against_reference(geometric, s, precision);
            for (const LennardJones lj :
                 {LennardJones::potential_switch, LennardJones::force_switch, LennardJones::charmm_force_switch}) {
                s.lennard_jones = lj;
                s.switch_from = 0.75;
                for (const Liquid* l : {&cube, &skew, &geometric}) check_against_reference(*l, s, precision);
            }
            s = pme();
            s.lennard_jones = LennardJones::cut;
            s.electrostatics = Electrostatics::reaction_field;
            s.reaction_field_permittivity = 78.0;
            check_against_reference(cube, s, precision);
            s.electrostatics = Electrostatics::esp;
            s.prolate_bandwidth = 10.5;
            for (const Liquid* l : {&cube, &skew, &geometric}) check_against_reference(*l, s, precision);
            s.lennard_jones = LennardJones::charmm_force_switch;
            for (const Liquid* l : {&cube, &skew}) check_against_reference(*l, s, precision);
        }
    });
}

TEST_CASE("short range without a box takes all pairs") {
    const Liquid drop(Box(), 150, Rule::geometric, 4);
    NonbondedSettings s = pme();
    s.electrostatics = Electrostatics::none;
    check_against_reference(drop, s, PairPrecision::mixed);
    check_against_reference(drop, s, PairPrecision::double_);
}

TEST_CASE("bits of short-range forces depend on positions alone") {
    const NonbondedSettings s = pme();
    for (const Box& box : {cubic, dodecahedron}) {
        const Liquid l(box, 330, Rule::lorentz_berthelot, 5);
        for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::double_}) {
            ShortRange term = make_term(l, s, precision);
            const Result plain = evaluate(term, l);
            // Kernels with and without energies.
            ShortRange same = make_term(l, s, precision);
            CHECK(evaluate(same, l, {}).forces == plain.forces);
            // Other list radii, shuffled order, more threads.
            PairListSettings lists;
            lists.inner_skin = 0.01;
            lists.outer_skin = 0.05;
            ShortRange narrow = make_term(l, s, precision, lists);
            check_equal(evaluate(narrow, l), plain);
            lists = {};
            lists.random_order_seed = 17;
            ShortRange shuffled = make_term(l, s, precision, lists);
            check_equal(evaluate(shuffled, l), plain);
            const int before = thread_count();
            for (const int threads : {1, 3, 4}) {
                omp_set_num_threads(threads);
                ShortRange threaded = make_term(l, s, precision);
                check_equal(evaluate(threaded, l), plain);
            }
            omp_set_num_threads(before);
        }
    }
}

TEST_CASE("a list made elsewhere gives the bits of a list made here") {
    const NonbondedSettings s = pme();
    Liquid l(cubic, 330, Rule::lorentz_berthelot, 6);
    std::mt19937 random(8);
    std::normal_distribution<double> normal(0.0, 0.01);
    for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::double_}) {
        ShortRange old = make_term(l, s, precision);
        for (int step = 0; step < 12; ++step) {
            for (Vec3d& x : l.x) x += Vec3d{normal(random), normal(random), normal(random)};
            l.update();
            ShortRange fresh = make_term(l, s, precision);
            check_equal(evaluate(old, l, {step, Need::yes, Need::yes, Need::no}), evaluate(fresh, l));
        }
        CHECK(old.lists().prunings() < 12);
        CHECK(old.lists().searches() < old.lists().prunings());
    }
}

TEST_CASE("a pair beyond the range of 32-bit sums has the evaluation repeated in double precision") {
    const NonbondedSettings s = pme();
    Liquid l(cubic, 200, Rule::lorentz_berthelot, 9);
    const Vec3d calm = l.x[3];
    ShortRange mixed = make_term(l, s, PairPrecision::mixed), exact = make_term(l, s, PairPrecision::double_);
    CHECK(!(evaluate(mixed, l).forces == evaluate(exact, l).forces));
    l.x[3] = l.x[0] + Vec3d{0.05, 0.01, 0.0};
    l.update();
    check_equal(evaluate(mixed, l), evaluate(exact, l));
    // On top of each other: finite, and still zero in sum.
    l.x[3] = l.x[0];
    l.update();
    CHECK(total(evaluate(mixed, l)) == Vec3l{});
    // Where overlaps are expected it is double precision from the start.
    l.x[3] = calm;
    l.update();
    CHECK(evaluate(mixed, l, {0, Need::no, Need::no, Need::yes}).forces == evaluate(exact, l).forces);
}

TEST_CASE("a pair that is held at the limit of the integers marks its evaluation") {
    NonbondedSettings s = pme();
    s.electrostatics = Electrostatics::none;
    Liquid l(Box(), 0, Rule::lorentz_berthelot, 1);
    l.x = {{1, 1, 1}, {1, 1, 1}, {2, 1, 1}};
    l.types = {2, 2, 2};
    l.charges = {0, 0, 0};
    // Energies of 4 eps (sigma/r)^12 and forces of 12/r times that, sigma 0.35 nm and eps 0.4 kJ/mol, up to 2^28: the
    // energy fits from 0.0746 nm on, the force from 0.106 nm on.
    for_each_target([&] {
        for (const double r : {0.0, 0.0005, 0.05, 0.09, 0.104, 0.108, 0.2}) {
            INFO("distance " << r);
            l.x[1].x = 1.0 + r;
            l.update();
            for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::double_}) {
                ShortRange term = make_term(l, s, precision);
                CHECK(evaluate(term, l).energies.out_of_range() == (r < 0.106));
                CHECK(evaluate(term, l, StepPlan{}).energies.out_of_range() == (r < 0.106));
            }
        }
        // Without parameters there is nothing to hold.
        l.types[1] = 1;
        l.x[1] = l.x[0];
        l.update();
        ShortRange term = make_term(l, s, PairPrecision::double_);
        CHECK(!evaluate(term, l).energies.out_of_range());
        l.types[1] = 2;
    });
}

TEST_CASE("no sum of pair forces leaves the range of its integers") {
    NonbondedSettings s = pme();
    constexpr StepPlan forces_only{};
    // Each pair is below the limit, all together on the strong charge from a sixth of the range of 32 bits to more than
    // twice that.
    for (const Electrostatics form : {Electrostatics::pme, Electrostatics::reaction_field}) {
        s.electrostatics = form;
        bool beyond = false;
        for (const int count : {6, 12, 20, 30, 45, 60, 90}) {
            const Liquid l = crowd(56.0, count, 0.36);
            ShortRange fast = make_term(l, s, PairPrecision::mixed), exact = make_term(l, s, PairPrecision::double_);
            const Result got = evaluate(fast, l, forces_only), expected = evaluate(exact, l, forces_only);
            CHECK(rms(got.forces, &expected.forces) <= 3e-6 * rms(expected.forces));
            CHECK(total(got) == Vec3l{});
            CHECK(evaluate(fast, l).forces == got.forces);
            const double largest = static_cast<double>(expected.forces[0].z) / fixed::force_scale;
            beyond = beyond || std::abs(largest) > 0x1p31 / fixed::pair_force_scale;
        }
        CHECK(beyond);
    }
}

TEST_CASE("the strength of a pair decides between single and double precision, and nothing else does") {
    NonbondedSettings s = pme();
    s.electrostatics = Electrostatics::reaction_field;
    s.reaction_field_permittivity = 1.0;
    const double r = 0.25, charge = mixed_force_limit * r * r * r / (0.5 * s.coulomb_constant);
    for (const double share : {0.98, 0.9999, 1.0001, 1.02}) {
        const Liquid l = crowd(share * charge, 1, r);
        ShortRange mixed = make_term(l, s, PairPrecision::mixed), exact = make_term(l, s, PairPrecision::double_);
        for (const StepPlan& plan : {StepPlan{}, everything}) {
            INFO("share " << share);
            CHECK((evaluate(mixed, l, plan).forces == evaluate(exact, l, plan).forces) == (share > 1.0));
        }
    }
}

// Whichever slot of a cluster is filled up with copies of an atom, its twin in another cluster does not look too
// strong.
TEST_CASE("an excluded atom at the same place leaves pairs in single precision") {
    for (int molecules = 60; molecules < 68; ++molecules) {
        Liquid l(cubic, molecules, Rule::table, 3);
        const int atoms = static_cast<int>(l.x.size());
        for (int i = 0; i < atoms; i += 3) {
            l.exclusions.push_back({i, static_cast<int>(l.x.size())});
            l.x.push_back(l.x[static_cast<std::size_t>(i)]);
            l.types.push_back(1);
            l.charges.push_back(0.01);
        }
        l.update();
        ShortRange mixed = make_term(l, pme(), PairPrecision::mixed),
                   exact = make_term(l, pme(), PairPrecision::double_);
        INFO(molecules << " molecules");
        CHECK(evaluate(mixed, l).forces != evaluate(exact, l).forces);
    }
}

TEST_CASE("combination rules are recognised") {
    const std::vector<int> types{0, 1, 2};
    const auto source = [&](Rule rule) {
        return find_lj_combination(Liquid(cubic, 1, rule, 1).force_field, types).source;
    };
    CHECK(source(Rule::lorentz_berthelot) == LjSource::lorentz_berthelot);
    CHECK(source(Rule::geometric) == LjSource::geometric);
    CHECK(source(Rule::table) == LjSource::table);
    // Only types in use count.
    CHECK(find_lj_combination(Liquid(cubic, 1, Rule::table, 1).force_field, std::vector<int>{0, 1}).source ==
          LjSource::lorentz_berthelot);
}

TEST_CASE("a splitting too large for single precision is refused") {
    NonbondedSettings s = pme();
    s.ewald_splitting = 4.7;
    const Liquid l(cubic, 10, Rule::table, 1);
    CHECK_THROWS_AS(make_term(l, s, PairPrecision::mixed), Error);
    CHECK_NOTHROW(make_term(l, s, PairPrecision::double_));
}
