// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/units.h"
#include "core/version.h"
#include "forces/dispersion_correction.h"
#include "observe/kinetic_energy.h"
#include "parallel/together.h"
#include "run/build.h"
#include "run/commands/commands.h"
#include "run/output/result_file.h"
#include "run/parity/start_evaluation.h"

namespace mdsim {

namespace {

using Json = nlohmann::ordered_json;

Json matrix(const Mat3d& m) {
    Json rows = Json::array();
    for (const Vec3d& row : m) rows.push_back({row.x, row.y, row.z});
    return rows;
}

Json energies_of(const EnergySums& sums) {
    Json list;
    for (std::size_t t = 0; t < term_count; ++t)
        list[std::string(name_of(static_cast<Term>(t)))] = sums[static_cast<Term>(t)].value();
    double coulomb = 0.0;
    for (const Term t : {Term::coulomb_real, Term::coulomb_recip, Term::coulomb_self, Term::coulomb_exclusion,
                         Term::coulomb_net_charge_background}) {
        coulomb += sums[t].value();
    }
    list["coulomb_total_without_14"] = coulomb;
    list["potential"] = sums.potential();
    return list;
}

struct ForceFacts {
    double rms = 0.0, max = 0.0;
    std::size_t max_atom = 0;
};

ForceFacts facts_of(const std::vector<Vec3d>& forces) {
    ForceFacts facts;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const double f = norm(forces[i]);
        facts.rms += f * f;
        if (f > facts.max) {
            facts.max = f;
            facts.max_atom = i;
        }
    }
    facts.rms = std::sqrt(facts.rms / static_cast<double>(std::max<std::size_t>(1, 3 * forces.size())));
    return facts;
}

const char* name_of(Electrostatics e) {
    constexpr const char* names[] = {"esp", "pme", "ewald", "reaction-field", "cutoff", "none"};
    return names[static_cast<int>(e)];
}

const char* name_of(LennardJones l) {
    constexpr const char* names[] = {"cut", "shift", "potential-switch", "force-switch", "charmm-force-switch"};
    return names[static_cast<int>(l)];
}

Json settings_of(const ChosenForces& chosen, PrecisionChoice precision) {
    const NonbondedSettings& s = chosen.nonbonded;
    Json settings{{"precision", precision == PrecisionChoice::mixed ? "mixed" : "double"},
                  {"cutoff", s.cutoff},
                  {"electrostatics", name_of(s.electrostatics)},
                  {"lennard_jones", name_of(s.lennard_jones)},
                  {"switch_from", s.switch_from},
                  {"ewald_splitting", s.ewald_splitting},
                  {"coulomb_constant", s.coulomb_constant}};
    if (chosen.mesh) {
        settings["mesh"] = chosen.mesh->points;
        settings["mesh_order"] = chosen.mesh->order;
    }
    if (chosen.esp) settings["prolate_bandwidth"] = s.prolate_bandwidth;
    if (chosen.ewald && chosen.ewald->largest_k2 > 0.0) {
        settings["largest_wave_vector"] = std::sqrt(chosen.ewald->largest_k2);
    }
    return settings;
}

// NumPy format 1.0: magic, version, header of a length that makes the data begin at a multiple of 64 bytes.
std::string as_npy(const std::vector<Vec3d>& forces) {
    std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 3), }}", forces.size());
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(forces.data()), forces.size() * sizeof forces.front());
    return bytes;
}

std::string as_text(const std::vector<Vec3d>& forces) {
    std::string text = "fx [kJ/mol/nm],fy [kJ/mol/nm],fz [kJ/mol/nm]\n";
    for (const Vec3d& f : forces) text += fmt::format("{},{},{}\n", f.x, f.y, f.z);
    return text;
}

