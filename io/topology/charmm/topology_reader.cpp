// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/topology_reader.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/topology/charmm/assignment.h"
#include "io/topology/charmm/parameter_reader.h"
#include "io/topology/charmm/psf_reader.h"
#include "io/topology/split_molecules.h"

namespace mdsim {

namespace {

void require_supported(const PsfContents& psf, const std::filesystem::path& file) {
    Problems problems;
    const auto add = [&](int line, std::string what, std::string remedy) {
        problems.add({.code = "MD235",
                      .place = {file.string(), line, 0},
                      .what = std::move(what),
                      .why = "forces without it would be wrong, so the file is refused",
                      .remedy = std::move(remedy)});
    };
    if (psf.drude_particles > 0) {
        add(psf.first_drude_line,
            fmt::format("{} Drude particles (atom type DRUD): mdsim does not compute polarisable force fields",
                        psf.drude_particles),
            "prepare the system with an additive force field, such as CHARMM36m");
    }
    if (psf.lone_pairs > 0) {
        add(psf.section_lines.at("NUMLP"),
            fmt::format("{} lone pairs (section !NUMLP): mdsim does not place them yet", psf.lone_pairs),
            "prepare the system without lone pairs: three-site water, halogens of an older CGenFF");
    }
    problems.throw_if_any();
}

}  // namespace

Topology read_charmm_topology(const std::filesystem::path& psf, const std::vector<std::filesystem::path>& parameters,
                              std::vector<std::string>& notes) {
    PsfContents contents = read_psf_contents(psf);
    require_supported(contents, psf);
    if (parameters.empty()) {
        throw_input_error({.code = "MD234",
                           .place = {psf.string()},
                           .what = "a CHARMM topology (.psf) without parameter files",
                           .why = "a PSF names atoms and bonds; force constants are in parameter files",
                           .remedy = "system.parameters = [\"top_all36_prot.rtf\", \"par_all36m_prot.prm\", "
                                     "\"toppar_water_ions.str\"]"});
    }
    charmm::Parameters read = charmm::read_parameters(parameters);
    std::string title = std::move(contents.title);
    const std::vector<std::string> types = charmm::name_types(contents, read, psf);
    charmm::Assigned assigned = charmm::assign(std::move(contents), types, read, psf);
    Topology topology = split_molecules(std::move(assigned.whole));
    topology.title = std::move(title);
    topology.force_field = charmm::make_force_field(types, read);
    topology.force_field.cmap_grids = std::move(assigned.cmap_grids);
    if (read.box) topology.file_box = *read.box;
    notes.insert(notes.end(), read.notes.begin(), read.notes.end());
    return topology;
}

}  // namespace mdsim
