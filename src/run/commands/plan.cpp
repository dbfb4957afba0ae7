// SPDX-License-Identifier: Apache-2.0
#include "run/commands/plan.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/version.h"
#include "parallel/threads.h"
#include "run/build.h"
#include "run/hardware/process_memory.h"
#include "run/plan/resources.h"

namespace mdsim {

namespace {

using Lines = std::vector<std::string>;

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    }
    return "unknown processor";
}

void describe_program(const Setup& setup, Lines& lines) {
    lines.push_back(fmt::format("mdsim {} ({}; {})", version, revision, build_description));
    const int ranks = ranks_of(setup).size();
    lines.push_back(fmt::format("{} rank{}, {} thread{}{}; {}", ranks, ranks == 1 ? "" : "s", thread_count(),
                                thread_count() == 1 ? "" : "s", ranks == 1 ? "" : " each", cpu_model()));
    lines.insert(lines.end(), setup.hardware.notes.begin(), setup.hardware.notes.end());
}

// The default of remove_com that holds with the topology's restraints is not known where the input is read.
SettingLine in_force(const Setup& setup, const SettingLine& setting) {
    SettingLine line = setting;
    for (const StageInput& stage : setup.input.stages) {
        if (line.key != fmt::format("stage.{}.remove_com.every", stage.name)) continue;
        if (stage.remove_com.never() || remove_com_every(setup, stage) != 0) continue;
        line.value = "\"0 steps\"";
        line.note = "the topology's [ position_restraints ] hold atoms";
    }
    return line;
}

void describe_input(const Setup& setup, Lines& lines) {
    lines.push_back(fmt::format("input {}", setup.input.file.string()));
    for (const SettingLine& setting : setup.input.settings) {
        const SettingLine s = in_force(setup, setting);
        lines.push_back(
            fmt::format("  {:<40} = {:<32} [{}]{}", s.key, s.value, s.origin, s.note.empty() ? "" : " " + s.note));
    }
}

// Kinds of equal name and size are one line, in the order of their first molecules.
void describe_molecules(const Topology& t, Lines& lines) {
    struct Kind {
        const MoleculeType* type;
        std::int64_t count;
    };
    std::vector<Kind> kinds;
    std::map<std::pair<std::string, int>, std::size_t> places;
    for (const MoleculeBlock& block : t.blocks) {
        const MoleculeType& type = t.types[static_cast<std::size_t>(block.type)];
        const auto [place, fresh] = places.try_emplace({type.name, type.size()}, kinds.size());
        if (fresh) kinds.push_back({&type, 0});
        kinds[place->second].count += block.count;
    }
    for (std::size_t n = 0; n < std::min(kinds.size(), most_kinds_listed); ++n) {
        const MoleculeType& type = *kinds[n].type;
        lines.push_back(fmt::format("  {} x {} ({} atoms each)", kinds[n].count, type.name, type.size()));
    }
    if (kinds.size() > most_kinds_listed)
        lines.push_back(fmt::format("  and {} more kinds of molecules", kinds.size() - most_kinds_listed));
}

void describe_system(const Setup& setup, Lines& lines) {
    const Topology& t = setup.topology;
    lines.push_back(fmt::format("system: {} atoms, {} molecules, {} residues, charge {:+.4f} e, mass {:.3f} u",
                                t.atoms(), t.molecules(), t.residues(), t.charge(), t.mass()));
    describe_molecules(t, lines);
    std::size_t bonds = 0, angles = 0, dihedrals = 0, cmaps = 0, pairs = 0, constraints = 0, settles = 0, sites = 0;
    for (const MoleculeBlock& block : t.blocks) {
        const MoleculeType& m = t.types[static_cast<std::size_t>(block.type)];
        const auto n = static_cast<std::size_t>(block.count);
        bonds += n * (m.bonds.size() + m.g96_bonds.size() + m.urey_bradleys.size() + m.two_atom_terms.size());
        angles += n * (m.angles.size() + m.g96_angles.size() + m.three_atom_terms.size());
        dihedrals += n * (m.proper_dihedrals.size() + m.improper_dihedrals.size() + m.harmonic_impropers.size() +
                          m.ryckaert_bellemans.size() + m.four_atom_terms.size());
        cmaps += n * m.cmaps.size();
        pairs += n * (m.pairs14.size() + m.plain_pairs.size());
        constraints += n * m.constraints.size();
        settles += n * m.settles.size();
        sites += n * m.virtual_sites.size();
    }
    const std::string virtual_sites = sites == 0 ? "" : fmt::format(", {} virtual sites", sites);
    const std::string maps = cmaps == 0 ? "" : fmt::format(" {} CMAPs,", cmaps);
    lines.push_back(
        fmt::format("  terms: {} bonds, {} angles, {} dihedrals,{} {} 1-4 pairs; {} constraints, {} rigid waters{}",
                    bonds, angles, dihedrals, maps, pairs, constraints, settles, virtual_sites));
    for (const std::string& note : setup.notes) lines.push_back("  " + note);
    const Mat3d& b = setup.start.box.rows();
    if (setup.start.box.periodic()) {
        lines.push_back(fmt::format(
            "  box {:.5f} {:.5f} {:.5f} / {:.5f} {:.5f} {:.5f} nm, volume {:.3f} nm^3, smallest height {:.4f} nm",
            b[0].x, b[1].y, b[2].z, b[1].x, b[2].x, b[2].y, setup.start.box.volume(),
            setup.start.box.smallest_height()));
    } else {
        lines.emplace_back("  no box (vacuum)");
    }
}

