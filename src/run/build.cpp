// SPDX-License-Identifier: Apache-2.0
#include "run/build.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "domain/local/local_topology.h"
#include "forces/bonded/bonded_term.h"
#include "forces/coulomb_constants.h"
#include "forces/device/device_forces.h"
#include "forces/dispersion_correction.h"
#include "forces/exclusions.h"
#include "forces/mesh/mesh_term.h"
#include "forces/mesh/pme_parameters.h"
#include "forces/mesh/ranks/rank_mesh_term.h"
#include "forces/pair_settings.h"
#include "forces/reference/ewald.h"
#include "forces/short_range/short_range.h"
#include "io/selected_atoms.h"

namespace mdsim {

namespace {

using HostTerms = std::vector<std::unique_ptr<HostTerm>>;

void add(HostTerms& terms, std::unique_ptr<HostTerm> term) {
    if (term) terms.push_back(std::move(term));
}

// Types that occur, in order.
std::vector<int> types_in_use(const Topology& topology) {
    std::vector<unsigned char> used(static_cast<std::size_t>(topology.force_field.types()), 0);
    for (const MoleculeType& type : topology.types) {
        for (const Atom& atom : type.atoms) used[static_cast<std::size_t>(atom.type)] = 1;
    }
    std::vector<int> types;
    for (int t = 0; t < topology.force_field.types(); ++t) {
        if (used[static_cast<std::size_t>(t)]) types.push_back(t);
    }
    return types;
}

/// What short-range pairs and the mesh of a stage are made from.
struct Nonbonded {
    const Setup& setup;
    const ChosenForces& chosen;
    Domain& domain;

