// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/units.h"
#include "core/version.h"
#include "run/bench/launcher.h"
#include "run/commands/commands.h"
#include "run/parity/comparison.h"

namespace mdsim {

namespace {

using namespace parity;
using Json = nlohmann::ordered_json;

// Both engines see every bond and angle, and a sum over wave vectors whose error does not show.
Setup open_for_parity(ParityOptions options, const Comm& world) {
    CommonOptions& common = options.common;
    common.precision = "double";
    common.overrides.emplace_back("hardware.gpu=\"off\"");
    if (!options.against.empty()) common.overrides.emplace_back("system.constraints=\"none\"");
    Setup setup = open_setup(common, world);
    if (options.against.empty()) return setup;
    ForcesInput& forces = setup.input.forces;
    if (has_reciprocal_part(forces.electrostatics)) {
        forces.electrostatics = Electrostatics::ewald;
        if (!forces.ewald_splitting || options.against == "openmm")
            forces.ewald_splitting = tight_splitting / forces.cutoff;
    }
    setup.topology.force_field.coulomb_constant = units::coulomb_codata2018;
    if (options.against == "openmm") {
        // Its form of the correction counts other pairs; the shift of energies changes no force.
        forces.dispersion_correction = false;
        if (forces.lennard_jones == LennardJones::shift) forces.lennard_jones = LennardJones::cut;
    }
    return setup;
}

Json as_json(const std::vector<Value>& values) {
    Json out = Json::object();
    for (const Value& value : values) out[value.name] = value.value;
    return out;
}

Json conventions(const Setup& setup, const StartEvaluation& found) {
    Json out;
    for (const Convention convention : all_conventions) {
        const Format& format = format_of(convention);
        out[format.key] = {
            {"engine", format.engine},
            {"unit", format.unit},
            {"coulomb_constant", format.coulomb_constant},
            {"energies", as_json(in_format(format, found.sums, setup.topology.force_field.coulomb_constant))}};
    }
    return out;
}

Json report_of(const Setup& setup, const EngineResult& engine, const Comparison& found) {
    Json energies = Json::array();
    for (const Pair& pair : found.energies) {
        energies.push_back({{"term", pair.name},
                            {"mdsim", pair.ours},
                            {"engine", pair.theirs},
                            {"difference", pair.ours - pair.theirs},
                            {"agree", pair.agree}});
    }
    return {{"engine", engine.engine},
            {"unit", "kJ/mol"},
            {"energies", energies},
            {"force",
             {{"unit", "kJ/mol/nm"},
              {"relative_rms_difference", found.force.relative},
              {"largest_difference", found.force.largest},
              {"atom", found.force.atom + 1},
              {"name", describe_atom(setup.topology, found.force.atom)}}},
            {"tolerance", found.tolerance},
            {"agree", found.agree()}};
}

void print_conventions(const Json& all) {
    for (const auto& [key, of] : all.items()) {
        fmt::print("{}, {}, Coulomb constant {:.9g} kJ nm/mol/e^2\n", of["engine"].get<std::string>(),
                   of["unit"].get<std::string>(), of["coulomb_constant"].get<double>());
        for (const auto& [name, energy] : of["energies"].items())
            fmt::print("    {:<32}{:>20.6f}\n", name, energy.get<double>());
    }
}

void print_comparison(const Json& of) {
    fmt::print("\n{:<38}{:>20}{:>20}{:>14}   {}\n", "against " + of["engine"].get<std::string>(), "mdsim [kJ/mol]",
               "engine [kJ/mol]", "difference", "");
    for (const Json& pair : of["energies"]) {
        fmt::print("    {:<34}{:>20.6f}{:>20.6f}{:>14.6f}   {}\n", pair["term"].get<std::string>(),
                   pair["mdsim"].get<double>(), pair["engine"].get<double>(), pair["difference"].get<double>(),
                   pair["agree"].get<bool>() ? "" : "differs");
    }
    const Json& force = of["force"];
    fmt::print("forces: RMS difference {:.2e} of the RMS force; largest {:.6f} kJ/mol/nm, on atom {}, {}\n",
               force["relative_rms_difference"].get<double>(), force["largest_difference"].get<double>(),
               force["atom"].get<std::size_t>(), force["name"].get<std::string>());
    fmt::print(
        "{} within {:.0e} (energies: of the term, for Coulomb of its largest part, or 0.001 kJ/mol; forces: RMS)\n",
        of["agree"].get<bool>() ? "they agree" : "they do NOT agree", of["tolerance"].get<double>());
}

}  // namespace

ExitCode parity_command(const ParityOptions& options, const Comm& world) {
    require_started_alone("parity", "mdsim parity computes one evaluation, in this process", "leave the launcher out");
    const Setup setup = open_for_parity(options, world);
    const bool gromacs = options.against == "gromacs";
    std::optional<EngineResult> engine;
    if (!options.against.empty())
        engine = gromacs ? run_gromacs(setup, options.engine) : run_openmm(setup, options.engine);
    const StartEvaluation found = evaluate_start(setup);
    Json out{{"mdsim", version}, {"atoms", found.forces.size()}, {"conventions", conventions(setup, found)}};
    if (engine) {
        const auto convention = gromacs ? Convention::gromacs : Convention::openmm;
        out["against"] = report_of(setup, *engine, compare(convention, found, *engine));
    }
    if (options.json) {
        fmt::print("{}\n", out.dump(2));
    } else {
        print_conventions(out["conventions"]);
        if (engine) print_comparison(out["against"]);
    }
    // The physics of one of the two is not that of the other.
    return !engine || out["against"]["agree"].get<bool>() ? ExitCode::finished : ExitCode::unstable;
}

}  // namespace mdsim
