// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/text/label_topology.h"

#include <array>
#include <string>

#include "system/preparation/elements.h"

namespace mdsim {

namespace {

std::string letters_of(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        const char upper = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        const bool letter = upper >= 'A' && upper <= 'Z';
        if (letter) letters += upper;
        if (!letter && !letters.empty()) break;
    }
    return letters;
}

bool same_residue(const AtomLabel& a, const AtomLabel& b) {
    return a.residue_number == b.residue_number && a.insertion == b.insertion && a.residue == b.residue &&
           a.chain == b.chain;
}

}  // namespace

int element_from_name(std::string_view atom, std::string_view residue) {
    const std::string name = letters_of(atom);
    if (name.empty()) return 0;
    const std::string own = letters_of(residue);
    // "CA" is calcium in a residue of that name only. CHARMM's names of ions are not those of elements.
    constexpr std::array<std::pair<std::string_view, int>, 5> ions{
        {{"SOD", 11}, {"CLA", 17}, {"POT", 19}, {"CAL", 20}, {"CES", 55}}};
    for (const auto& [ion, element] : ions) {
        if (name == ion) return element;
    }
    if (name == own && name.size() <= 2 && element_from_symbol(name) != 0) return element_from_symbol(name);
    if (name.starts_with("CL") || name.starts_with("BR")) return element_from_symbol(name.substr(0, 2));
    return element_from_symbol(name.substr(0, 1));
}

Topology topology_of_labels(const Structure& structure) {
    Topology topology;
    topology.title = structure.title;
    topology.force_field.type_names = {"X"};
    topology.force_field.lj.resize(1);
    MoleculeType all;
    all.name = "SYSTEM";
    all.atoms.reserve(structure.x.size());
    const AtomLabel nameless{"X", "UNK", 1, {}};
    const AtomLabel* last = nullptr;
    for (std::size_t i = 0; i < structure.x.size(); ++i) {
        const AtomLabel& label = i < structure.labels.size() ? structure.labels[i] : nameless;
        if (last == nullptr || !same_residue(*last, label))
            all.residues.push_back({label.residue, label.residue_number, label.chain, label.insertion});
        last = &label;
        Atom atom;
        atom.name = label.atom;
        atom.element = label.element != 0 ? label.element : element_from_name(label.atom, label.residue);
        atom.residue = static_cast<int>(all.residues.size()) - 1;
        atom.mass = element_mass(atom.element);
        all.atoms.push_back(std::move(atom));
    }
    if (all.atoms.empty()) return topology;
    topology.types.push_back(std::move(all));
    topology.blocks.push_back({0, 1});
    return topology;
}

}  // namespace mdsim
