// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "domain/local/local_terms.h"
#include "system/energies.h"

namespace mdsim {

/// Energies of correction maps and of the forms that few force fields have, in plain double precision, each formula as
/// docs/theory/bonded.md states it, from distances and from angles of the C library: what the terms of forces/bonded
/// are tested against.
class BondedReference {
  public:
    /// coulomb_constant [kJ nm/mol/e^2]: of the plain pairs.
    BondedReference(const LocalTerms& terms, std::span<const CmapGrid> cmap_grids, double coulomb_constant)
        : terms_(terms), cmap_grids_(cmap_grids), coulomb_constant_(coulomb_constant) {}

    /// [kJ/mol] of each Term at positions x [nm], extent: local atoms.
    std::array<double, term_count> energies(std::span<const Vec3d> x) const;

  private:
    const LocalTerms& terms_;
    std::span<const CmapGrid> cmap_grids_;
    double coulomb_constant_;
};

}  // namespace mdsim
