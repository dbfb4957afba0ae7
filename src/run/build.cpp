// SPDX-License-Identifier: Apache-2.0
#include "run/build.h"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "domain/local_topology.h"
#include "forces/bonded/bonded_term.h"
#include "forces/coulomb_constants.h"
#include "forces/device/device_forces.h"
#include "forces/dispersion_correction.h"
#include "forces/exclusions.h"
#include "forces/mesh/mesh_term.h"
#include "forces/mesh/pme_parameters.h"
#include "forces/pair_settings.h"
#include "forces/reference/ewald.h"
#include "forces/restraints/position_restraints.h"
#include "forces/short_range/short_range.h"
#include "io/matching.h"
#include "io/structure/structure_file.h"
#include "system/preparation/whole.h"
#include "system/selection/selection.h"

namespace mdsim {

namespace {

using HostTerms = std::vector<std::unique_ptr<HostTerm>>;

void add(HostTerms& terms, std::unique_ptr<HostTerm> term) {
    if (term) terms.push_back(std::move(term));
}

/// What the non-bonded terms of a stage are made from.
struct Nonbonded {
    const ChosenForces& chosen;
    const AtomParameters& atoms;
    ShortRangeSystem pairs;
    PairListSettings lists;

    bool has_mesh() const { return chosen.nonbonded.electrostatics == Electrostatics::pme; }
    mesh::MeshSettings mesh() const { return mesh::pme_settings(*chosen.pme, chosen.nonbonded.coulomb_constant); }
    std::unique_ptr<HostTerm> mesh_on_host(PrecisionChoice precision) const {
        if (precision == PrecisionChoice::mixed) return std::make_unique<mesh::MeshTerm<float>>(mesh(), atoms.charge);
        return std::make_unique<mesh::MeshTerm<double>>(mesh(), atoms.charge);
    }
};

/// Short-range pairs and the mesh, on the device that was chosen or else on the host.
void add_pairs_and_mesh(ForceTerms& terms, const Nonbonded& n, const HardwareChoice& hardware,
                        PrecisionChoice precision) {
    const auto on_host = [&](HostTerms& to, PrecisionChoice in) {
        const auto pairs = in == PrecisionChoice::mixed ? PairPrecision::mixed : PairPrecision::double_;
        to.push_back(std::make_unique<ShortRange>(n.pairs, pairs, n.lists));
        if (n.has_mesh()) to.push_back(n.mesh_on_host(in));
    };
    if (!hardware.device || precision != PrecisionChoice::mixed) return on_host(terms.host, precision);
    DeviceSystem system{.pairs = n.pairs, .lists = n.lists, .mesh = {}, .charges = n.atoms.charge, .on_host = {}};
    if (n.has_mesh()) system.mesh = n.mesh();
    on_host(system.on_host, PrecisionChoice::double_);
    terms.device.push_back(std::make_unique<DeviceForces>(*hardware.device, hardware.host, std::move(system)));
}

void add_nonbonded(ForceTerms& terms, const Setup& setup, const ChosenForces& chosen, const LocalTerms& local,
                   const AtomParameters& atoms, PrecisionChoice precision) {
    const NonbondedSettings& settings = chosen.nonbonded;
    const std::vector<double> charges = scaled_charges(atoms.charge, settings);
    Nonbonded nonbonded{.chosen = chosen,
                        .atoms = atoms,
                        .pairs = {setup.topology.force_field, atoms.type, charges, local.exclusions, settings},
                        .lists = {}};
    nonbonded.lists.random_order_seed = setup.input.debug.random_order_seed;
    add_pairs_and_mesh(terms, nonbonded, setup.hardware, precision);
    if (settings.electrostatics == Electrostatics::ewald) {
        terms.host.push_back(std::make_unique<EwaldReciprocal>(
            charges, EwaldSettings{settings.ewald_splitting, chosen.ewald->largest_k2}));
    }
    add(terms.host, make_exclusion_term(setup.topology, settings));
    add(terms.host, make_coulomb_constants(setup.topology, settings));
    if (setup.input.forces.dispersion_correction) {
        add(terms.host, make_dispersion_correction(setup.topology, settings));
    }
}

// Those of the stage, then the topology's own [ position_restraints ], which hold to the positions of the input.
void add_restraints(HostTerms& terms, const Setup& setup, const StageInput* stage,
                    const RestraintReferences& references) {
    const std::size_t of_stage = stage != nullptr ? stage->restraints.size() : 0;
    for (std::size_t n = 0; n < of_stage; ++n) {
        const RestraintInput& entry = stage->restraints[n];
        const auto scaling = entry.scale_with_box ? ReferenceScaling::with_box : ReferenceScaling::fixed;
        terms.push_back(std::make_unique<PositionRestraints>(n, entry.force_constant, scaling, references.boxes[n]));
    }
    if (atoms_held_by_topology(setup.topology) == 0) return;
    terms.push_back(
        std::make_unique<PositionRestraints>(of_stage, std::nullopt, ReferenceScaling::with_box, setup.start.box));
}

// Places that all atoms are held to, by restraint, in the order of add_restraints.
std::vector<std::vector<Vec3d>> places_of_all(const Setup& setup, const StageInput* stage,
                                              const RestraintReferences& references) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::vector<Vec3d>> places;
    for (std::size_t n = 0; stage != nullptr && n < stage->restraints.size(); ++n) {
        const std::vector<AtomId> atoms =
            select_atoms(setup, stage->restraints[n].select, fmt::format("stage.{}.restrain", stage->name));
        std::vector<Vec3d>& of_entry = places.emplace_back(setup.start.x.size(), Vec3d{none, none, none});
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            of_entry[static_cast<std::size_t>(atoms[i])] = references.of_entry[n][i];
        }
    }
    places.push_back(setup.start.x);
    return places;
}

}  // namespace

