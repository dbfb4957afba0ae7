// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_content.h"

#include <algorithm>
#include <cmath>

#include "system/molecules/drawn_bonds.h"
#include "system/molecules/numbered_molecules.h"

namespace mdsim {

H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> ids) {
    H5mdAtoms out;
    std::vector<std::vector<Exclusion>> bonds;
    for (const MoleculeType& type : topology.types) bonds.push_back(drawn_bonds(type));
    for_each_numbered_molecule(topology, [&](const NumberedMolecule& molecule) {
        const MoleculeType& type = molecule.type;
        const auto first = static_cast<std::int64_t>(molecule.first);
        for (const Exclusion& b : bonds[static_cast<std::size_t>(&type - topology.types.data())])
            out.bonds.insert(out.bonds.end(), {first + b.i, first + b.j});
        const auto first_residue = static_cast<std::int64_t>(out.residue_name.size());
        for (const Residue& residue : type.residues) {
            out.residue_name.push_back(residue.name);
            out.residue_chain.push_back(residue.chain.empty() ? molecule.chain : residue.chain);
            out.residue_number.push_back(residue.number + molecule.residue_shift);
            out.residue_insertion.emplace_back(residue.insertion == ' ' ? 0 : 1, residue.insertion);
        }
        for (int i = 0; i < type.size(); ++i) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            out.id.push_back((ids.empty() ? first + i : ids[static_cast<std::size_t>(first + i)]) + 1);
            out.species.push_back(atom.element);
            out.mass.push_back(atom.mass);
            out.charge.push_back(atom.charge);
            out.name.push_back(atom.name);
            out.residue.push_back(first_residue + atom.residue);
        }
    });
    for (std::vector<std::string>* texts : {&out.name, &out.residue_insertion}) {
        if (std::all_of(texts->begin(), texts->end(), [](const std::string& text) { return text.empty(); }))
            texts->clear();
    }
    return out;
}

void H5mdAtoms::forget_names() {
    for (auto* texts : {&name, &residue_name, &residue_chain, &residue_insertion}) *texts = {};
    residue = residue_number = {};
}

double h5md_grid(double precision) {
    return std::exp2(std::floor(std::log2(precision)));
}

}  // namespace mdsim
