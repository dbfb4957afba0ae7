// SPDX-License-Identifier: Apache-2.0
#include "io/topology/psf_writer.h"

#include <algorithm>
#include <array>

#include "io/text/text_output.h"
#include "system/molecules/drawn_bonds.h"

namespace mdsim {

namespace {

/// Atom numbers of the terms of one molecule type, all of one kind, without repetition.
template <std::size_t n>
using Groups = std::vector<std::array<int, n>>;

template <std::size_t n>
void sort_unique(Groups<n>& groups) {
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
}

Groups<2> bonds_of(const MoleculeType& m) {
    Groups<2> groups;
    for (const Exclusion& bond : drawn_bonds(m)) groups.push_back({bond.i, bond.j});
    return groups;
}

Groups<3> angles_of(const MoleculeType& m) {
    Groups<3> groups;
    for (const Angle& a : m.angles) groups.push_back({a.i, a.j, a.k});
    sort_unique(groups);
    return groups;
}

/// Each group of four atoms once, however many terms it has.
template <class A, class B>
Groups<4> fours_of(const std::vector<A>& some, const std::vector<B>& others) {
    Groups<4> groups;
    const auto add = [&](const auto& term) { groups.push_back({term.i, term.j, term.k, term.l}); };
    std::for_each(some.begin(), some.end(), add);
    std::for_each(others.begin(), others.end(), add);
    sort_unique(groups);
    return groups;
}

Groups<4> dihedrals_of(const MoleculeType& m) {
    return fours_of(m.proper_dihedrals, m.ryckaert_bellemans);
}

Groups<4> impropers_of(const MoleculeType& m) {
    return fours_of(m.improper_dihedrals, m.harmonic_impropers);
}

/// One section: the count, then `per_line` groups a line.
template <std::size_t n>
void write_section(TextOutput& out, const Topology& topology, const char* title, std::size_t per_line,
                   Groups<n> (*groups_of)(const MoleculeType&)) {
    std::vector<Groups<n>> groups;
    for (const MoleculeType& type : topology.types) groups.push_back(groups_of(type));
    std::int64_t count = 0;
    for (const MoleculeBlock& block : topology.blocks) {
        count += block.count * static_cast<std::int64_t>(groups[static_cast<std::size_t>(block.type)].size());
    }
    out.print("{:10} {}\n", count, title);
    std::size_t in_line = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        for (const auto& group : groups[static_cast<std::size_t>(&type - topology.types.data())]) {
            for (const int atom : group) out.print("{:10}", first + atom + 1);
            if (++in_line % per_line == 0) out.print("\n");
        }
    });
    out.print("{}", in_line % per_line == 0 ? "\n" : "\n\n");
}

/// Columns must not be empty and hold no blank.
std::string word(const std::string& text, const char* otherwise) {
    std::string result = text.empty() ? otherwise : text;
    std::replace(result.begin(), result.end(), ' ', '_');
    return result;
}

void write_atoms(TextOutput& out, const Topology& topology) {
    out.print("{:10} !NATOM\n", topology.atoms());
    std::int64_t residue_number = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const std::string segment = word(type.name, "SYSTEM");
        int residue = -1;
        for (int i = 0; i < type.size(); ++i) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            if (atom.residue != residue) {
                residue = atom.residue;
                ++residue_number;
            }
            const std::string& type_name = topology.force_field.type_names[static_cast<std::size_t>(atom.type)];
            out.print("{:10} {:<8.8} {:<8} {:<8.8} {:<8.8} {:<6.6} {:14.6f}{:14.4f}{:8}\n", first + i + 1, segment,
                      residue_number, word(type.residues[static_cast<std::size_t>(residue)].name, "X"),
                      word(atom.name, "X"), word(type_name, "X"), atom.charge, atom.mass, 0);
        }
    });
    out.print("\n");
}

}  // namespace

void write_psf(const std::filesystem::path& file, const Topology& topology) {
    TextOutput out(file);
    // NAMD: read it by blanks, not by columns. MDAnalysis 2.4 looks for the mass in the wrong columns of plain EXT.
    out.print("PSF EXT XPLOR NAMD\n\n{:10} !NTITLE\n REMARKS written by mdsim\n\n", 1);
    write_atoms(out, topology);
    write_section<2>(out, topology, "!NBOND: bonds", 4, bonds_of);
    write_section<3>(out, topology, "!NTHETA: angles", 3, angles_of);
    write_section<4>(out, topology, "!NPHI: dihedrals", 2, dihedrals_of);
    write_section<4>(out, topology, "!NIMPHI: impropers", 2, impropers_of);
    out.print("{:10} !NDON: donors\n\n\n{:10} !NACC: acceptors\n\n\n{:10} !NNB\n\n", 0, 0, 0);
    out.close();
}

}  // namespace mdsim
