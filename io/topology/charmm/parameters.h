// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "system/box.h"
#include "system/force_field.h"

/// What CHARMM's parameter files hold, in mdsim's units and by names of atom types in upper case. "X" stands for any
/// type in dihedrals and impropers. Format and meaning: CHARMM documentation, parmfile.info.
namespace mdsim::charmm {

template <std::size_t n>
using Types = std::array<std::string, n>;

/// k/2 (x - x0)^2. k [kJ/mol/nm^2], x0 [nm].
struct BondParameters {
    double k, r0;
    friend bool operator==(const BondParameters&, const BondParameters&) = default;
};
/// As Angle and UreyBradley have them. A Urey-Bradley term is there where its constant is not zero.
struct AngleParameters {
    double k, theta0;
    double urey_bradley_k, urey_bradley_r0;
    friend bool operator==(const AngleParameters&, const AngleParameters&) = default;
};
/// k (1 + cos(n phi - phase)); with n = 0 it is harmonic, k/2 (phi - phase)^2. k [kJ/mol or kJ/mol/rad^2], phase [rad].
struct TorsionParameters {
    int n;
    double k, phase;
    friend bool operator==(const TorsionParameters&, const TorsionParameters&) = default;
};
/// Depth of the well [kJ/mol] and half the distance of its minimum [nm], and those of pairs three bonds apart.
struct LjType {
    double depth, half_distance;
    double depth14, half_distance14;
    friend bool operator==(const LjType&, const LjType&) = default;
};
/// The same of a pair of types (NBFIX): the whole distance.
struct LjPair {
    double depth, distance;
    double depth14, distance14;
    friend bool operator==(const LjPair&, const LjPair&) = default;
};
/// Of a line MASS. Some PSF files have the number in place of the name.
struct AtomType {
    int number = 0;
    double mass = 0.0;  ///< [u]
    bool of_topology_file = false;
};

/// A value and the part of a file that it was read from last.
template <class T>
struct Entry {
    T value;
    int part = 0;
};

/// All parameters of all files, later ones in place of earlier ones.
struct Parameters {
    std::map<std::string, AtomType> types;
    std::map<Types<2>, Entry<BondParameters>> bonds;
    std::map<Types<3>, Entry<AngleParameters>> angles;
    std::map<Types<4>, Entry<std::vector<TorsionParameters>>> dihedrals;
    std::map<Types<4>, Entry<TorsionParameters>> impropers;
    std::map<Types<8>, Entry<CmapGrid>> cmaps;
    std::map<std::string, Entry<LjType>> lj;
    std::map<Types<2>, Entry<LjPair>> lj_pairs;
    double coulomb14 = 1.0;        ///< factor of charges three bonds apart (E14FAC)
    bool geometric_radii = false;  ///< distances of mixed pairs are geometric means, not arithmetic ones
    std::optional<Box> box;        ///< of a stream that sets A, B and C
    std::int64_t residues = 0, patches = 0;
    std::vector<std::string> notes;  ///< what was replaced and what was left out, for the log
};

// The parameters of a term in CHARMM's order of preference; null where there are none.
const BondParameters* find_bond(const Parameters& parameters, const Types<2>& types);
const AngleParameters* find_angle(const Parameters& parameters, const Types<3>& types);
/// All four types, then X-B-C-X.
const std::vector<TorsionParameters>* find_dihedral(const Parameters& parameters, const Types<4>& types);
/// All four types, then A-X-X-D, X-B-C-D, X-B-C-X and X-X-C-D, each in both directions.
const TorsionParameters* find_improper(const Parameters& parameters, const Types<4>& types);
const CmapGrid* find_cmap(const Parameters& parameters, const Types<8>& types);

/// The one of the two directions in which a key stands in the tables.
template <std::size_t n>
std::array<std::string, n> canonical(const std::array<std::string, n>& types) {
    std::array<std::string, n> reversed = types;
    std::reverse(reversed.begin(), reversed.end());
    return reversed < types ? reversed : types;
}
/// The same of an improper, whose patterns have a direction. Nothing where it is no pattern that CHARMM knows.
std::optional<Types<4>> canonical_improper(const Types<4>& types);

}  // namespace mdsim::charmm
