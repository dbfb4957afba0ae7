// SPDX-License-Identifier: Apache-2.0
#include "forces/bonded/bonded_term.h"

#include <algorithm>

#include "parallel/threads.h"
#include "system/molecules/term_atoms.h"

namespace mdsim {

BondedTerm::BondedTerm(double coulomb_constant, std::span<const CmapGrid> cmap_grids)
    : cmap_surfaces_(cmap_grids.begin(), cmap_grids.end()), coulomb_constant_(coulomb_constant) {}

void BondedTerm::assign(const LocalSystem& system) {
    const LocalTerms& terms = system.terms;
    bonds_ = terms.bonds;
    angles_ = terms.angles;
    g96_bonds_ = terms.g96_bonds;
    g96_angles_ = terms.g96_angles;
    urey_bradleys_ = terms.urey_bradleys;
    propers_ = bonded::group_by_atoms(terms.proper_dihedrals);
    impropers_ = bonded::group_by_atoms(terms.improper_dihedrals);
    harmonic_impropers_ = terms.harmonic_impropers;
    ryckaert_bellemans_ = terms.ryckaert_bellemans;
    cmaps_ = terms.cmaps;
    pairs14_ = terms.pairs14;
    plain_pairs_ = terms.plain_pairs;
    two_atom_terms_ = terms.two_atom_terms;
    three_atom_terms_ = terms.three_atom_terms;
    four_atom_terms_ = terms.four_atom_terms;
}

// Every list is cut into as many parts as there are threads; a term is the same whichever thread computes it.
void BondedTerm::compute(const Evaluation& evaluation, ForceSink& sink) {
    const auto parts = static_cast<std::size_t>(thread_count());
    parallel_ranges(parts, [&](int thread, std::size_t begin, std::size_t end) {
        const bonded::Context context{evaluation.x, sink.slot(thread), evaluation.plan};
        for (std::size_t part = begin; part < end; ++part) compute_part(part, parts, context);
    });
}

void BondedTerm::compute_part(std::size_t part, std::size_t parts, const bonded::Context& context) const {
    const auto share = [&](const auto& list) {
        const std::size_t first = list.size() * part / parts, last = list.size() * (part + 1) / parts;
        return std::span(list).subspan(first, last - first);
    };
    add_bonds(share(bonds_), context);
    add_angles(share(angles_), context);
    add_g96_bonds(share(g96_bonds_), context);
    add_g96_angles(share(g96_angles_), context);
    add_urey_bradleys(share(urey_bradleys_), context);
    add_periodic(share(propers_.groups), propers_.series, Term::proper_dihedral, context);
    add_periodic(share(impropers_.groups), impropers_.series, Term::improper_periodic, context);
    add_harmonic_impropers(share(harmonic_impropers_), context);
    add_ryckaert_bellemans(share(ryckaert_bellemans_), context);
    add_cmaps(share(cmaps_), cmap_surfaces_, context);
    add_pairs(share(pairs14_), coulomb_constant_, {Term::lj_14, Term::coulomb_14}, context);
    add_pairs(share(plain_pairs_), coulomb_constant_, {Term::lj_sr, Term::coulomb_real}, context);
    add_two_atom_terms(share(two_atom_terms_), context);
    add_three_atom_terms(share(three_atom_terms_), context);
    add_four_atom_terms(share(four_atom_terms_), context);
}

namespace {

bool has_bonded_terms(const TermLists& t) {
    const std::size_t others = t.exclusions.size() + t.position_restraints.size() + t.flat_position_restraints.size();
    return term_count_of(t) > others;
}

}  // namespace

std::unique_ptr<HostTerm> make_bonded_term(const Topology& topology, double coulomb_constant) {
    if (std::none_of(topology.types.begin(), topology.types.end(), has_bonded_terms)) return nullptr;
    return std::make_unique<BondedTerm>(coulomb_constant, topology.force_field.cmap_grids);
}

}  // namespace mdsim
