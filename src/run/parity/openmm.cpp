// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/topology/topology_file.h"
#include "run/parity/child.h"
#include "run/parity/engine.h"
#include "run/parity/openmm_script.inl"

namespace mdsim::parity {

namespace {

using Json = nlohmann::json;

// A Python that has OpenMM.
std::string find_python(const std::filesystem::path& named, const ScratchFolder& folder) {
    std::vector<std::string> names{"python3", "python"};
    if (!named.empty()) names = {named.string()};
    for (const std::string& name : names) {
        const auto found = find_program({name});
        if (found && run_in(folder, {found->string(), "-c", "import openmm"}).code == 0) return found->string();
    }
    throw_input_error(
        {.code = "MD121",
         .what = named.empty() ? "there is no Python that has OpenMM, to compare with"
                               : fmt::format("{} is no Python that has OpenMM", named.string()),
         .remedy = "python3 -m venv openmm && openmm/bin/pip install openmm, then --engine openmm/bin/python"});
}

std::string format_name(const Setup& setup, const std::filesystem::path& topology) {
    const auto format = topology_format(topology);
    if (format == TopologyFormat::amber) return "amber";
    if (format == TopologyFormat::gromacs) return "gromacs";
    refuse(setup, fmt::format("OpenMM does not read {}", topology.filename().string()),
           "compare with a topology of AMBER or GROMACS");
}

void require_known(const Setup& setup) {
    const ForcesInput& forces = setup.input.forces;
    const Electrostatics e = forces.electrostatics;
    if (e == Electrostatics::reaction_field || e == Electrostatics::cutoff)
        refuse(setup, "OpenMM's forms of reaction field and cut Coulomb differ from GROMACS', which mdsim has",
               "compare with --against gromacs, or with forces.electrostatics = \"pme\"");
    if (forces.relative_permittivity != 1.0)
        refuse(setup, "OpenMM has no relative permittivity", "compare with --against gromacs");
    const LennardJones form = forces.lennard_jones;
    if (form == LennardJones::force_switch || form == LennardJones::charmm_force_switch)
        refuse(setup, "OpenMM does not have a force switch",
               "compare with forces.lennard_jones = \"cut\" or \"potential-switch\", or a GROMACS topology with "
               "--against gromacs");
}

Json rows_of(const Setup& setup) {
    Json rows = Json::array();
    if (!setup.start.box.periodic()) return rows;
    for (const Vec3d& row : setup.start.box.rows()) rows.push_back({row.x, row.y, row.z});
    return rows;
}

Json request_of(const Setup& setup) {
    const SystemInput& system = setup.input.system;
    const ForcesInput& forces = setup.input.forces;
    const auto topology = std::filesystem::absolute(system.topology);
    const bool switched = setup.start.box.periodic() && forces.lennard_jones == LennardJones::potential_switch;
    Json request{{"topology", topology.string()},
                 {"format", format_name(setup, topology)},
                 {"define", system.define},
                 {"include", Json::array()},
                 {"parameters", Json::array()},
                 {"box", rows_of(setup)},
                 {"cutoff", forces.cutoff},
                 {"splitting", forces.ewald_splitting.value_or(0.0)},
                 {"switch_from", switched ? forces.switch_from : 0.0},
                 {"positions", Json::array()}};
    for (const auto& folder : system.include_path)
        request["include"].push_back(std::filesystem::absolute(folder).string());
    for (const Vec3d& x : setup.start.x) request["positions"].push_back({x.x, x.y, x.z});
    return request;
}

}  // namespace

EngineResult run_openmm(const Setup& setup, const std::filesystem::path& program) {
    require_known(setup);
    const Json request = request_of(setup);
    const ScratchFolder folder;
    const std::string python = find_python(program, folder);
    folder.write("request.json", request.dump());
    folder.write("reference.py", openmm_script);
    const Ended ended = run_in(folder, {python, "reference.py"});
    if (ended.code != 0) {
        throw_input_error(
            {.code = "MD123",
             .place = {python},
             .what = fmt::format("OpenMM ended with exit code {}:{}", ended.code, last_lines(ended.text, 12)),
             .remedy = "mend what OpenMM finds wrong, or compare with --against gromacs"});
    }
    const Json answer = Json::parse(folder.read("answer.json"));
    EngineResult result;
    result.engine = fmt::format("OpenMM {} (Reference platform)", answer["version"].get<std::string>());
    result.tolerance = 1e-5;
    for (const auto& [name, energy] : answer["energies"].items()) result.energies.push_back({name, energy});
    for (const Json& f : answer["forces"]) result.forces.push_back({f[0], f[1], f[2]});
    return result;
}

}  // namespace mdsim::parity