std::vector<AtomId> select_atoms(const Setup& setup, const std::string& text, const std::string& key) {
    const Place place{setup.input.file.string()};
    try {
        std::vector<AtomId> atoms = select(text, setup.topology);
        if (!atoms.empty()) return atoms;
    } catch (const SelectionError& error) {
        throw_input_error(
            {.code = "MD404",
             .place = place,
             .what = fmt::format("{}: selection \"{}\", column {}: {}", key, text, error.column(), error.what()),
             .remedy = error.remedy()});
    }
    throw_input_error({.code = "MD405",
                       .place = place,
                       .what = fmt::format("{}: the selection \"{}\" holds no atom", key, text),
                       .remedy = "check the names against `mdsim info` of the topology, or leave the entry out"});
}

namespace {

// Coordinates of a file that restraints refer to: those of the whole system, molecules whole, each in the periodic
// image nearest to where it is in the input.
Structure read_reference(const Setup& setup, const std::filesystem::path& file) {
    Structure reference = read_structure(file);
    require_match(setup.topology, reference, setup.input.system.topology, file);
    if (!setup.start.box.periodic()) reference.box = Box();
    if (setup.start.box.periodic() && !reference.box.periodic()) reference.box = setup.start.box;
    make_whole(setup.topology, reference.box, reference.x, file);
    setup.topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto i = static_cast<std::size_t>(first);
        const Vec3d here = reference.box.periodic()
                               ? reference.box.to_cartesian(setup.start.box.to_fractional(setup.start.x[i]))
                               : setup.start.x[i];
        const Vec3d d = reference.x[i] - here;
        const Vec3d shift = reference.box.minimum_image(d) - d;
        for (std::size_t k = i; k < i + type.atoms.size(); ++k) reference.x[k] += shift;
    });
    return reference;
}

}  // namespace

RestraintReferences make_references(const Setup& setup, const StageInput& stage, const State& stage_start) {
    RestraintReferences references;
    for (const RestraintInput& entry : stage.restraints) {
        Structure from{.x = setup.start.x, .box = setup.start.box};
        if (entry.to == RestraintReference::stage_start) from = {.x = stage_start.x, .box = stage_start.box};
        if (entry.to == RestraintReference::file) from = read_reference(setup, entry.file);
        references.boxes.push_back(from.box);
        std::vector<Vec3d>& of_entry = references.of_entry.emplace_back();
        for (const AtomId atom : select_atoms(setup, entry.select, fmt::format("stage.{}.restrain", stage.name))) {
            of_entry.push_back(from.x[static_cast<std::size_t>(atom)]);
        }
    }
    return references;
}

AtomParameters make_stage_atoms(const Setup& setup, const StageInput& stage) {
    AtomParameters atoms = make_atom_parameters(setup.topology);
    if (stage.freeze.empty()) return atoms;
    for (const AtomId atom : select_atoms(setup, stage.freeze, fmt::format("stage.{}.freeze", stage.name))) {
        atoms.inverse_mass[static_cast<std::size_t>(atom)] = 0.0;
    }
    return atoms;
}

