// SPDX-License-Identifier: Apache-2.0
#include "analyse/measure.h"

#include "system/selection/selection.h"

namespace mdsim::analyse {

AtomTable atom_table(const Topology& topology) {
    AtomTable table;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t molecule) {
        for (const Atom& atom : type.atoms) {
            table.mass.push_back(atom.mass);
            table.charge.push_back(atom.charge);
            table.element.push_back(atom.element);
            table.molecule.push_back(molecule);
        }
    });
    return table;
}

const std::vector<std::int64_t>& Group::atoms(const Snapshot& frame) {
    const bool again = selecting_ == Selecting::each_frame && needs_places(text_);
    if (selected_ && !again) return atoms_;
    atoms_.clear();
    for (const AtomId atom : select(text_, *topology_, {frame.x, frame.box}))
        atoms_.push_back(static_cast<std::int64_t>(atom));
    selected_ = true;
    return atoms_;
}

std::vector<Vec3d> positions(std::span<const Vec3d> x, std::span<const std::int64_t> atoms) {
    std::vector<Vec3d> of_atoms;
    of_atoms.reserve(atoms.size());
    for (const std::int64_t atom : atoms) of_atoms.push_back(x[static_cast<std::size_t>(atom)]);
    return of_atoms;
}

}  // namespace mdsim::analyse
