// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/pair_forces.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "domain/local/local_terms.h"
#include "forces/coulomb_constants.h"
#include "io/structure/gro.h"
#include "io/topology/gromacs.h"
#include "parallel/threads.h"
#include "tests/device/pairs/faulty_pairs.h"
#include "tests/device/pairs/pair_system.h"
#include "tests/unit/short_range/liquid.h"

using namespace mdsim;
using namespace mdsim::test;
using kernels::PairSums;

namespace {

PairAtoms atoms_of(const Liquid& l) {
    return {l.box, l.x, l.force_field, l.types, l.charges, l.exclusions};
}

PairAtoms ubiquitin() {
    const std::filesystem::path folder = source_folder() / "inputs" / "ubiquitin";
    const Topology topology = read_gromacs_topology(folder / "ubiquitin.top", {});
    const Structure structure = read_gro(folder / "ubiquitin.gro");
    const AtomParameters atoms = make_atom_parameters(topology);
    return {structure.box, structure.x,  topology.force_field,
            atoms.type,    atoms.charge, make_local_terms(topology).exclusions};
}

Case in_order() {
    return host_cases(0).front();
}

// One way of the host back end, and every device of this machine.
std::vector<Case> one_each() {
    std::vector<Case> cases = machine_cases();
    cases.insert(cases.begin(), in_order());
    return cases;
}

void check_forces(const PairResult& found, const Expected& expected, double limit) {
    double error = 0.0, size = 0.0;
    Vec3l total{};
    for (std::size_t i = 0; i < expected.forces.size(); ++i) {
        total += found.forces[i];
        for (int a = 0; a < 3; ++a) {
            const double e = static_cast<double>(expected.forces[i][a]) / fixed::force_scale;
            const double d = static_cast<double>(found.forces[i][a]) / fixed::pair_force_scale - e;
            error += d * d;
            size += e * e;
        }
    }
    CHECK(std::sqrt(error / size) < limit);
    CHECK(total == Vec3l{});
    CHECK(found.flags.out_of_range == 0);
}

void check_sums(const PairResult& found, const Expected& expected) {
    CHECK(found.sum(PairSums::lj) == Approx(expected.energies[Term::lj_sr].value()).epsilon(2e-6).margin(2e-2));
    CHECK(found.sum(PairSums::coulomb) ==
          Approx(expected.energies[Term::coulomb_real].value()).epsilon(2e-6).margin(2e-2));
    const Mat3d w = expected.energies.virial();
    const double v[3][3] = {{found.sum(PairSums::xx), found.sum(PairSums::xy), found.sum(PairSums::xz)},
                            {found.sum(PairSums::xy), found.sum(PairSums::yy), found.sum(PairSums::yz)},
                            {found.sum(PairSums::xz), found.sum(PairSums::yz), found.sum(PairSums::zz)}};
    const double margin = 1e-5 * std::abs(w[0].x) + 2e-2;
    for (std::size_t a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) CHECK(std::abs(v[a][b] - w[a][b]) < margin);
    }
}

// Single precision and rounding to 2^-12 kJ/mol/nm leave 3e-6, as on the CPU.
void check_against_reference(const PairAtoms& atoms, const NonbondedSettings& s, double limit = 3e-6) {
    const PairSystem system(atoms, s);
    const Expected expected = system.reference();
    for (const Case& c : one_each()) {
        INFO(c.name);
        const PairResult found = system.run(c, {.everything = true});
        check_forces(found, expected, limit);
        check_sums(found, expected);
        CHECK(system.run(c).forces == found.forces);
    }
}

}  // namespace

TEST_CASE("pair forces agree with the plain loops in every form", "[device]") {
    const PairAtoms cube = atoms_of(Liquid(cubic, 330, Rule::lorentz_berthelot, 1));
    const PairAtoms skew = atoms_of(Liquid(dodecahedron, 400, Rule::table, 11));
    const PairAtoms geometric = atoms_of(Liquid(cubic, 330, Rule::geometric, 5));
    for (const double splitting : {3.12, 3.6}) {  // polynomial and rational
        NonbondedSettings s = pme();
        s.ewald_splitting = splitting;
        check_against_reference(geometric, s);
        s.switch_from = 0.75;
        for (const LennardJones lj : {LennardJones::shift, LennardJones::potential_switch, LennardJones::force_switch,
                                      LennardJones::charmm_force_switch}) {
            INFO("form " << static_cast<int>(lj) << ", splitting " << splitting);
            s.lennard_jones = lj;
            check_against_reference(cube, s);
            check_against_reference(skew, s);
        }
    }
}