Json report(const Setup& setup, const ChosenForces& chosen, const EnergySums& sums, const std::vector<Vec3d>& forces) {
    const PrecisionChoice precision = setup.input.hardware.precision;
    const ForceFacts force = facts_of(forces);
    Json out{{"mdsim", version}, {"atoms", forces.size()}, {"settings", settings_of(chosen, precision)}};
    out["box"] = matrix(setup.start.box.rows());
    out["units"] = {{"energy", "kJ/mol"}, {"force", "kJ/mol/nm"}, {"pressure", "bar"}, {"length", "nm"}};
    out["energies"] = energies_of(sums);
    out["virial"] = matrix(sums.virial());
    if (setup.start.box.periodic()) {
        const double volume = setup.start.box.volume();
        // Of the forces alone, atoms at rest; the dispersion correction is in it where it is on.
        out["pressure"] = mean_pressure(pressure_tensor({}, sums.virial(), volume, 0.0));
        const auto correction = setup.input.forces.dispersion_correction
                                    ? make_dispersion_correction(setup.topology, chosen.nonbonded)
                                    : nullptr;
        out["dispersion_pressure"] =
            correction ? correction->virial(volume) / volume * units::bar_per_pressure_unit : 0.0;
    }
    out["clipped"] = sums.out_of_range();
    out["force"] = {{"rms", force.rms}, {"max", force.max}, {"max_atom", force.max_atom}};
    return out;
}

void print_text(const Json& report) {
    for (const auto& [name, value] : report["energies"].items())
        fmt::print("{:<34}{:>20.8f} kJ/mol\n", name, value.get<double>());
    for (const auto& r : report["restraints"]) {
        fmt::print("restraint {:<24}{:>20.8f} kJ/mol at {:.6f} {}\n", r["name"].get<std::string>(),
                   r["energy"].get<double>(), r["value"].get<double>(), r["unit"].get<std::string>());
    }
    for (const auto& row : report["virial"]) {
        fmt::print("virial {:>18.6f}{:>18.6f}{:>18.6f} kJ/mol\n", row[0].get<double>(), row[1].get<double>(),
                   row[2].get<double>());
    }
    if (report.contains("pressure")) {
        fmt::print(
            "pressure of the forces alone (no kinetic part) {:.6f} bar, {:.6f} bar of it dispersion correction\n",
            report["pressure"].get<double>(), report["dispersion_pressure"].get<double>());
    }
    const Json& force = report["force"];
    fmt::print("force: rms {:.6f}, largest {:.6f} kJ/mol/nm on atom {}\n", force["rms"].get<double>(),
               force["max"].get<double>(), force["max_atom"].get<std::size_t>() + 1);
}

Json restraints_of(const std::vector<RestraintValue>& restraints) {
    Json list = Json::array();
    for (const RestraintValue& r : restraints)
        list.push_back({{"name", r.name}, {"value", r.value}, {"unit", r.unit}, {"energy", r.energy}});
    return list;
}

void print(const Setup& setup, const EnergyOptions& options, const StartEvaluation& found) {
    Json out = report(setup, choose_forces(setup), found.sums, found.forces);
    out["restraints"] = restraints_of(found.restraints);
    if (found.sums.out_of_range()) {
        fmt::print(
            stderr,
            "note: atoms lie on top of each other; a pair's force or energy beyond 2.7e8 kJ/mol (/nm), or a bonded "
            "term's force beyond 1.3e8, is held there, so the numbers are smaller than the true ones\n");
    }
    if (options.json) {
        fmt::print("{}\n", out.dump(2));
    } else {
        print_text(out);
    }
}

}  // namespace

ExitCode energy_command(const EnergyOptions& options, const Comm& world) {
    const Setup setup = open_setup(options.common, world);
    std::optional<ResultFile> file;
    lead_alone(world, [&] {
        if (!options.forces.empty()) file.emplace(options.forces, "--forces", setup.input);
    });
    const StartEvaluation found = evaluate_start(setup);
    lead_alone(world, [&] {
        if (file) file->write(options.forces.extension() == ".npy" ? as_npy(found.forces) : as_text(found.forces));
        print(setup, options, found);
    });
    return ExitCode::finished;
}

}  // namespace mdsim
