// SPDX-License-Identifier: Apache-2.0
#include "domain/local_terms.h"

#include <limits>

#include "core/error.h"

namespace mdsim {

namespace {

/// Appends the terms of one molecule, every atom number moved by `first`.
template <class T, class... Members>
void append(std::vector<T>& out, const std::vector<T>& terms, int first, Members... members) {
    for (T term : terms) {
        ((term.*members += first), ...);
        out.push_back(term);
    }
}

void reserve(LocalTerms& out, const Topology& topology) {
    const auto count = [&](auto member) {
        std::size_t n = 0;
        for (const MoleculeBlock& block : topology.blocks) {
            n += static_cast<std::size_t>(block.count) *
                 (topology.types[static_cast<std::size_t>(block.type)].*member).size();
        }
        return n;
    };
    out.bonds.reserve(count(&MoleculeType::bonds));
    out.angles.reserve(count(&MoleculeType::angles));
    out.urey_bradleys.reserve(count(&MoleculeType::urey_bradleys));
    out.proper_dihedrals.reserve(count(&MoleculeType::proper_dihedrals));
    out.pairs14.reserve(count(&MoleculeType::pairs14));
    out.exclusions.reserve(count(&MoleculeType::exclusions));
}

}  // namespace

LocalTerms make_local_terms(const Topology& topology) {
    MDSIM_EXPECT(topology.atoms() < std::numeric_limits<int>::max());
    LocalTerms out;
    reserve(out, topology);
    topology.for_each_molecule([&](const MoleculeType& m, std::int64_t first_atom, std::int64_t) {
        const int first = static_cast<int>(first_atom);
        append(out.bonds, m.bonds, first, &Bond::i, &Bond::j);
        append(out.angles, m.angles, first, &Angle::i, &Angle::j, &Angle::k);
        append(out.g96_bonds, m.g96_bonds, first, &G96Bond::i, &G96Bond::j);
        append(out.g96_angles, m.g96_angles, first, &G96Angle::i, &G96Angle::j, &G96Angle::k);
        append(out.urey_bradleys, m.urey_bradleys, first, &UreyBradley::i, &UreyBradley::k);
        using P = PeriodicDihedral;
        append(out.proper_dihedrals, m.proper_dihedrals, first, &P::i, &P::j, &P::k, &P::l);
        append(out.improper_dihedrals, m.improper_dihedrals, first, &P::i, &P::j, &P::k, &P::l);
        using H = HarmonicImproper;
        append(out.harmonic_impropers, m.harmonic_impropers, first, &H::i, &H::j, &H::k, &H::l);
        using R = RyckaertBellemans;
        append(out.ryckaert_bellemans, m.ryckaert_bellemans, first, &R::i, &R::j, &R::k, &R::l);
        append(out.pairs14, m.pairs14, first, &Pair14::i, &Pair14::j);
        append(out.exclusions, m.exclusions, first, &Exclusion::i, &Exclusion::j);
        append(out.position_restraints, m.position_restraints, first, &PositionRestraint::i);
    });
    return out;
}

AtomParameters make_atom_parameters(const Topology& topology) {
    AtomParameters out;
    const auto n = static_cast<std::size_t>(topology.atoms());
    out.id.reserve(n);
    out.mass.reserve(n);
    out.inverse_mass.reserve(n);
    out.charge.reserve(n);
    out.type.reserve(n);
    topology.for_each_molecule([&](const MoleculeType& m, std::int64_t, std::int64_t) {
        for (const Atom& atom : m.atoms) {
            out.id.push_back(static_cast<std::int64_t>(out.id.size()));
            out.mass.push_back(atom.mass);
            out.inverse_mass.push_back(atom.mass > 0.0 ? 1.0 / atom.mass : 0.0);
            out.charge.push_back(atom.charge);
            out.type.push_back(atom.type);
        }
    });
    return out;
}

}  // namespace mdsim
