// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "domain/local/local_terms.h"
#include "forces/bonded/cmap_surface.h"
#include "forces/force_sink.h"
#include "forces/force_term.h"

namespace mdsim::bonded {

/// What the functions below read and add to, for one thread and one evaluation.
struct Context {
    std::span<const Vec3d> x;
    ForceSink::Slot& slot;
    StepPlan plan;

    void add_energy(Term term, double energy) const {
        if (plan.energies == Need::yes) slot.energies()[term].add(energy);
    }
    void add_virial(const Vec3d& force, const Vec3d& difference) const {
        if (plan.virial == Need::yes) slot.energies().add_virial(force, difference);
    }
};

/// The periodic dihedrals of one quadruple of atoms, which share the geometry: terms first .. first + count - 1.
struct DihedralGroup {
    int i, j, k, l;
    int first, count;
};
struct DihedralSeries {
    int multiplicity;  ///< >= 0
    double force_constant, cos_phase, sin_phase;
};
struct PeriodicDihedrals {
    std::vector<DihedralGroup> groups;
    std::vector<DihedralSeries> series;
};

/// Groups neighbouring entries of the list with the same atoms in the same order.
PeriodicDihedrals group_by_atoms(std::span<const PeriodicDihedral> dihedrals);

// Each adds the terms of a list: forces always, energies and virial where the plan asks. A term is rounded by itself
// and the forces of its atoms sum to zero exactly.
void add_bonds(std::span<const Bond> bonds, const Context& context);
void add_urey_bradleys(std::span<const UreyBradley> terms, const Context& context);
/// 1-4 pairs, or others of that form, counted under the two terms.
struct PairTerms {
    Term lj, coulomb;
};
void add_pairs(std::span<const Pair14> pairs, double coulomb_constant, PairTerms terms, const Context& context);
void add_angles(std::span<const Angle> angles, const Context& context);
void add_g96_bonds(std::span<const G96Bond> bonds, const Context& context);
void add_g96_angles(std::span<const G96Angle> angles, const Context& context);
void add_periodic(std::span<const DihedralGroup> groups, std::span<const DihedralSeries> series, Term term,
                  const Context& context);
void add_harmonic_impropers(std::span<const HarmonicImproper> terms, const Context& context);
void add_ryckaert_bellemans(std::span<const RyckaertBellemans> terms, const Context& context);
void add_two_atom_terms(std::span<const TwoAtomTerm> terms, const Context& context);
void add_three_atom_terms(std::span<const ThreeAtomTerm> terms, const Context& context);
void add_four_atom_terms(std::span<const FourAtomTerm> terms, const Context& context);
/// `surfaces`: of ForceField::cmap_grids.
void add_cmaps(std::span<const Cmap> cmaps, std::span<const CmapSurface> surfaces, const Context& context);

}  // namespace mdsim::bonded
