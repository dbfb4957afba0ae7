// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "io/topology/topology_file.h"
#include "io/trajectory/trajectory_file.h"
#include "run/parity/child.h"
#include "run/parity/engine.h"

namespace mdsim::parity {

namespace {

// Highest order of interpolation that GROMACS takes; at this spacing its error is below 1e-6 of the forces.
constexpr int mesh_order = 12;
constexpr double mesh_spacing = 0.06;  // [nm]

std::filesystem::path find_gmx(const std::filesystem::path& named) {
    const std::vector<std::string> names =
        named.empty() ? std::vector<std::string>{"gmx_d", "gmx"} : std::vector<std::string>{named.string()};
    if (const auto found = find_program(names)) return *found;
    throw_input_error({.code = "MD121",
                       .what = named.empty() ? "there is no gmx_d and no gmx to compare with"
                                             : fmt::format("there is no program {}", named.string()),
                       .remedy = "install GROMACS (Debian: apt-get install gromacs), or name its program: --engine "
                                 "/PATH/TO/gmx_d"});
}

std::string vdw_lines(const Setup& setup) {
    const ForcesInput& forces = setup.input.forces;
    switch (forces.electrostatics == Electrostatics::none ? LennardJones::cut : forces.lennard_jones) {
        case LennardJones::cut:
            return "vdwtype = cut-off\nvdw-modifier = none\n";
        case LennardJones::shift:
            return "vdwtype = cut-off\nvdw-modifier = potential-shift\n";
        case LennardJones::potential_switch:
            return fmt::format("vdwtype = cut-off\nvdw-modifier = potential-switch\nrvdw-switch = {}\n",
                               forces.switch_from);
        case LennardJones::force_switch:
            return fmt::format("vdwtype = cut-off\nvdw-modifier = force-switch\nrvdw-switch = {}\n",
                               forces.switch_from);
        case LennardJones::charmm_force_switch:
            break;
    }
    refuse(setup, "GROMACS does not have CHARMM's force switch",
           "compare with forces.lennard_jones = \"force-switch\"");
}

std::string coulomb_lines(const Setup& setup) {
    const ForcesInput& forces = setup.input.forces;
    const std::string medium = fmt::format("epsilon-r = {}\n", forces.relative_permittivity);
    switch (forces.electrostatics) {
        case Electrostatics::reaction_field:
            return medium +
                   fmt::format("coulombtype = reaction-field\nepsilon-rf = {}\n", forces.reaction_field_permittivity);
        case Electrostatics::cutoff:
        case Electrostatics::none:
            return medium + "coulombtype = cut-off\ncoulomb-modifier = none\n";
        default:
            return medium + fmt::format(
                                "coulombtype = PME\ncoulomb-modifier = none\newald-rtol = {:.15e}\npme-order = "
                                "{}\nfourierspacing = {}\n",
                                std::erfc(*forces.ewald_splitting * forces.cutoff), mesh_order, mesh_spacing);
    }
}

// Of a vacuum: longer than any distance in it.
double cutoff_of(const Setup& setup) {
    if (setup.start.box.periodic()) return setup.input.forces.cutoff;
    Vec3d low = setup.start.x.front(), high = low;
    for (const Vec3d& x : setup.start.x) {
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], x[a]);
            high[a] = std::max(high[a], x[a]);
        }
    }
    return norm(high - low) + 1.0;
}

std::string run_settings(const Setup& setup) {
    const SystemInput& system = setup.input.system;
    const double cutoff = cutoff_of(setup);
    std::string text =
        "integrator = md\nnsteps = 0\ncontinuation = yes\nconstraints = none\ncomm-mode = none\nnstlist = 1\n"
        "verlet-buffer-tolerance = -1\nnstenergy = 1\nnstcalcenergy = 1\nnstxout = 1\nnstfout = 1\n";
    text += fmt::format("rlist = {0}\nrcoulomb = {0}\nrvdw = {0}\npbc = {1}\n", cutoff,
                        setup.start.box.periodic() ? "xyz" : "no");
    text += vdw_lines(setup) + coulomb_lines(setup);
    if (setup.input.forces.dispersion_correction && setup.start.box.periodic()) text += "DispCorr = EnerPres\n";
    text += "define =";
    for (const std::string& macro : system.define) text += " -D" + macro;
    text += "\ninclude =";
    for (const auto& folder : system.include_path) text += " -I" + std::filesystem::absolute(folder).string();
    return text + "\n";
}

