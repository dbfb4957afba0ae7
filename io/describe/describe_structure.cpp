// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "io/describe/kinds.h"
#include "io/structure/gro.h"
#include "io/structure/structure_file.h"

namespace mdsim {

namespace {

using nlohmann::json;

const char* name_of(StructureFormat format) {
    switch (format) {
        case StructureFormat::gro:
            return "gro";
        case StructureFormat::pdb:
            return "pdb";
        case StructureFormat::cif:
            return "mmcif";
        case StructureFormat::charmm_crd:
            return "charmm-crd";
        case StructureFormat::amber_restart:
            break;
    }
    return "amber-restart";
}

std::int64_t count_residues(const Structure& structure) {
    std::int64_t count = 0;
    const AtomLabel* last = nullptr;
    for (const AtomLabel& label : structure.labels) {
        const bool same = last != nullptr && last->residue_number == label.residue_number &&
                          last->residue == label.residue && last->chain == label.chain;
        if (!same) ++count;
        last = &label;
    }
    return count;
}

}  // namespace

bool is_structure(const FileHead& head) {
    return structure_format(head.file).has_value();
}

json describe_structure(const FileHead& head) {
    const Structure structure = read_structure(head.file);
    const StructureFormat format = structure_format(head.file).value();
    json facts{{"format", name_of(format)},
               {"title", structure.title},
               {"atoms", structure.x.size()},
               {"time", structure.time},
               {"velocities", !structure.v.empty()}};
    if (!structure.labels.empty()) facts["residues"] = count_residues(structure);
    if (structure.box.periodic()) facts["box"] = box_to_json(structure.box);
    if (format == StructureFormat::gro) facts["frames"] = count_gro_frames(head.file);
    if (format == StructureFormat::pdb || format == StructureFormat::cif) facts["frames"] = structure.frames;
    return facts;
}

}  // namespace mdsim
