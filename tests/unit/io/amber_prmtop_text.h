// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

/// A prmtop made by hand: hydrogen peroxide (H1-O1-O2-H2, atoms 1 to 4) and two ions, with round numbers.
/// Tests replace sections and look at what comes out.
struct PrmtopText {
    std::vector<std::pair<std::string, std::string>> sections;

    PrmtopText() {
        const char* i8 = "%FORMAT(10I8)\n";
        const char* e16 = "%FORMAT(5E16.8)\n";
        const char* a4 = "%FORMAT(20a4)\n";
        const auto add = [this](const char* name, const char* format, const char* values) {
            sections.emplace_back(name, std::string(format) + values + "\n");
        };
        add("TITLE", a4, "peroxide");
        add("POINTERS", i8,
            "       6       3       2       1       0       2       1       0       0       0\n"
            "       8       3       1       2       0       2       1       1       3       0\n"
            "       0       0       0       0       0       0       0       0       4       0\n"
            "       0");
        add("ATOM_NAME", a4, "H1  O1  O2  H2  Na+ Na+");
        add("CHARGE", e16,
            "  1.82223000E+00 -1.82223000E+00 -1.82223000E+00  1.82223000E+00  1.82223000E+01\n"
            "  1.82223000E+01");
        add("ATOMIC_NUMBER", i8, "       1       8       8       1      11      11");
        add("MASS", e16,
            "  1.00800000E+00  1.60000000E+01  1.60000000E+01  1.00800000E+00  2.29900000E+01\n"
            "  2.29900000E+01");
        add("ATOM_TYPE_INDEX", i8, "       1       2       2       1       3       3");
        add("NUMBER_EXCLUDED_ATOMS", i8, "       3       2       1       1       1       0");
        add("NONBONDED_PARM_INDEX", i8, "       1       2       4       2       3       5       4       5       6");
        add("RESIDUE_LABEL", a4, "HP  Na+ Na+");
        add("RESIDUE_POINTER", i8, "       1       5       6");
        add("BOND_FORCE_CONSTANT", e16, "  1.00000000E+02  2.00000000E+02");
        add("BOND_EQUIL_VALUE", e16, "  1.00000000E+00  1.50000000E+00");
        add("ANGLE_FORCE_CONSTANT", e16, "  5.00000000E+01");
        add("ANGLE_EQUIL_VALUE", e16, "  1.75000000E+00");
        add("DIHEDRAL_FORCE_CONSTANT", e16, "  2.00000000E+00");
        add("DIHEDRAL_PERIODICITY", e16, " -3.00000000E+00");
        add("DIHEDRAL_PHASE", e16, "  0.50000000E+00");
        add("LENNARD_JONES_ACOEF", e16,
            "  1.00000000E+03  2.00000000E+03  3.00000000E+03  4.00000000E+03  5.00000000E+03\n"
            "  6.00000000E+03");
        add("LENNARD_JONES_BCOEF", e16,
            "  1.00000000E+01  2.00000000E+01  3.00000000E+01  4.00000000E+01  5.00000000E+01\n"
            "  6.00000000E+01");
        add("BONDS_INC_HYDROGEN", i8, "       0       3       1       6       9       1");
        add("BONDS_WITHOUT_HYDROGEN", i8, "       3       6       2");
        add("ANGLES_INC_HYDROGEN", i8, "");
        add("ANGLES_WITHOUT_HYDROGEN", i8, "       0       3       6       1       3       6       9       1");
        add("DIHEDRALS_INC_HYDROGEN", i8, "       0       3       6       9       1");
        add("DIHEDRALS_WITHOUT_HYDROGEN", i8, "");
        add("EXCLUDED_ATOMS_LIST", i8, "       2       3       4       3       4       4       0       0");
        add("HBOND_ACOEF", e16, "");
        add("HBOND_BCOEF", e16, "");
        add("AMBER_ATOM_TYPE", a4, "HO  OS  OS  HO  IP  IP");
    }

    /// Replaces the content of a section (its %FORMAT and values), or adds the section.
    PrmtopText& set(const std::string& name, const std::string& content) {
        for (auto& [section, text] : sections) {
            if (section == name) {
                text = content;
                return *this;
            }
        }
        sections.emplace_back(name, content);
        return *this;
    }
    /// Replaces one piece of text in a section.
    PrmtopText& replace(const std::string& name, const std::string& from, const std::string& to) {
        for (auto& [section, text] : sections) {
            if (section == name) text.replace(text.find(from), from.size(), to);
        }
        return *this;
    }
    std::string text() const {
        std::string all = "%VERSION  VERSION_STAMP = V0001.000\n";
        for (const auto& [name, content] : sections) all += "%FLAG " + name + "\n" + content;
        return all;
    }
};
