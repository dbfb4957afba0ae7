// SPDX-License-Identifier: Apache-2.0
#include "io/structure/structure_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/structure/amber_restart.h"
#include "io/structure/charmm/charmm_crd.h"
#include "io/structure/cif.h"
#include "io/structure/gro.h"
#include "io/structure/pdb.h"

namespace mdsim {

namespace {

struct Ending {
    std::string_view end;
    StructureFormat format;
};
constexpr std::array endings = {
    Ending{".gro", StructureFormat::gro},
    Ending{".pdb", StructureFormat::pdb},
    Ending{".ent", StructureFormat::pdb},
    Ending{".cif", StructureFormat::cif},
    Ending{".mmcif", StructureFormat::cif},
    Ending{".pdbx", StructureFormat::cif},
    Ending{".inpcrd", StructureFormat::amber_restart},
    Ending{".rst7", StructureFormat::amber_restart},
    Ending{".ncrst", StructureFormat::amber_restart},
    Ending{".restrt", StructureFormat::amber_restart},
    Ending{".rst", StructureFormat::amber_restart},
    Ending{".crd", StructureFormat::charmm_crd},
    Ending{".cor", StructureFormat::charmm_crd},
};

std::string lower_ending(const std::filesystem::path& file) {
    std::string end = file.extension().string();
    for (char& c : end) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return end;
}

/// CHARMM's files begin with title lines that begin with a star.
bool looks_like_charmm(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    char first = 0;
    return in.get(first) && first == '*';
}

}  // namespace

std::optional<StructureFormat> structure_format(const std::filesystem::path& file) {
    const std::string end = lower_ending(file);
    // .crd is both programs' name.
    if (end == ".crd" && !looks_like_charmm(file)) return StructureFormat::amber_restart;
    const auto found = std::find_if(endings.begin(), endings.end(), [&](const Ending& e) { return e.end == end; });
    if (found == endings.end()) return std::nullopt;
    return found->format;
}

Structure read_structure(const std::filesystem::path& file) {
    const auto format = structure_format(file);
    if (!format) {
        throw_input_error({.code = "MD309",
                           .place = {file.string(), 0, 0},
                           .what = "the name does not end as a coordinate file's that mdsim knows",
                           .why = {},
                           .remedy = "give a .gro, .pdb, .cif, .inpcrd, .rst7 or .crd file"});
    }
    switch (*format) {
        case StructureFormat::gro:
            return read_gro(file);
        case StructureFormat::pdb:
            return read_pdb(file);
        case StructureFormat::cif:
            return read_cif(file);
        case StructureFormat::charmm_crd:
            return read_charmm_crd(file);
        case StructureFormat::amber_restart:
            break;
    }
    return read_amber_restart(file);
}

}  // namespace mdsim
