// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parallel/archive.h"
#include "system/molecules/term_atoms.h"
#include "system/topology.h"

/// How a topology goes from the rank that reads it to the others. By molecule type, so its length does not grow with
/// the number of molecules.
namespace mdsim {

template <class Archive>
void archive(Archive& a, Atom& atom) {
    a(atom.name), a(atom.type), a(atom.element), a(atom.residue), a(atom.charge), a(atom.mass);
}

template <class Archive>
void archive(Archive& a, Residue& residue) {
    a(residue.name), a(residue.number), a(residue.chain);
}

template <class Archive>
void archive(Archive& a, TermLists& t) {
    for_each_kind([&](auto list, std::size_t) { a(t.*list); });
}

template <class Archive>
void archive(Archive& a, VirtualSite& s) {
    a(s.i), a(s.kind), a(s.parents), a(s.parameters);
}

template <class Archive>
void archive(Archive& a, MoleculeType& m) {
    archive(a, static_cast<TermLists&>(m));
    a(m.name), a(m.atoms), a(m.residues), a(m.constraints), a(m.settles), a(m.virtual_sites), a(m.connections);
}

template <class Archive>
void archive(Archive& a, CmapGrid& grid) {
    a(grid.size), a(grid.energy);
}

template <class Archive>
void archive(Archive& a, ForceField& field) {
    a(field.source), a(field.coulomb_constant), a(field.type_names), a(field.lj), a(field.cmap_grids);
}

template <class Archive>
void archive(Archive& a, Topology& topology) {
    a(topology.title), a(topology.types), a(topology.blocks), a(topology.force_field), a(topology.file_box);
}

}  // namespace mdsim
