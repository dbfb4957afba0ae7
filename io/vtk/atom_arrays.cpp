// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/atom_arrays.h"

#include <array>
#include <string_view>

#include "system/molecules/drawn_bonds.h"
#include "system/selection/residue_names.h"

namespace mdsim {

namespace {

// [0.01 Angstrom] by atomic number; 0: in neither table.
constexpr std::array<int, 93> radii{
    0,                                                                                         //
    110, 140,                                                                                  // H He
    181, 153, 192, 170, 155, 152, 147, 154,                                                    // Li ... Ne
    227, 173, 184, 210, 180, 180, 175, 188,                                                    // Na ... Ar
    275, 231, 0,   0,   0,   0,   0,   0,   0,   163, 140, 139, 187, 211, 185, 190, 183, 202,  // K ... Kr
    303, 249, 0,   0,   0,   0,   0,   0,   0,   163, 172, 158, 193, 217, 206, 206, 198, 216,  // Rb ... Xe
    343, 268, 0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,              // Cs ... Yb
    0,   0,   0,   0,   0,   0,   0,   175, 166, 155, 196, 202, 207, 197, 202, 220,            // Lu ... Rn
    348, 283, 0,   0,   0,   186};                                                             // Fr ... U

AtomKind kind_of(const MoleculeType& type, const Residue& residue) {
    if (is_water_residue(residue.name)) return AtomKind::water;
    if (is_protein_residue(residue.name)) return AtomKind::protein;
    return type.size() == 1 && type.atoms.front().charge != 0.0 ? AtomKind::ion : AtomKind::other;
}

}  // namespace

float vdw_radius(int atomic_number) {
    const bool known = atomic_number > 0 && atomic_number < static_cast<int>(radii.size());
    const int radius = known ? radii[static_cast<std::size_t>(atomic_number)] : 0;
    return radius > 0 ? static_cast<float>(radius) * 0.001F : 0.2F;
}

AtomArrays::AtomArrays(const Topology& topology, std::span<const std::int64_t> ids) {
    std::int32_t residues_before = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t molecule) {
        for (const Atom& atom : type.atoms) {
            const Residue& residue = type.residues[static_cast<std::size_t>(atom.residue)];
            const std::size_t place = size();
            atom_id.push_back(
                static_cast<std::int32_t>((ids.empty() ? static_cast<std::int64_t>(place) : ids[place]) + 1));
            element.push_back(atom.element);
            residue_id.push_back(residues_before + atom.residue + 1);
            molecule_id.push_back(static_cast<std::int32_t>(molecule + 1));
            kind.push_back(static_cast<std::int32_t>(kind_of(type, residue)));
            radius.push_back(vdw_radius(atom.element));
            mass.push_back(static_cast<float>(atom.mass));
            charge.push_back(static_cast<float>(atom.charge));
            atom_name.push_back(atom.name.c_str());
            residue_name.push_back(residue.name.c_str());
        }
        for (const Exclusion& b : drawn_bonds(type)) bonds.insert(bonds.end(), {first + b.i, first + b.j});
        residues_before += static_cast<std::int32_t>(type.residues.size());
    });
}

}  // namespace mdsim
