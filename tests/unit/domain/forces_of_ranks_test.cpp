// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <catch2/catch.hpp>

#include "domain/cut_system.h"
#include "domain/local/local_topology.h"
#include "forces/bonded/bonded_term.h"
#include "forces/exclusions.h"
#include "forces/restraints/flat_position_restraints.h"
#include "forces/restraints/position_restraints.h"
#include "parallel/threads.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

/// Forces on all atoms [2^-32 kJ/mol/nm], energies and virial, summed over ranks.
struct Sums {
    std::vector<Vec3l> forces;
    EnergySums energies;
};

NonbondedSettings settings_of(const System& system) {
    NonbondedSettings s;
    s.electrostatics = system.box.periodic() ? Electrostatics::pme : Electrostatics::reaction_field;
    s.ewald_splitting = 3.5;
    s.reaction_field_permittivity = 78.0;
    s.coulomb_constant = 138.935457644;
    return s;
}

using Terms = std::vector<std::unique_ptr<HostTerm>>;

/// Bonded terms, excluded pairs and both ways of holding atoms.
Terms make_terms(const System& system) {
    Terms terms;
    terms.push_back(make_bonded_term(system.topology, settings_of(system).coulomb_constant));
    terms.push_back(make_exclusion_term(system.topology, settings_of(system)));
    terms.push_back(std::make_unique<PositionRestraints>(0, std::nullopt, ReferenceScaling::with_box, system.box));
    terms.push_back(std::make_unique<FlatPositionRestraints>(0, system.box));
    terms.push_back(std::make_unique<PositionRestraints>(1, 300.0, ReferenceScaling::fixed, system.box));
    return terms;
}

/// Where the topology's restraints hold atoms, and where one of every third atom does.
std::vector<std::vector<Vec3d>> references_of(const System& system, const LocalAtoms& atoms) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::vector<Vec3d>> references(2);
    for (std::size_t n = 0; n < atoms.home; ++n) {
        const Vec3d& place = system.x[static_cast<std::size_t>(atoms.ids[n])];
        references[0].push_back(place);
        references[1].push_back(atoms.ids[n] % 3 == 1 ? place : Vec3d{none, none, none});
    }
    return references;
}

void add_rank(const System& system, LocalTopology& topology, const Terms& terms, const LocalAtoms& atoms,
              const std::vector<Vec3d>& x_of_all, Sums& sums) {
    std::vector<Vec3d> x;
    for (const std::int64_t id : atoms.ids) x.push_back(x_of_all[static_cast<std::size_t>(id)]);
    const Lattice lattice(system.box, x);
    std::vector<LatticePoint> points(x.size());
    lattice.points(x, points);
    const LocalTerms local = topology.build(atoms);
    const LocalParameters parameters = topology.local_parameters(atoms.ids);
    const Evaluation evaluation{system.box, lattice, x, points, {0, Need::yes, Need::yes}};
    ForceSink sink;
    sink.resize(x.size(), thread_count());
    sink.begin();
    const auto references = references_of(system, atoms);
    for (const auto& term : terms) {
        term->assign({atoms, local, parameters, references});
        term->rebuild(evaluation);
        term->compute_home(evaluation, sink);
        term->compute(evaluation, sink);
    }
    sink.finish();
    for (std::size_t n = 0; n < x.size(); ++n) sums.forces[static_cast<std::size_t>(atoms.ids[n])] += sink.forces()[n];
    sums.energies.add(sink.energies());
}

/// The same terms serve one rank after the other: nothing may be left of what was assigned before.
Sums sum_over(const System& system, const std::vector<LocalAtoms>& ranks, const std::vector<Vec3d>& x) {
    LocalTopology topology(system.topology);
    const Terms terms = make_terms(system);
    Sums sums{std::vector<Vec3l>(x.size()), {}};
    for (const LocalAtoms& atoms : ranks) add_rank(system, topology, terms, atoms, x, sums);
    return sums;
}

void check_same_as_one_rank(const System& system, const Bounds& bounds) {
    const CutSystem pieces = cut(system, bounds, 1.0, 1);
    const Sums one = sum_over(system, {all_atoms(system.topology)}, pieces.x);
    Sums many = sum_over(system, pieces.ranks, pieces.x);
    CHECK((many.forces == one.forces));
    const std::span<fixed::EnergySum> parts = many.energies.parts();
    Sums expected = one;
    for (std::size_t n = 0; n < parts.size(); ++n) {
        INFO("energy or virial " << n);
        CHECK((parts[n].units() == expected.energies.parts()[n].units()));
    }
    CHECK(one.energies.potential() != 0.0);
}

}  // namespace

TEST_CASE("forces, energies and virial of all ranks add up to the bits of one rank") {
    const std::array<int, 3> grid = GENERATE(std::array{2, 1, 1}, std::array{1, 3, 1}, std::array{2, 2, 2},
                                             std::array{1, 2, 3}, std::array{3, 2, 2});
    System protein = ubiquitin(), molecules = chains();
    scatter_images(protein, 30, 1);
    scatter_images(molecules, 30, 2);
    check_same_as_one_rank(protein, uniform(grid));
    check_same_as_one_rank(molecules, uniform(grid));
    check_same_as_one_rank(ubiquitin_in_vacuum(), squeezed(uniform(grid), 0.2));
}

TEST_CASE("regions of very unequal width add up to the bits of one rank, too") {
    check_same_as_one_rank(ubiquitin(), {{{0, 0.03, 1}, {0, 1}, {0, 0.9, 0.97, 1}}});
    check_same_as_one_rank(chains(), {{{0, 0.5, 0.52, 0.54, 1}, {0, 0.97, 1}, {0, 0.01, 0.99, 1}}});
}