void describe_forces(const ChosenForces& chosen, Lines& lines) {
    const NonbondedSettings& s = chosen.nonbonded;
    if (s.electrostatics == Electrostatics::none) {
        lines.emplace_back("forces: all pairs, no cutoff");
    } else if (chosen.pme) {
        lines.push_back(fmt::format("forces: cutoff {} nm, splitting {:.5f} /nm, mesh {} x {} x {}, order {}", s.cutoff,
                                    s.ewald_splitting, chosen.pme->mesh[0], chosen.pme->mesh[1], chosen.pme->mesh[2],
                                    chosen.pme->order));
    } else if (chosen.esp) {
        lines.push_back(
            fmt::format("forces: cutoff {} nm, prolates of bandwidth {} (split) and {} (window), mesh {} x {} "
                        "x {}, order {}",
                        s.cutoff, chosen.esp->split_bandwidth, chosen.esp->window_bandwidth, chosen.mesh->points[0],
                        chosen.mesh->points[1], chosen.mesh->points[2], chosen.mesh->order));
    } else if (chosen.ewald) {
        const double k2 = chosen.ewald->largest_k2;
        lines.push_back(fmt::format("forces: cutoff {} nm, splitting {:.5f} /nm, plain Ewald sum over {}", s.cutoff,
                                    s.ewald_splitting,
                                    k2 > 0.0 ? fmt::format("wave vectors up to {:.4f} /nm", std::sqrt(k2))
                                             : std::string("all wave vectors that matter in double precision")));
    } else {
        lines.push_back(fmt::format("forces: cutoff {} nm, no mesh", s.cutoff));
    }
    for (const std::string& note : chosen.notes) lines.push_back("  " + note);
}

void describe_stage(const Setup& setup, const StageInput& stage, std::size_t number, Lines& lines) {
    std::string text = fmt::format("stage {}: {} ", number, stage.name);
    if (stage.kind == StageKind::minimise) {
        text += fmt::format("minimise, at most {} iterations, until no force is above {} kJ/mol/nm", stage.max_steps,
                            stage.stop_below);
    } else {
        text += fmt::format("dynamics, {} steps of {} ps = {} ps, about {:.1f} MB of output", stage.steps,
                            stage.timestep, stage.duration, 1e-6 * output_bytes(setup, stage));
    }
    lines.push_back(text);
    if (const std::int64_t held = atoms_held_by_topology(setup.topology); held > 0)
        lines.push_back(fmt::format("  {} atoms restrained ([ position_restraints ] of the topology)", held));
    for (const RestraintInput& r : stage.restraints) {
        const auto count = select_atoms(setup, r.select, fmt::format("stage.{}.restrain", stage.name)).size();
        lines.push_back(fmt::format("  {} atoms restrained ({})", count, r.select));
    }
    for (const GroupRestraintInput& r : stage.group_restraints) {
        std::string between;
        for (const std::string& text : r.between) between += (between.empty() ? "" : " | ") + text;
        lines.push_back(fmt::format("  restraint {} between the centres of mass of {}", r.name, between));
    }
    for (const WallInput& wall : stage.walls) {
        const auto count = select_atoms(setup, wall.select, fmt::format("stage.{}.wall", stage.name)).size();
        lines.push_back(fmt::format("  wall {} around {} atoms ({})", wall.name, count, wall.select));
    }
    const StageAtoms atoms(setup, stage);
    const auto frozen = std::count(atoms.frozen().begin(), atoms.frozen().end(), true);
    if (frozen > 0) lines.push_back(fmt::format("  {} atoms frozen", frozen));
    const ConstraintUnits constraints(setup.topology);
    if (stage.kind == StageKind::minimise) return;
    lines.push_back(fmt::format("  {:.0f} degrees of freedom", stage_degrees_of_freedom(setup, stage, atoms)));
}

// What a stage would find out at its start only, when there are outputs already.
void require_startable(const Setup& setup) {
    bool first_dynamics = true;
    for (const StageInput& stage : setup.input.stages) {
        if (stage.kind == StageKind::dynamics && std::exchange(first_dynamics, false)) start_velocities(setup, stage);
        require_references(setup, stage);
    }
}

}  // namespace

std::vector<std::string> describe_run(const Setup& setup) {
    Lines lines;
    describe_program(setup, lines);
    describe_input(setup, lines);
    describe_system(setup, lines);
    describe_forces(choose_forces(setup), lines);
    require_startable(setup);
    for (std::size_t n = 0; n < setup.input.stages.size(); ++n)
        describe_stage(setup, setup.input.stages[n], n + 1, lines);
    // Lists and the mesh come on top of what is resident before the first step.
    const double resident = 1e-6 * static_cast<double>(process_memory().resident);
    lines.push_back(fmt::format("memory: {:.0f} MB so far, some {:.0f} MB when running", resident,
                                resident + 600e-6 * static_cast<double>(setup.start.x.size())));
    return lines;
}

}  // namespace mdsim
