// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "io/input/keys/quantity.h"
#include "io/output/append_file.h"
#include "io/selected_atoms.h"
#include "io/topology/names_file.h"
#include "io/trajectory/trajectory_file.h"
#include "parallel/threads.h"
#include "run/commands/commands.h"
#include "run/maps/field_map.h"
#include "run/maps/map_file.h"

namespace mdsim {

namespace {

double quantity(const std::string& text, const char* option, inp::Dimension dimension, const char* unit) {
    inp::QuantityFault fault;
    const auto value = inp::parse_quantity(text, dimension, unit, fault);
    if (!value) {
        throw_input_error(
            {.code = "MD116",
             .what = fmt::format("{} {}: {}", option, text, fault.what),
             .remedy = fault.suggestion.empty() ? std::string{} : fmt::format("{} \"{}\"", option, fault.suggestion)});
    }
    return *value;
}

double positive(const std::string& text, const char* option, inp::Dimension dimension, const char* unit) {
    const double value = quantity(text, option, dimension, unit);
    if (value > 0.0) return value;
    throw_input_error({.code = "MD116",
                       .what = fmt::format("{} {} is not above zero", option, text),
                       .remedy = fmt::format("{} \"0.1 {}\"", option, unit)});
}

FieldMap::Request request_of(const MapOptions& options, const Topology& topology) {
    FieldMap::Request request;
    if (options.quantity == "charge") request.quantity = MapQuantity::charge;
    if (options.quantity == "potential") request.quantity = MapQuantity::potential;
    request.spacing = positive(options.spacing, "--spacing", inp::Dimension::length, "nm");
    request.splitting = positive(options.splitting, "--splitting", inp::Dimension::inverse_length, "/nm");
    request.coulomb_constant = topology.force_field.coulomb_constant;
    return request;
}

/// The atoms of a selection, and their charges.
class SelectedAtoms {
  public:
    SelectedAtoms(const Topology& topology, const std::string& select, const Places& places) {
        for (const AtomId atom : selected_atoms(select, topology, &places, {{}, "--select"}))
            atoms_.push_back(static_cast<std::size_t>(atom));
        std::vector<double> charges;
        topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
            for (const Atom& atom : type.atoms) charges.push_back(atom.charge);
        });
        for (const std::size_t atom : atoms_) charges_.push_back(charges[atom]);
    }
    const std::vector<double>& charges() const { return charges_; }
    std::vector<Vec3d> of(const StoredFrame& frame) const {
        std::vector<Vec3d> x;
        for (const std::size_t atom : atoms_) x.push_back(frame.x[atom]);
        return x;
    }

  private:
    std::vector<std::size_t> atoms_;
    std::vector<double> charges_;
};

const Topology& topology_of(const MapOptions& options, const TrajectoryReader& reader, std::optional<Topology>& read) {
    if (!options.topology.empty()) read = read_names(options.topology);
    const Topology* topology = read ? &*read : reader.topology();
    if (topology == nullptr) {
        throw_input_error({.code = "MD116",
                           .place = {options.trajectory.string()},
                           .what = "this trajectory has coordinates alone",
                           .why = "a map needs names and charges of atoms",
                           .remedy = "--topology FILE, the topology of the run"});
    }
    if (topology->atoms() != reader.atoms()) {
        throw_input_error({.code = "MD205",
                           .place = {options.topology.string()},
                           .what = fmt::format("it has {} atoms, the trajectory {}", topology->atoms(), reader.atoms()),
                           .remedy = "give the topology of this trajectory"});
    }
    return *topology;
}

}  // namespace

ExitCode map_command(const MapOptions& options) {
    const MapFormat format = map_format(options.map);
    if (options.threads > 0) set_thread_count(options.threads);
    const auto reader = open_trajectory(options.trajectory);
    std::optional<Topology> read;
    const Topology& topology = topology_of(options, *reader, read);
    const FieldMap::Request request = request_of(options, topology);
    const double from = quantity(options.from, "--from", inp::Dimension::time, "ps");
    const std::optional<double> to =
        options.to.empty() ? std::nullopt : std::optional(quantity(options.to, "--to", inp::Dimension::time, "ps"));
    std::optional<SelectedAtoms> atoms;
    std::optional<FieldMap> map;
    StoredFrame frame;
    for (std::int64_t n = 0; reader->read(frame);) {
        if (frame.time < from || (to && frame.time > *to) || n++ % options.every != 0) continue;
        const Box box = frame.box.box(options.trajectory);
        if (!map) {
            atoms.emplace(topology, options.select, Places{frame.x, box});
            map.emplace(request, box, atoms->charges());
        }
        map->add(box, atoms->of(frame), frame.time);
    }
    if (!map) {
        throw_input_error({.code = "MD116",
                           .place = {options.trajectory.string()},
                           .what = "no frame is from --from to --to",
                           .remedy = "mdsim info FILE shows the times that it has"});
    }
    const FieldImage image = map->image();
    write_atomically(options.map, map_bytes(image, format, options.map));
    fmt::print("{}: {} [{}], {} x {} x {} cells, mean of {} frames\n", options.map.string(), image.name, image.unit,
               image.cells[0], image.cells[1], image.cells[2], map->frames());
    return ExitCode::finished;
}

}  // namespace mdsim