TEST_CASE("pair forces with a reaction field, a plain cutoff and without a box", "[device]") {
    const PairAtoms skew = atoms_of(Liquid(dodecahedron, 400, Rule::table, 11));
    NonbondedSettings s = pme();
    s.switch_from = 0.75;
    for (const LennardJones lj : {LennardJones::cut, LennardJones::potential_switch, LennardJones::force_switch,
                                  LennardJones::charmm_force_switch}) {
        s.lennard_jones = lj;
        s.electrostatics = Electrostatics::reaction_field;
        s.reaction_field_permittivity = 78.0;
        check_against_reference(skew, s);
        s.electrostatics = Electrostatics::cutoff;
        check_against_reference(skew, s);
    }
    // Without a cutoff an atom has hundreds of addends rounded to 2^-12 kJ/mol/nm, and the vacuum lattice is coarser.
    s.electrostatics = Electrostatics::none;
    check_against_reference(atoms_of(Liquid(Box(), 150, Rule::geometric, 4)), s, 2.4e-5);
}

TEST_CASE("pair forces, energies and the pruned list have the same bits in any order of threads", "[device]") {
    const PairSystem system(atoms_of(Liquid(dodecahedron, 300, Rule::lorentz_berthelot, 5)), pme());
    const PairResult first = system.run(in_order(), {.everything = true});
    for (const Case& c : host_cases()) {
        INFO(c.name);
        const PairResult found = system.run(c, {.everything = true});
        CHECK(found.forces == first.forces);
        CHECK(std::memcmp(&found.sums, &first.sums, sizeof(PairSums)) == 0);
        CHECK(found.kept.entries == first.kept.entries);
        CHECK(found.kept.masks == first.kept.masks);
    }
    // A square root of a device may round otherwise than that of the host; distances squared are the same.
    for (const Case& c : machine_cases()) {
        INFO(c.name);
        const PairResult once = system.run(c, {.everything = true}), again = system.run(c, {.everything = true});
        CHECK(once.kept.entries == first.kept.entries);
        CHECK(again.forces == once.forces);
        CHECK(std::memcmp(&again.sums, &once.sums, sizeof(PairSums)) == 0);
    }
}

TEST_CASE("pair forces of ubiquitin in water", "[device]") {
    NonbondedSettings s = pme();
    s.coulomb_constant = units::coulomb_codata2018;
    const PairSystem system(ubiquitin(), s);
    const Expected expected = system.reference(), cpu = system.cpu();
    std::vector<Vec3l> first;
    for (const Case& c : one_each()) {
        INFO(c.name);
        const PairResult found = system.run(c, {.everything = true});
        // Not minimised: clashes, where a force changes fast with the distance, leave 4e-6, in the kernels of the CPU
        // too.
        check_forces(found, expected, 5e-6);
        check_forces(found, cpu, 3e-6);
        check_sums(found, expected);
        CHECK(system.run(c).forces == found.forces);
        if (first.empty()) first = found.forces;
    }
    for (const Case& c : host_cases(1)) {
        INFO(c.name);
        CHECK(system.run(c).forces == first);
    }
}

