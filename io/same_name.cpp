// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "io/matching.h"

namespace mdsim {

namespace {

struct Alias {
    std::string_view name, standard;
};

/// Names of one atom in PDB (right) and in the force fields of AMBER, CHARMM and GROMACS (left).
constexpr std::array atom_aliases = {
    Alias{"OW", "O"},    Alias{"OH2", "O"},  Alias{"HW1", "H1"}, Alias{"HW2", "H2"},  Alias{"HW", "H"},
    Alias{"OT1", "O"},   Alias{"OC1", "O"},  Alias{"OT", "OXT"}, Alias{"OT2", "OXT"}, Alias{"OC2", "OXT"},
    Alias{"CD", "CD1"},  Alias{"SOD", "NA"}, Alias{"CLA", "CL"}, Alias{"POT", "K"},   Alias{"CAL", "CA"},
    Alias{"CES", "CS"},  Alias{"RUB", "RB"}, Alias{"LIT", "LI"}, Alias{"C5M", "C7"},  Alias{"O1P", "OP1"},
    Alias{"O2P", "OP2"},
};

constexpr std::array residue_aliases = {
    Alias{"WAT", "HOH"},   Alias{"SOL", "HOH"},  Alias{"TIP3", "HOH"}, Alias{"TIP", "HOH"},  Alias{"TP3", "HOH"},
    Alias{"TIP3P", "HOH"}, Alias{"SPC", "HOH"},  Alias{"SPCE", "HOH"}, Alias{"H2O", "HOH"},  Alias{"SOD", "NA"},
    Alias{"CLA", "CL"},    Alias{"POT", "K"},    Alias{"CAL", "CA"},   Alias{"MG2", "MG"},   Alias{"CA2", "CA"},
    Alias{"CIO", "CS"},    Alias{"HID", "HIS"},  Alias{"HIE", "HIS"},  Alias{"HIP", "HIS"},  Alias{"HSD", "HIS"},
    Alias{"HSE", "HIS"},   Alias{"HSP", "HIS"},  Alias{"HISD", "HIS"}, Alias{"HISE", "HIS"}, Alias{"HISH", "HIS"},
    Alias{"HISB", "HIS"},  Alias{"HISA", "HIS"}, Alias{"HIS1", "HIS"}, Alias{"CYX", "CYS"},  Alias{"CYM", "CYS"},
    Alias{"CYS2", "CYS"},  Alias{"CYSH", "CYS"}, Alias{"ASH", "ASP"},  Alias{"ASPH", "ASP"}, Alias{"ASPP", "ASP"},
    Alias{"GLH", "GLU"},   Alias{"GLUH", "GLU"}, Alias{"GLUP", "GLU"}, Alias{"LYN", "LYS"},  Alias{"LSN", "LYS"},
    Alias{"LYSH", "LYS"},  Alias{"MSE", "MET"},
};

constexpr std::array standard_residues = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE",
                                          "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL",
                                          "HOH", "NA",  "CL",  "K",   "CA",  "MG",  "ZN",  "CS",  "RB",  "LI"};

template <std::size_t n>
void apply(const std::array<Alias, n>& aliases, std::string& name) {
    const auto found = std::find_if(aliases.begin(), aliases.end(), [&](const Alias& a) { return a.name == name; });
    if (found != aliases.end()) name = std::string(found->standard);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Upper case, letters, digits and primes only, digits at the front moved to the end.
std::string normal_atom(std::string_view name) {
    std::string normal;
    for (const char c : name) {
        const bool prime = c == '\'' || c == '*';
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            normal += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        } else if (prime) {
            normal += '\'';
        }
    }
    const auto letter = std::find_if_not(normal.begin(), normal.end(), is_digit);
    std::rotate(normal.begin(), letter, normal.end());
    apply(atom_aliases, normal);
    return normal;
}

// Which of the hydrogens of an atom is which has no meaning, and no program agrees with another.
std::string hydrogen_stem(const std::string& normal) {
    std::string stem;
    std::copy_if(normal.begin(), normal.end(), std::back_inserter(stem),
                 [](char c) { return !is_digit(c) && c != '\''; });
    return stem == "HN" || stem == "HT" || stem == "HW" ? "H" : stem;
}

std::string normal_residue(std::string_view name) {
    std::string normal;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            normal += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        }
    }
    // AMBER's residues at the ends of chains: NALA, CALA.
    if (normal.size() == 4 && (normal[0] == 'N' || normal[0] == 'C')) {
        std::string inner = normal.substr(1);
        apply(residue_aliases, inner);
        const auto is_inner = [&](std::string_view s) { return s == inner; };
        if (std::any_of(standard_residues.begin(), standard_residues.begin() + 20, is_inner)) return inner;
    }
    apply(residue_aliases, normal);
    return normal;
}

bool is_standard(const std::string& name) {
    return std::find(standard_residues.begin(), standard_residues.end(), name) != standard_residues.end();
}

}  // namespace

bool same_atom_name(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const std::string p = normal_atom(a), q = normal_atom(b);
    if (p == q) return true;
    if (p.empty() || q.empty()) return p.empty() && q.empty();
    // Columns of a file may have cut the longer one.
    const auto [shorter, longer] = std::minmax(p, q, [](const auto& s, const auto& t) { return s.size() < t.size(); });
    if (shorter.size() >= 4 && longer.starts_with(shorter)) return true;
    return p[0] == 'H' && q[0] == 'H' && hydrogen_stem(p) == hydrogen_stem(q);
}

bool same_residue_name(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const std::string p = normal_residue(a), q = normal_residue(b);
    return p == q || !is_standard(p) || !is_standard(q);
}

}  // namespace mdsim