std::string coordinates(const Setup& setup) {
    std::string text = fmt::format("for parity\n{}\n", setup.start.x.size());
    std::int64_t residue = 0;
    setup.topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        for (std::size_t n = 0; n < type.atoms.size(); ++n) {
            const Atom& atom = type.atoms[n];
            const std::int64_t number = first + static_cast<std::int64_t>(n);
            const Vec3d& x = setup.start.x[static_cast<std::size_t>(number)];
            text += fmt::format("{:5d}{:<5.5}{:>5.5}{:5d}{:20.13f}{:20.13f}{:20.13f}\n",
                                (residue + atom.residue + 1) % 100000,
                                type.residues[static_cast<std::size_t>(atom.residue)].name, atom.name,
                                (number + 1) % 100000, x.x, x.y, x.z);
        }
        residue += static_cast<std::int64_t>(type.residues.size());
    });
    const Mat3d box = setup.start.box.periodic() ? setup.start.box.rows() : Mat3d{};
    return text + fmt::format("{:.13f} {:.13f} {:.13f} 0 0 {:.13f} 0 {:.13f} {:.13f}\n", box[0].x, box[1].y, box[2].z,
                              box[1].x, box[2].x, box[2].y);
}

/// The programs of one installation, in one folder.
class Gmx {
  public:
    Gmx(std::filesystem::path program, const ScratchFolder& folder) : program_(std::move(program)), folder_(folder) {}

    std::string operator()(std::vector<std::string> words, const std::string& input = {}) const {
        words.insert(words.begin(), {program_.string(), "-quiet", "-nobackup"});
        const Ended ended = run_in(folder_, words, input);
        if (ended.code == 0) return ended.text;
        throw_input_error({.code = "MD123",
                           .place = {program_.string()},
                           .what = fmt::format("{} {} ended with exit code {}:{}", program_.filename().string(),
                                               words[3], ended.code, last_lines(ended.text, 20)),
                           .remedy = "mend what GROMACS finds wrong"});
    }

  private:
    std::filesystem::path program_;
    const ScratchFolder& folder_;
};

// What gmx energy writes for every term: legends with names, then one line with the time and the values.
std::vector<Value> energies_of(const std::string& xvg) {
    std::vector<Value> values;
    std::istringstream lines(xvg);
    const std::regex legend("@ s[0-9]+ legend \"(.*)\"");
    for (std::string line; std::getline(lines, line);) {
        if (std::smatch match; std::regex_match(line, match, legend)) values.push_back({match[1], 0.0});
        if (line.empty() || line[0] == '#' || line[0] == '@') continue;
        std::istringstream numbers(line);
        double number = 0.0;
        numbers >> number;
        for (Value& value : values) numbers >> value.value;
        break;
    }
    // Behind the potential come temperature, pressure and the like.
    const auto total = std::ranges::find(values, "Potential", &Value::name);
    if (total != values.end()) values.erase(total + 1, values.end());
    return values;
}

std::string every_term() {
    std::string numbers;
    for (int n = 1; n < 60; ++n) numbers += fmt::format("{}\n", n);
    return numbers + "\n";
}

}  // namespace

EngineResult run_gromacs(const Setup& setup, const std::filesystem::path& program) {
    const std::filesystem::path topology = std::filesystem::absolute(setup.input.system.topology);
    if (topology_format(topology) != TopologyFormat::gromacs)
        refuse(setup, fmt::format("GROMACS does not read {}", topology.filename().string()),
               "compare with --against openmm, or with a GROMACS topology of the same system");
    const ScratchFolder folder;
    const Gmx gmx(find_gmx(program), folder);
    folder.write("run.mdp", run_settings(setup));
    folder.write("conf.gro", coordinates(setup));
    gmx({"grompp", "-f", "run.mdp", "-c", "conf.gro", "-r", "conf.gro", "-p", topology.string(), "-o", "run.tpr", "-po",
         "out.mdp", "-maxwarn", "99"});
    gmx({"mdrun", "-s", "run.tpr", "-deffnm", "run", "-nt", "1", "-nb", "cpu"});
    gmx({"energy", "-f", "run.edr", "-o", "run.xvg", "-dp"}, every_term());
    EngineResult result;
    const std::string about = gmx({"--version"});
    std::smatch match;
    std::regex_search(about, match, std::regex("GROMACS version: *(\\S+)"));
    const bool is_double = about.find("Precision:          double") != std::string::npos;
    result.engine = fmt::format("GROMACS {} ({} precision)", match.str(1), is_double ? "double" : "single");
    result.tolerance = is_double ? 2e-6 : 1e-4;
    result.energies = energies_of(folder.read("run.xvg"));
    StoredFrame frame;
    if (open_trajectory(folder.path() / "run.trr")->read(frame)) result.forces = std::move(frame.f);
    return result;
}

}  // namespace mdsim::parity
