// SPDX-License-Identifier: Apache-2.0
#include "run/setup.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/matching.h"
#include "io/structure/structure_file.h"
#include "sites/virtual_sites.h"
#include "system/preparation/atom_names.h"
#include "system/preparation/constraint_choice.h"
#include "system/preparation/whole.h"

namespace mdsim {

namespace {

void choose_coulomb_constant(const SystemInput& system, Topology& topology, std::vector<std::string>& notes) {
    ForceField& field = topology.force_field;
    const auto of_source = [&] {
        switch (field.source) {
            case ForceFieldSource::amber:
                return CoulombChoice::amber;
            case ForceFieldSource::charmm:
                return CoulombChoice::charmm;
            default:
                return CoulombChoice::gromacs;
        }
    };
    const CoulombChoice choice = system.coulomb == CoulombChoice::automatic ? of_source() : system.coulomb;
    const char* name = "given";
    switch (choice) {
        case CoulombChoice::amber:
            field.coulomb_constant = units::coulomb_amber;
            name = "AMBER";
            break;
        case CoulombChoice::charmm:
            field.coulomb_constant = units::coulomb_charmm;
            name = "CHARMM";
            break;
        case CoulombChoice::given:
            field.coulomb_constant = system.coulomb_constant;
            break;
        default:
            field.coulomb_constant = units::coulomb_codata2018;
            name = "GROMACS, CODATA 2018";
    }
    notes.push_back(fmt::format("Coulomb constant {:.9g} kJ nm/mol/e^2 ({})", field.coulomb_constant, name));
}

Box choose_box(const Input& input, const Structure& structure, const Box& of_topology,
               std::vector<std::string>& notes) {
    if (input.forces.electrostatics == Electrostatics::none) {
        if (structure.box.periodic()) notes.emplace_back("the box is not used: electrostatics \"none\" is a vacuum");
        return {};
    }
    if (input.system.box) return *input.system.box;
    if (!structure.box.periodic() && of_topology.periodic()) {
        notes.push_back(fmt::format("box: of {}, since {} has none", input.system.topology.filename().string(),
                                    input.system.coordinates.filename().string()));
        return of_topology;
    }
    if (!structure.box.periodic()) {
        throw_input_error(
            {.code = "MD401",
             .place = {input.system.coordinates.string()},
             .what = "these coordinates have no box",
             .why = "the electrostatics that are asked for need a periodic box",
             .remedy = "give system.box = [\"6 nm\", \"6 nm\", \"6 nm\"], or forces.electrostatics = \"none\" for "
                       "a molecule in vacuum"});
    }
    return structure.box;
}

void require_finite(const Structure& structure, const std::filesystem::path& file) {
    for (std::size_t i = 0; i < structure.x.size(); ++i) {
        if (std::isfinite(norm2(structure.x[i]))) continue;
        throw_input_error({.code = "MD402",
                           .place = {file.string()},
                           .what = fmt::format("atom {} has a coordinate that is not a number", i + 1),
                           .remedy = "make the file again; programs write nan after a simulation has blown up"});
    }
}

void require_masses(const Topology& topology, const std::filesystem::path& file) {
    for (const MoleculeType& type : topology.types) {
        std::vector<bool> site(type.atoms.size(), false);
        for (const VirtualSite& s : type.virtual_sites) site[static_cast<std::size_t>(s.i)] = true;
        for (std::size_t i = 0; i < site.size(); ++i) {
            const Atom& atom = type.atoms[i];
            if (site[i] || atom.mass > 0.0) continue;
            throw_input_error(
                {.code = "MD403",
                 .place = {file.string()},
                 .what = fmt::format("molecule {}: atom {} has mass {} u", type.name, atom.name, atom.mass),
                 .why = "an atom without mass cannot be moved by a force",
                 .remedy = "give its mass in the topology, or say how it follows from other atoms as a virtual site"});
        }
    }
}

void require_placed(const Topology& topology, std::span<const Vec3d> x, const std::filesystem::path& file) {
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        for (const VirtualSite& site : type.virtual_sites) {
            if (std::isfinite(norm2(x[static_cast<std::size_t>(first + site.i)]))) continue;
            throw_input_error(
                {.code = "MD415",
                 .place = {file.string()},
                 .what = "the virtual site " + AtomNames(topology).describe(first + site.i) + " cannot be placed",
                 .why = "the atoms that it is made from lie at one place or on one line",
                 .remedy = "mend their coordinates"});
        }
    });
}