TEST_CASE("pruning loses no pair, and keeps no pair of clusters out of reach", "[device]") {
    const PairSystem system(atoms_of(Liquid(dodecahedron, 400, Rule::table, 11)), pme());
    const PairResult pruned = system.run(in_order(), {.everything = true});
    CHECK(pruned.forces == system.run(in_order(), {.pruned = false}).forces);
    const Clusters& clusters = system.lists().clusters();
    const LatticeMetric<double> m(system.lattice().cell());
    const auto nearest = [&](std::uint32_t a, std::uint32_t b) {
        double least = 1e30;
        const ClusterPoints &p = clusters.points()[a], &q = clusters.points()[b];
        for (int k = 0; k < cluster_size * cluster_size; ++k) {
            const int i = k / cluster_size, j = k % cluster_size;
            const double dx = lattice_difference(p.x[i], q.x[j]), dy = lattice_difference(p.y[i], q.y[j]);
            const double dz = lattice_difference(p.z[i], q.z[j]);
            least = std::min(least, norm(Vec3d{dx * m.xx + dy * m.yx + dz * m.zx, dy * m.yy + dz * m.zy, dz * m.zz}));
        }
        return least;
    };
    const TileList& outer = system.outer();
    std::size_t dropped = 0;
    for (std::size_t r = 0; r < outer.rows.size(); ++r) {
        const TileRow &from = outer.rows[r], &to = pruned.kept.rows[r];
        std::uint32_t at = to.begin, mask_at = to.masks;
        for (std::uint32_t e = from.begin; e < from.end; ++e) {
            const double distance = nearest(from.cluster, outer.entries[e]);
            if (std::abs(distance - system.lists().inner_radius()) < 1e-5) continue;
            if (distance > system.lists().inner_radius()) {
                ++dropped;
                continue;
            }
            REQUIRE(at < to.end);
            REQUIRE(pruned.kept.entries[at] == outer.entries[e]);
            REQUIRE((at < to.masked_end) == (e < from.masked_end));
            if (e < from.masked_end) {
                REQUIRE(pruned.kept.masks[mask_at++] == outer.masks[from.masks + e - from.begin]);
            }
            ++at;
        }
        REQUIRE(at == to.end);
    }
    CHECK(dropped > outer.entries.size() / 10);
}

TEST_CASE("the list of a device says how many additions a cluster gets at most", "[device]") {
    const int threads = thread_count();
    for (const int n : {1, 3}) {
        set_thread_count(n);
        const PairSystem system(atoms_of(Liquid(dodecahedron, 400, Rule::table, 11)), pme());
        std::vector<std::uint32_t> counts(system.lists().clusters().size(), 0);
        for (const TileRow& row : system.outer().rows) ++counts[row.cluster];
        for (const std::uint32_t cluster : system.outer().entries) ++counts[cluster];
        CHECK(system.outer().most_additions == *std::max_element(counts.begin(), counts.end()));
    }
    set_thread_count(threads);
}

TEST_CASE("no sum of pair forces on a device leaves the range of its integers", "[device]") {
    // Each pair is below the limit, all together on the strong charge up to more than twice the range of 32 bits.
    bool second_words = false;
    for (const int count : {1, 6, 20, 45, 90}) {
        const PairSystem system(atoms_of(crowd(56.0, count, 0.36)), pme());
        const Expected expected = system.reference();
        const PairResult first = system.run(in_order());
        for (const Case& c : one_each()) check_forces(system.run(c), expected, 3e-6);
        second_words = first.second_words;
        for (const Case& c : host_cases(2)) CHECK(system.run(c, {.everything = true}).forces == first.forces);
    }
    CHECK(second_words);
}

TEST_CASE("a pair beyond the range of 32-bit sums is reported", "[device]") {
    Liquid l(cubic, 200, Rule::lorentz_berthelot, 9);
    for (const double distance : {0.12, 0.0}) {
        l.x[3] = l.x[0] + Vec3d{distance, 0.0, 0.0};
        l.update();
        const PairSystem system(atoms_of(l), pme());
        for (const Case& c : one_each()) {
            CHECK(system.run(c).flags.out_of_range == 1);
            CHECK(system.run(c, {.everything = true}).flags.out_of_range == 1);
        }
    }
}

TEST_CASE("pair forces without a barrier are found to be wrong", "[device]") {
    NonbondedSettings s = pme();
    s.electrostatics = Electrostatics::reaction_field;
    s.lennard_jones = LennardJones::cut;
    const PairSystem system(atoms_of(Liquid(cubic, 100, Rule::lorentz_berthelot, 5)), s);
    const std::vector<Vec3l> right = system.run(in_order()).forces;
    for (const Case& c : host_cases(5)) {
        INFO(c.name);
        CHECK(system.run(c, {.launch = kernels::add_pair_forces_without_barrier}).forces != right);
    }
}