namespace {

void choose_mesh(const Setup& setup, ChosenForces& chosen) {
    const ForcesInput& forces = setup.input.forces;
    mesh::PmeRequest request{.cutoff = forces.cutoff,
                             .force_error = forces.force_error,
                             .splitting = forces.ewald_splitting,
                             .spacing = forces.mesh_spacing,
                             .order = forces.mesh_order};
    if (forces.mesh.size() == 3) request.mesh = std::array<int, 3>{forces.mesh[0], forces.mesh[1], forces.mesh[2]};
    const mesh::PmeParameters pme = mesh::choose_pme(request, setup.start.box, mesh::charge_statistics(setup.topology),
                                                     chosen.nonbonded.coulomb_constant);
    chosen.nonbonded.ewald_splitting = pme.splitting;
    chosen.pme = pme;
    chosen.notes.push_back(
        fmt::format("expected relative force error {:.2g} (direct {:.2g}, mesh {:.2g}; asked for {:.2g})",
                    pme.force_error(), pme.direct_error, pme.mesh_error, forces.force_error));
}

void require_room_for_cutoff(const Setup& setup) {
    const Box& box = setup.start.box;
    if (!box.periodic() || setup.input.forces.cutoff <= 0.5 * box.smallest_height()) return;
    throw_input_error({.code = "MD450",
                       .place = {setup.input.file.string()},
                       .what = fmt::format("the cutoff of {} nm is too long for this box, whose opposite faces are {} "
                                           "nm apart at least",
                                           setup.input.forces.cutoff, box.smallest_height()),
                       .why = "with a cutoff above half of that an atom would meet two images of another",
                       .remedy = fmt::format("set forces.cutoff to at most \"{:.3f} nm\", or prepare a larger box",
                                             std::floor(500.0 * box.smallest_height() - 1e-6) / 1000.0)});
}

void choose_plain_ewald(const Setup& setup, ChosenForces& chosen) {
    const ForcesInput& forces = setup.input.forces;
    chosen.ewald = choose_ewald({forces.cutoff, forces.force_error, forces.ewald_splitting}, setup.start.box,
                                mesh::charge_statistics(setup.topology), chosen.nonbonded.coulomb_constant);
    chosen.nonbonded.ewald_splitting = chosen.ewald->splitting;
    chosen.notes.push_back(
        fmt::format("expected relative force error {:.2g} (direct {:.2g}, wave vectors {:.2g}; {})",
                    chosen.ewald->force_error(), chosen.ewald->direct_error, chosen.ewald->reciprocal_error,
                    forces.ewald_splitting ? "ewald_splitting was given, so force_error chooses nothing"
                                           : fmt::format("asked for {:.2g}", forces.force_error)));
}

}  // namespace

ChosenForces choose_forces(const Setup& setup) {
    const ForcesInput& forces = setup.input.forces;
    require_room_for_cutoff(setup);
    ChosenForces chosen;
    NonbondedSettings& s = chosen.nonbonded;
    s.cutoff = forces.cutoff;
    s.lennard_jones = forces.lennard_jones;
    s.switch_from = forces.switch_from;
    s.electrostatics = forces.electrostatics;
    s.reaction_field_permittivity = forces.reaction_field_permittivity;
    s.coulomb_constant = setup.topology.force_field.coulomb_constant;
    if (s.electrostatics == Electrostatics::pme) choose_mesh(setup, chosen);
    if (s.electrostatics == Electrostatics::ewald) choose_plain_ewald(setup, chosen);
    return chosen;
}

std::unique_ptr<ForceSet> build_forces(const Setup& setup, const StageInput* stage,
                                       const RestraintReferences& references, PrecisionChoice precision) {
    const ChosenForces chosen = choose_forces(setup);
    const LocalTerms local = make_local_terms(setup.topology);
    const AtomParameters atoms = make_atom_parameters(setup.topology);
    ForceTerms terms;
    add(terms.host, make_bonded_term(setup.topology, chosen.nonbonded.coulomb_constant));
    add_nonbonded(terms, setup, chosen, local, atoms, precision);
    add_restraints(terms.host, setup, stage, references);
    const LocalAtoms all = all_atoms(setup.topology);
    const auto places = places_of_all(setup, stage, references);
    for (const auto& term : terms.host) term->assign({all, local, atoms, places});
    return std::make_unique<ForceSet>(std::move(terms), setup.input.debug.list_every.value_or(0));
}

}  // namespace mdsim