// A barostat changes a box; forces.mesh is refused here below what the mesh solver can do.
void require_possible(const Input& input) {
    Problems problems;
    const Place place{input.file.string()};
    for (const StageInput& stage : input.stages) {
        if (stage.barostat == BarostatChoice::none || input.forces.electrostatics != Electrostatics::none) continue;
        problems.add(
            {.code = "MD413",
             .place = place,
             .what = fmt::format("stage {} has a pressure, and electrostatics \"none\" is a vacuum", stage.name),
             .why = "without a box there is no volume and no pressure",
             .remedy = "take pressure out of the stage, or choose other electrostatics"});
    }
    for (const int points : input.forces.mesh) {
        if (points >= 8) continue;
        problems.add({.code = "MD454",
                      .place = place,
                      .what = fmt::format("forces.mesh has {} points along a box vector", points),
                      .why = "the mesh needs at least 8 points each way",
                      .remedy = "leave forces.mesh out: mdsim chooses it from force_error"});
    }
    problems.throw_if_any();
}

// Lines about kinds of molecules; a system may have thousands of kinds.
void append_first(std::vector<std::string>& notes, const std::vector<std::string>& lines) {
    const std::size_t shown = std::min(lines.size(), most_kinds_listed);
    notes.insert(notes.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
    if (lines.size() > shown)
        notes.push_back(fmt::format("and {} more kinds of molecules alike", lines.size() - shown));
}

}  // namespace

TopologyOptions topology_options(const SystemInput& system) {
    return {system.include_path, system.define, system.parameters};
}

Setup read_setup(Input input) {
    Setup setup;
    const SystemInput& system = input.system;
    require_possible(input);
    setup.topology = read_topology(system.topology, topology_options(system), &setup.notes);
    Structure structure = read_structure(system.coordinates);
    require_match(setup.topology, structure, system.topology, system.coordinates);
    require_finite(structure, system.coordinates);
    require_masses(setup.topology, system.topology);
    identify_topology(setup.identity, setup.topology, system.topology);
    identify_coordinates(setup.identity, structure, system.coordinates);
    choose_coulomb_constant(system, setup.topology, setup.notes);
    append_first(setup.notes, choose_constraints(setup.topology, system.constraints));
    if (system.hydrogen_mass) {
        const std::int64_t hydrogens = repartition_hydrogen_mass(setup.topology, *system.hydrogen_mass);
        setup.notes.push_back(fmt::format("hydrogen mass {} u: {} hydrogens, at the expense of what they are bonded to",
                                          *system.hydrogen_mass, hydrogens));
    }
    setup.start.box = choose_box(input, structure, setup.topology.file_box, setup.notes);
    setup.start.x = std::move(structure.x);
    make_whole(setup.topology, setup.start.box, setup.start.x, system.coordinates);
    place_sites(setup.topology, setup.start.x);
    require_placed(setup.topology, setup.start.x, system.coordinates);
    setup.vacuum = VacuumCell::around(setup.start.x);
    setup.has_velocities = !structure.v.empty();
    setup.start.v = std::move(structure.v);
    setup.start.v.resize(setup.start.x.size());
    setup.input = std::move(input);
    return setup;
}

State take_start(Setup& setup) {
    const auto has_restraints = [](const StageInput& stage) {
        return !stage.restraints.empty() || !stage.group_restraints.empty() || !stage.walls.empty();
    };
    const auto holds_atoms = [](const MoleculeType& type) {
        return !type.position_restraints.empty() || !type.flat_position_restraints.empty();
    };
    const bool referred_to = std::ranges::any_of(setup.input.stages, has_restraints) ||
                             std::ranges::any_of(setup.topology.types, holds_atoms);
    std::vector<Vec3d> x;
    if (referred_to) x = setup.start.x;
    State start = std::move(setup.start);
    setup.start = {};
    setup.start.box = start.box;
    setup.start.x = std::move(x);
    start.x.shrink_to_fit();
    start.v.shrink_to_fit();
    return start;
}

void identify_reference_files(Setup& setup) {
    for (const StageInput& stage : setup.input.stages) {
        for (std::size_t n = 0; n < stage.restraints.size(); ++n) {
            const RestraintInput& entry = stage.restraints[n];
            if (entry.to != RestraintReference::file) continue;
            const std::string name = fmt::format("stage {}, restraint {}", stage.name, n + 1);
            identify_reference(setup.identity, read_structure(entry.file), entry.file, name);
        }
    }
}

bool generates_velocities(const Setup& setup) {
    const auto& asked = setup.input.system.velocities;
    return asked ? *asked == VelocityChoice::generate : !setup.has_velocities;
}

StartVelocities start_velocities(const Setup& setup, const StageInput& stage) {
    const SystemInput& system = setup.input.system;
    const bool generate = generates_velocities(setup);
    if (!generate && !setup.has_velocities) {
        throw_input_error({.code = "MD407",
                           .place = {system.coordinates.string()},
                           .what = "these coordinates have no velocities",
                           .remedy = "system.velocities = \"generate\""});
    }
    if (!generate) return StartVelocities::of_file;
    if (stage.temperature_from) return StartVelocities::generated;
    throw_input_error({.code = "MD408",
                       .place = {setup.input.file.string()},
                       .what = fmt::format("stage {} has no temperature to generate velocities for", stage.name),
                       .remedy = "temperature = \"300 K\" in the stage (thermostat = \"none\" may stay)"});
}

}  // namespace mdsim
