// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "system/force_field.h"

namespace mdsim {

// Atom numbers count from 0 within the molecule or, in lists of all atoms, within those. Formulas: src/physics/.

/// k/2 (r - r0)^2. k [kJ/mol/nm^2], r0 [nm].
struct Bond {
    int i, j;
    double k, r0;
    friend bool operator==(const Bond&, const Bond&) = default;
};
/// k/4 (r^2 - r0^2)^2, the bond of the GROMOS force fields. k [kJ/mol/nm^4], r0 [nm].
struct G96Bond {
    int i, j;
    double k, r0;
    friend bool operator==(const G96Bond&, const G96Bond&) = default;
};
/// k/2 (theta - theta0)^2 at atom j. k [kJ/mol/rad^2], theta0 [rad].
struct Angle {
    int i, j, k;
    double force_constant, theta0;
    friend bool operator==(const Angle&, const Angle&) = default;
};
/// k/2 (cos theta - cos theta0)^2 at atom j, the angle of the GROMOS force fields. k [kJ/mol].
struct G96Angle {
    int i, j, k;
    double force_constant, cos_theta0;
    friend bool operator==(const G96Angle&, const G96Angle&) = default;
};
/// k/2 (r_ik - r0)^2 between the ends of an angle. k [kJ/mol/nm^2], r0 [nm].
struct UreyBradley {
    int i, k;
    double force_constant, r0;
    friend bool operator==(const UreyBradley&, const UreyBradley&) = default;
};
/// k (1 + cos(n phi - phase)). k [kJ/mol], phase [rad]. phi by IUPAC: 0 is cis.
struct PeriodicDihedral {
    int i, j, k, l;
    int multiplicity;
    double force_constant, phase;
    friend bool operator==(const PeriodicDihedral&, const PeriodicDihedral&) = default;
};
/// k/2 (xi - xi0)^2, xi the dihedral angle i-j-k-l, the difference taken into (-pi, pi]. k [kJ/mol/rad^2], xi0 [rad].
struct HarmonicImproper {
    int i, j, k, l;
    double force_constant, xi0;
    friend bool operator==(const HarmonicImproper&, const HarmonicImproper&) = default;
};
/// sum_n c[n] cos^n(phi - pi). c [kJ/mol].
struct RyckaertBellemans {
    int i, j, k, l;
    double c[6];
    friend bool operator==(const RyckaertBellemans&, const RyckaertBellemans&) = default;
};
/// The energy of a grid at two dihedral angles: that of the first four atoms and that of the last four, each in IUPAC's
/// sign. Readers add each grid once to ForceField::cmap_grids, however many terms and molecule types use it, and give
/// its number here; splitting into molecules does not change it. CHARMM's .psf names all eight atoms; where a file
/// names five (GROMACS, AMBER), `of_five` says which eight they are.
struct Cmap {
    std::array<int, 8> atoms;
    int grid;  ///< into ForceField::cmap_grids
    static Cmap of_five(int i, int j, int k, int l, int m, int grid) { return {{i, j, k, l, j, k, l, m}, grid}; }
    friend bool operator==(const Cmap&, const Cmap&) = default;
};
/// A 1-4 pair: c12/r^12 - c6/r^6 + ke * charge_product / r, without cutoff. charge_product [e^2] holds the fudge
/// factor.
struct Pair14 {
    int i, j;
    LjParameters lj;
    double charge_product;
    friend bool operator==(const Pair14&, const Pair14&) = default;
};
/// Two atoms that have no non-bonded interaction with each other, i < j.
struct Exclusion {
    int i, j;
    friend bool operator==(const Exclusion&, const Exclusion&) = default;
    // NOLINTNEXTLINE(modernize-use-nullptr): what clang-tidy 14 makes of a defaulted comparison
    friend auto operator<=>(const Exclusion&, const Exclusion&) = default;
};
/// A fixed distance [nm].
struct Constraint {
    int i, j;
    double length;
    friend bool operator==(const Constraint&, const Constraint&) = default;
};
/// Rigid three-site water: oxygen, two hydrogens; distances O-H and H-H [nm].
struct Settle {
    int oxygen, hydrogen1, hydrogen2;
    double oh, hh;
    friend bool operator==(const Settle&, const Settle&) = default;
};
/// GROMACS' [ position_restraints ]: k_a/2 (x_a - x0_a)^2 along each axis. k [kJ/mol/nm^2].
struct PositionRestraint {
    int i;
    double kx, ky, kz;
    friend bool operator==(const PositionRestraint&, const PositionRestraint&) = default;
};

/// The terms that act within a molecule, or all of them of many molecules.
struct TermLists {
    std::vector<Bond> bonds;
    std::vector<Angle> angles;
    std::vector<G96Bond> g96_bonds;
    std::vector<G96Angle> g96_angles;
    std::vector<UreyBradley> urey_bradleys;
    std::vector<PeriodicDihedral> proper_dihedrals;
    std::vector<PeriodicDihedral> improper_dihedrals;
    std::vector<HarmonicImproper> harmonic_impropers;
    std::vector<RyckaertBellemans> ryckaert_bellemans;
    std::vector<Cmap> cmaps;
    std::vector<Pair14> pairs14;
    std::vector<Exclusion> exclusions;  ///< sorted, unique, i < j; 1-4 pairs are in it as well
    std::vector<PositionRestraint> position_restraints;
    friend bool operator==(const TermLists&, const TermLists&) = default;
};

}  // namespace mdsim