    bool has_mesh() const { return chosen.mesh.has_value(); }
    mesh::MeshSettings mesh() const {
        const NonbondedSettings& s = chosen.nonbonded;
        if (chosen.esp) return mesh::esp_settings(*chosen.esp, s.cutoff, s.coulomb_constant);
        return mesh::pme_settings(*chosen.pme, s.coulomb_constant);
    }
    PairListSettings lists() const {
        PairListSettings lists;
        lists.random_order_seed = setup.input.debug.random_order_seed;
        return lists;
    }
    template <class Real>
    std::unique_ptr<HostTerm> mesh_term() const {
        if (domain.comm().alone()) {
            return std::make_unique<mesh::MeshTerm<Real>>(mesh(), make_atom_parameters(setup.topology).charge);
        }
        const mesh::MeshPlaces places{domain.regions().grid(), ranks_with_mesh(domain)};
        return std::make_unique<mesh::RankMeshTerm<Real>>(mesh(), domain.comm(), places);
    }
    void add_to(HostTerms& to, PrecisionChoice in) const {
        const bool mixed = in == PrecisionChoice::mixed;
        const std::vector<int> types = types_in_use(setup.topology);
        if (has_mesh()) to.push_back(mixed ? mesh_term<float>() : mesh_term<double>());
        to.push_back(
            std::make_unique<ShortRange>(ShortRangeSystem{setup.topology.force_field, types, {}, {}, chosen.nonbonded},
                                         mixed ? PairPrecision::mixed : PairPrecision::double_, lists()));
    }
    // Of those with a share in the mesh the first ones, as many as it is worth while for.
    std::vector<int> ranks_that_solve() const {
        std::vector<int> ranks = ranks_with_mesh(domain);
        const int most = static_cast<int>(ranks.size()), usual = has_mesh() ? devices_for_mesh(mesh().mesh, most) : 1;
        ranks.resize(static_cast<std::size_t>(std::min(setup.input.debug.mesh_devices.value_or(usual), most)));
        return ranks;
    }
    // Each device has the nodes of its atoms, and those that solve have a part of the mesh.
    void require_room_on_devices() const {
        const auto [x, y, z] = mesh().mesh;
        const double limit = most_nodes_of_device, nodes = static_cast<double>(x) * y * z;
        const auto [a, b, c] = domain.regions().grid();
        const int devices = domain.split() ? std::min(static_cast<int>(ranks_that_solve().size()), a * b * c) : 1;
        if (nodes <= devices * limit) return;
        throw_input_error({.code = "MD708",
                           .place = {setup.input.file.string()},
                           .what = fmt::format("the mesh of {} x {} x {} points is too large for {} device{}", x, y, z,
                                               devices, devices == 1 ? "" : "s"),
                           .why = fmt::format("a device has {:.0f} points at most, about 1024^3", limit),
                           .remedy = "take a coarser mesh (forces.mesh, forces.mesh_spacing), more ranks with a device "
                                     "each, or hardware.gpu = \"off\""});
    }
    void add_to_device(ForceTerms& terms) const {
        const std::vector<int> types = types_in_use(setup.topology);
        const ShortRangeSystem pairs{setup.topology.force_field, types, {}, {}, chosen.nonbonded};
        DeviceSystem system{.pairs = pairs, .lists = lists(), .mesh = {}, .charges = {}, .on_host = {}, .ranks = {}};
        if (has_mesh()) {
            require_room_on_devices();
            system.mesh = mesh();
        }
        add_to(system.on_host, PrecisionChoice::double_);
        if (domain.split()) {
            system.ranks = DeviceRanks{&domain, ranks_that_solve(), setup.hardware.transport};
        }
        terms.device.push_back(
            std::make_unique<DeviceForces>(*setup.hardware.device, setup.hardware.host, std::move(system)));
    }
};

void add_nonbonded(ForceTerms& terms, const Setup& setup, const ChosenForces& chosen, Domain& domain,
                   PrecisionChoice precision) {
    const NonbondedSettings& settings = chosen.nonbonded;
    const Comm& ranks = domain.comm();
    const Nonbonded nonbonded{setup, chosen, domain};
    if (setup.hardware.device && precision == PrecisionChoice::mixed) {
        nonbonded.add_to_device(terms);
    } else {
        nonbonded.add_to(terms.host, precision);
    }
    if (settings.electrostatics == Electrostatics::ewald && ranks.leads()) {
        terms.host.push_back(
            std::make_unique<EwaldReciprocal>(scaled_charges(make_atom_parameters(setup.topology).charge, settings),
                                              EwaldSettings{settings.ewald_splitting, chosen.ewald->largest_k2}));
    }
    add(terms.host, make_exclusion_term(setup.topology, settings));
    // What belongs to the system as a whole is added by one rank.
    if (!ranks.leads()) return;
    add(terms.host, make_coulomb_constants(setup.topology, settings));
    if (setup.input.forces.dispersion_correction) {
        add(terms.host, make_dispersion_correction(setup.topology, settings));
    }
}

}  // namespace

std::vector<AtomId> select_atoms(const Setup& setup, const std::string& text, const std::string& key) {
    const Places places{setup.start.x, setup.start.box};
    const bool has_places = setup.start.x.size() == static_cast<std::size_t>(setup.topology.atoms());
    return selected_atoms(text, setup.topology, has_places ? &places : nullptr, {{setup.input.file.string()}, key});
}

StageAtoms::StageAtoms(const Setup& setup, const StageInput& stage) {
    if (stage.freeze.empty()) return;
    frozen_.resize(static_cast<std::size_t>(setup.topology.atoms()));
    // Every rank selects, and the leading one alone has positions.
    const SelectionSource source{{setup.input.file.string()}, fmt::format("stage.{}.freeze", stage.name)};
    for (const AtomId atom : selected_atoms(stage.freeze, setup.topology, nullptr, source)) {
        frozen_[static_cast<std::size_t>(atom)] = true;
    }
}

AtomParameters StageAtoms::of(const Domain& domain) const {
    AtomParameters atoms = domain.home_parameters();
    for (std::size_t n = 0; !frozen_.empty() && n < atoms.size(); ++n) {
        if (frozen_[static_cast<std::size_t>(atoms.id[n])]) atoms.inverse_mass[n] = 0.0;
    }
    return atoms;
}

namespace {

std::optional<std::array<int, 3>> given_mesh(const ForcesInput& forces) {
    if (forces.mesh.size() != 3) return std::nullopt;
    return std::array<int, 3>{forces.mesh[0], forces.mesh[1], forces.mesh[2]};
}

void choose_pme_mesh(const Setup& setup, ChosenForces& chosen) {
    const ForcesInput& forces = setup.input.forces;
    const mesh::PmeRequest request{.cutoff = forces.cutoff,
                                   .force_error = forces.force_error,
                                   .splitting = forces.ewald_splitting,
                                   .spacing = forces.mesh_spacing,
                                   .mesh = given_mesh(forces),
                                   .order = forces.mesh_order};
    const mesh::PmeParameters pme = mesh::choose_pme(request, setup.start.box, mesh::charge_statistics(setup.topology),
                                                     chosen.nonbonded.coulomb_constant);
    chosen.nonbonded.ewald_splitting = pme.splitting;
    chosen.pme = pme;
    chosen.mesh = MeshSize{pme.mesh, pme.order};
    chosen.notes.push_back(
        fmt::format("expected relative force error {:.2g} (direct {:.2g}, mesh {:.2g}; asked for {:.2g})",
                    pme.force_error(), pme.direct_error, pme.mesh_error, forces.force_error));
}

void choose_esp_mesh(const Setup& setup, ChosenForces& chosen) {
    const ForcesInput& forces = setup.input.forces;
    const mesh::EspRequest request{.cutoff = forces.cutoff,
                                   .force_error = forces.force_error,
                                   .spacing = forces.mesh_spacing,
                                   .mesh = given_mesh(forces),
                                   .order = forces.mesh_order};
    const mesh::EspParameters esp = mesh::choose_esp(request, setup.start.box, mesh::charge_statistics(setup.topology));
    chosen.nonbonded.prolate_bandwidth = esp.split_bandwidth;
    chosen.esp = esp;
    chosen.mesh = MeshSize{esp.mesh, esp.order};
    chosen.notes.push_back(
        fmt::format("expected relative force error {:.2g} (asked for {:.2g})", esp.force_error, forces.force_error));
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
    // A medium divides all that charges do by its permittivity; the reaction field then depends on the ratio of the
    // two.
    s.coulomb_constant = setup.topology.force_field.coulomb_constant / forces.relative_permittivity;
    s.reaction_field_permittivity = forces.reaction_field_permittivity / forces.relative_permittivity;
    if (s.electrostatics == Electrostatics::pme) choose_pme_mesh(setup, chosen);
    if (s.electrostatics == Electrostatics::esp) choose_esp_mesh(setup, chosen);
    if (s.electrostatics == Electrostatics::ewald) choose_plain_ewald(setup, chosen);
    return chosen;
}

std::unique_ptr<ForceSet> build_forces(const Setup& setup, const StageInput* stage,
                                       const RestraintReferences& references, Domain& domain,
                                       PrecisionChoice precision) {
    const ChosenForces chosen = choose_forces(setup);
    ForceTerms terms;
    add(terms.host, make_bonded_term(setup.topology, chosen.nonbonded.coulomb_constant));
    add_nonbonded(terms, setup, chosen, domain, precision);
    add_restraints(terms.host, setup, stage, references, domain.comm());
    return std::make_unique<ForceSet>(std::move(terms), domain, setup.input.debug.list_every.value_or(0));
}

}  // namespace mdsim
