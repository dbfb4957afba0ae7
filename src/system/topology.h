// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/box.h"
#include "system/molecules/virtual_site.h"
#include "system/terms.h"

namespace mdsim {

/// Global atom number in input order, from 0.
enum class AtomId : std::int64_t {};

/// Of one atom of a molecule type.
struct Atom {
    std::string name;
    int type = 0;         ///< into ForceField
    int element = 0;      ///< atomic number, 0 where unknown
    int residue = 0;      ///< into MoleculeType::residues
    double charge = 0.0;  ///< [e]
    double mass = 0.0;    ///< [u]; 0 for a virtual site, and for nothing else
    friend bool operator==(const Atom&, const Atom&) = default;
};

struct Residue {
    std::string name;
    int number = 1;        ///< as in the file, within the first copy
    std::string chain;     ///< empty where the format has none
    char insertion = ' ';  ///< code that tells residues of one number apart (60, 60A), a blank for none
    friend bool operator==(const Residue&, const Residue&) = default;
};

/// A molecule, described once however many copies the system has.
struct MoleculeType : TermLists {
    std::string name;
    std::vector<Atom> atoms;
    std::vector<Residue> residues;
    /// Fixed by the file itself ([ constraints ], [ settles ]); those chosen by input come later.
    std::vector<Constraint> constraints;
    std::vector<Settle> settles;
    std::vector<VirtualSite> virtual_sites;  ///< parents that are sites come first (put_in_order)
    /// Pairs of bonded atoms without a force of their own (connections of rigid water, GROMACS bond type 5) and those
    /// of `g96_bonds`: for making molecules whole and for topology output.
    std::vector<Exclusion> connections;

    int size() const { return static_cast<int>(atoms.size()); }
    friend bool operator==(const MoleculeType&, const MoleculeType&) = default;
};

/// `count` molecules of one type, one after the other in the coordinates.
struct MoleculeBlock {
    int type = 0;  ///< into Topology::types
    std::int64_t count = 0;
};

/// What the system is made of. Atoms are numbered block by block, molecule by molecule.
struct Topology {
    std::string title;
    std::vector<MoleculeType> types;
    std::vector<MoleculeBlock> blocks;
    ForceField force_field;
    Box file_box;  ///< of the topology's file, which coordinates with a box supersede; vacuum where it has none

    std::int64_t atoms() const;
    std::int64_t molecules() const;
    std::int64_t residues() const;
    double charge() const;  ///< [e]
    double mass() const;    ///< [u]

    /// Calls f(const MoleculeType&, int64 number of its first atom, int64 number of the molecule) for every molecule,
    /// in order.
    template <class F>
    void for_each_molecule(F&& f) const {
        std::int64_t first = 0, molecule = 0;
        for (const MoleculeBlock& block : blocks) {
            const MoleculeType& type = types[static_cast<std::size_t>(block.type)];
            for (std::int64_t copy = 0; copy < block.count; ++copy, ++molecule) {
                f(type, first, molecule);
                first += type.size();
            }
        }
    }
};

}  // namespace mdsim
