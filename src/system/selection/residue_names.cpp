// SPDX-License-Identifier: Apache-2.0
#include "system/selection/residue_names.h"

#include <algorithm>
#include <iterator>

namespace mdsim {

namespace {

// Standard names; AMBER ff14SB and later (HID HIE HIP CYX CYM ASH GLH LYN, caps ACE NME NHE); CHARMM 36 (HSD HSE HSP,
// caps ACE CT3 NMA); GROMACS' rtp names (HISA HISB HISD HISE HISH HIS1 HIS2, LYSH LSN LYSN, ASPH ASPP GLUH GLUP GLH,
// CYSH CYS1 CYS2 CYM CYN, ARGN QLN, NAC NH2); common modified residues.
constexpr std::string_view amino_acids[] = {
    "ALA",  "ARG",  "ASN",  "ASP",  "CYS",  "GLN",  "GLU",  "GLY",  "HIS",  "ILE", "LEU", "LYS", "MET",
    "PHE",  "PRO",  "SER",  "THR",  "TRP",  "TYR",  "VAL",  "HID",  "HIE",  "HIP", "HIN", "HSD", "HSE",
    "HSP",  "HISA", "HISB", "HISD", "HISE", "HISH", "HISP", "HIS1", "HIS2", "CYX", "CYM", "CYN", "CYSH",
    "CYS1", "CYS2", "ASH",  "ASPH", "ASPP", "AS4",  "GLH",  "GLUH", "GLUP", "GL4", "LYN", "LSN", "LYSH",
    "LYSN", "ARGN", "ARN",  "QLN",  "TYM",  "TYRU", "HYP",  "MSE",  "SEC",  "PYL", "NLE", "ORN", "DAB",
    "AIB",  "PCA",  "SEP",  "TPO",  "PTR",  "S1P",  "T1P",  "Y1P",  "CME",
};
constexpr std::string_view caps[] = {"ACE", "NME", "NHE", "NH2", "NMA", "NAC", "CT3", "FOR"};
constexpr std::string_view waters[] = {
    "SOL", "WAT", "HOH",  "H2O",   "DOD",   "OH2",   "TIP",   "TIP2", "TIP3", "TIP4", "TIP5",
    "TP3", "TP4", "TP5",  "TP3M",  "TIP3P", "TIP4P", "TIP5P", "T3P",  "T4P",  "T4E",  "T4EW",
    "TPE", "SPC", "SPCE", "SPC/E", "OPC",   "OPC3",  "PL3",   "FB3",  "FB4",
};

template <class List>
bool contains(const List& list, std::string_view name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

bool is_protein_residue(std::string_view name) {
    if (contains(amino_acids, name) || contains(caps, name)) return true;
    // AMBER's terminal forms: NALA, CALA.
    const bool terminal = name.size() == 4 && (name[0] == 'N' || name[0] == 'C');
    return terminal && contains(amino_acids, name.substr(1));
}

bool is_water_residue(std::string_view name) {
    return contains(waters, name);
}

}  // namespace mdsim
