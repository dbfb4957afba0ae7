// SPDX-License-Identifier: Apache-2.0
#include "io/matching.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

// Programs write the same atom as HB1, 1HB or HB_1, and ions as NA+, Na or NA: letters and digits in one order decide.
std::string canonical(const std::string& name) {
    std::string letters;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    std::sort(letters.begin(), letters.end());
    return letters;
}

bool same_atom(const std::string& a, const std::string& b) {
    const std::string p = canonical(a), q = canonical(b);
    if (p == q) return true;
    // HW1 and H1, OW and O: one name within the other, and the same element letter.
    const bool within =
        std::includes(p.begin(), p.end(), q.begin(), q.end()) || std::includes(q.begin(), q.end(), p.begin(), p.end());
    const auto first_letter = [](const std::string& s) {
        const auto at = std::find_if(s.begin(), s.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
        return at == s.end() ? '\0' : static_cast<char>(std::toupper(static_cast<unsigned char>(*at)));
    };
    return within && first_letter(a) == first_letter(b);
}

std::string describe(const MoleculeType& type, int atom, std::int64_t molecule) {
    const Atom& a = type.atoms[static_cast<std::size_t>(atom)];
    const Residue& residue = type.residues[static_cast<std::size_t>(a.residue)];
    return fmt::format("molecule {} ({}), residue {} {}, atom {}", molecule + 1, type.name, residue.name,
                       residue.number, a.name);
}

struct Mismatch {
    std::string topology, structure;
    std::int64_t atom;
};

std::vector<Mismatch> mismatches(const Topology& topology, const Structure& structure) {
    std::vector<Mismatch> found;
    const auto labels = static_cast<std::int64_t>(structure.labels.size());
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t molecule) {
        for (int i = 0; i < type.size() && first + i < labels; ++i) {
            const AtomLabel& label = structure.labels[static_cast<std::size_t>(first + i)];
            if (same_atom(type.atoms[static_cast<std::size_t>(i)].name, label.atom)) continue;
            found.push_back({describe(type, i, molecule),
                             fmt::format("{} {} atom {}", label.residue, label.residue_number, label.atom), first + i});
        }
    });
    return found;
}

[[noreturn]] void throw_count(const Topology& topology, const Structure& structure, const std::vector<Mismatch>& names,
                              const std::filesystem::path& topology_file, const std::filesystem::path& structure_file) {
    const auto in_file = static_cast<std::int64_t>(structure.x.size());
    std::string where;
    if (!names.empty()) {
        where = fmt::format("the first difference is at atom {}: {} in the topology, {} in the coordinates",
                            names[0].atom + 1, names[0].topology, names[0].structure);
    } else if (topology.atoms() > in_file) {
        topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t molecule) {
            if (where.empty() && first + type.size() > in_file) {
                where = "the coordinates end before " + describe(type, static_cast<int>(in_file - first), molecule);
            }
        });
    } else {
        where = fmt::format("the topology ends before atom {} of the coordinates", topology.atoms() + 1);
        if (!structure.labels.empty()) {
            const AtomLabel& label = structure.labels[static_cast<std::size_t>(topology.atoms())];
            where += fmt::format(" ({} {} {})", label.residue, label.residue_number, label.atom);
        }
    }
    throw_input_error(
        {.code = "MD205",
         .place = {structure_file.string()},
         .what = fmt::format("the coordinates have {} atoms, the topology {} has {}", in_file, topology_file.string(),
                             topology.atoms()),
         .why = where,
         .remedy = "use the coordinates and the topology of the same preparation; in a .top check [ molecules ]"});
}

}  // namespace

void require_match(const Topology& topology, const Structure& structure, const std::filesystem::path& topology_file,
                   const std::filesystem::path& structure_file) {
    const std::vector<Mismatch> names = mismatches(topology, structure);
    if (static_cast<std::int64_t>(structure.x.size()) != topology.atoms())
        throw_count(topology, structure, names, topology_file, structure_file);
    if (names.empty()) return;
    throw_input_error(
        {.code = "MD206",
         .place = {structure_file.string()},
         .what = fmt::format(
             "{} atom names differ from those of {}; the first is atom {}: {} in the topology, {} in the coordinates",
             names.size(), topology_file.string(), names[0].atom + 1, names[0].topology, names[0].structure),
         .why = "a different order of atoms would give every atom another's charge and bonds",
         .remedy = "use the coordinates and the topology of the same preparation"});
}

}  // namespace mdsim
