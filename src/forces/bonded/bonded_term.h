// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "forces/bonded/bonded_lists.h"

namespace mdsim {

/// Bonds, angles, Urey-Bradley, dihedrals, impropers, CMAP, 1-4 pairs, and restraints between atoms that a topology
/// has. Plain differences of the unwrapped positions: molecules are whole and are never wrapped.
class BondedTerm final : public HostTerm {
  public:
    /// Of no atoms until some are assigned. coulomb_constant [kJ nm/mol/e^2] is for the 1-4 pairs.
    explicit BondedTerm(double coulomb_constant, std::span<const CmapGrid> cmap_grids = {});

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override;
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

  private:
    void compute_part(std::size_t part, std::size_t parts, const bonded::Context& context) const;

    std::vector<Bond> bonds_;
    std::vector<Angle> angles_;
    std::vector<G96Bond> g96_bonds_;
    std::vector<G96Angle> g96_angles_;
    std::vector<UreyBradley> urey_bradleys_;
    bonded::PeriodicDihedrals propers_, impropers_;
    std::vector<HarmonicImproper> harmonic_impropers_;
    std::vector<RyckaertBellemans> ryckaert_bellemans_;
    std::vector<Cmap> cmaps_;
    std::vector<Pair14> pairs14_, plain_pairs_;
    std::vector<TwoAtomTerm> two_atom_terms_;
    std::vector<ThreeAtomTerm> three_atom_terms_;
    std::vector<FourAtomTerm> four_atom_terms_;
    std::vector<bonded::CmapSurface> cmap_surfaces_;  // extent: grids of the force field
    double coulomb_constant_;
};

/// The bonded term of a system, or nothing where it has no bonded terms.
std::unique_ptr<HostTerm> make_bonded_term(const Topology& topology, double coulomb_constant);

}  // namespace mdsim
