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
// Forms that few force fields have share one record for each number of atoms. Their parameters p stand in the order of
// the comment; r, theta, phi are the distance, angle and dihedral angle of the atoms.

enum class TwoAtomForm : int {
    morse,          ///< p0 (1 - exp(-p1 (r - p2)))^2; [kJ/mol], [1/nm], [nm]
    cubic,          ///< p0 (r - p1)^2 (1 + p2 (r - p1)); [kJ/mol/nm^2], [nm], [1/nm]
    fene,           ///< -p0/2 p1^2 ln(1 - (r/p1)^2); [kJ/mol/nm^2], [nm]
    flat_bottomed,  ///< restraint: 0 for r in [p1, p2], p0/2 (r - nearest end)^2 outside, linear beyond p3;
                    ///< [kJ/mol/nm^2], [nm]
    angle_with_z    ///< restraint: p0 (1 + cos(p1 theta - phase)), theta of i -> j with the z axis, p1 a whole number,
                    ///< p2, p3 cosine and sine of the phase; [kJ/mol]
};
struct TwoAtomTerm {
    int i, j;
    TwoAtomForm form;
    std::array<double, 4> p;
    friend bool operator==(const TwoAtomTerm&, const TwoAtomTerm&) = default;
};
enum class ThreeAtomForm : int {
    bond_bond,   ///< p0 (r_ij - p1)(r_kj - p2); [kJ/mol/nm^2], [nm]
    bond_angle,  ///< p0 (r_ik - p3)(r_ij - p1 + r_kj - p2); [kJ/mol/nm^2], [nm]
    quartic,     ///< sum over n = 0 ... 4 of p[1 + n] (theta - p0)^n; [rad], [kJ/mol/rad^n]
    linear,      ///< p0/2 |x_j - p1 x_i - (1 - p1) x_k|^2; [kJ/mol/nm^2]
    restricted   ///< p0/2 (cos theta - p1)^2 / sin^2 theta; [kJ/mol]
};
struct ThreeAtomTerm {
    int i, j, k;
    ThreeAtomForm form;
    std::array<double, 6> p;
    friend bool operator==(const ThreeAtomTerm&, const ThreeAtomTerm&) = default;
};
enum class FourAtomForm : int {
    restricted,       ///< p0/2 (cos phi - p1)^2 / sin^2 phi; [kJ/mol]
    bending_torsion,  ///< sin^3 theta_ijk sin^3 theta_jkl sum over n = 0 ... 4 of p[n] cos^n phi; [kJ/mol]
    flat_bottomed,    ///< restraint: p0/2 (|phi - p1| - p2)^2 where that is more than 0; [kJ/mol/rad^2], [rad]
    vector_angle      ///< restraint: as angle_with_z, theta between i -> j and k -> l
};
struct FourAtomTerm {
    int i, j, k, l;
    FourAtomForm form;
    std::array<double, 5> p;
    friend bool operator==(const FourAtomTerm&, const FourAtomTerm&) = default;
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

/// The same without a force near the reference: k/2 (d - radius)^2 of an atom whose distance d from it, along some of
/// the axes, is more than the radius; or less, where the restraint keeps it `outside`.
struct FlatPositionRestraint {
    int i;
    std::array<int, 3> axes;  ///< 1 for those along which d is measured, else 0
    bool outside;
    double radius;          ///< [nm]
    double force_constant;  ///< [kJ/mol/nm^2]
    friend bool operator==(const FlatPositionRestraint&, const FlatPositionRestraint&) = default;
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
    std::vector<Pair14> plain_pairs;  ///< GROMACS' [ pairs_nb ]: as 1-4 pairs, but counted as lj_sr and coulomb_real
    std::vector<TwoAtomTerm> two_atom_terms;
    std::vector<ThreeAtomTerm> three_atom_terms;
    std::vector<FourAtomTerm> four_atom_terms;
    std::vector<Exclusion> exclusions;  ///< sorted, unique, i < j; 1-4 pairs are in it as well
    std::vector<PositionRestraint> position_restraints;
    std::vector<FlatPositionRestraint> flat_position_restraints;
    friend bool operator==(const TermLists&, const TermLists&) = default;
};

}  // namespace mdsim
