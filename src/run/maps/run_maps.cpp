// SPDX-License-Identifier: Apache-2.0
#include "run/maps/run_maps.h"

#include <fmt/format.h>

#include "io/output/append_file.h"
#include "run/build.h"
#include "run/maps/map_file.h"
#include "run/output/writing/run_paths.h"

namespace mdsim {

namespace {

std::string key_of(std::size_t entry) {
    return fmt::format("map.{}", entry + 1);
}

std::vector<double> charges_of(const Topology& topology, const std::vector<std::size_t>& atoms) {
    std::vector<double> all, charges;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
        for (const Atom& atom : type.atoms) all.push_back(atom.charge);
    });
    for (const std::size_t atom : atoms) charges.push_back(all[atom]);
    return charges;
}

FieldMap::Request request_of(const Setup& setup, const MapInput& input) {
    FieldMap::Request request{.quantity = input.quantity, .spacing = input.spacing};
    if (input.quantity != MapQuantity::potential) return request;
    request.coulomb_constant = setup.topology.force_field.coulomb_constant;
    if (const auto pme = choose_forces(setup).pme) request.splitting = pme->splitting;
    return request;
}

}  // namespace

bool map_due(const Input& input, std::size_t entry, const StageInput& stage, std::int64_t step_in_stage) {
    const MapInput& map = input.output.maps[entry];
    const std::string& wanted = map.stage.empty() ? input.stages.back().name : map.stage;
    if (stage.kind != StageKind::dynamics || stage.name != wanted || map.every.never()) return false;
    return step_in_stage % map.every.in_steps(stage.timestep) == 0;
}

RunMaps::RunMaps(const Setup& setup, const Checkpoint* checkpoint) : setup_(setup) {
    const auto& inputs = setup.input.output.maps;
    if (!inputs.empty() && !setup.start.box.periodic()) throw_no_box();
    for (std::size_t n = 0; n < inputs.size(); ++n) {
        Map map{.request = request_of(setup, inputs[n])};
        for (const AtomId atom : select_atoms(setup, inputs[n].select, "output.map.select"))
            map.atoms.push_back(static_cast<std::size_t>(atom));
        map.charges = charges_of(setup.topology, map.atoms);
        if (checkpoint != nullptr && checkpoint->numbers.contains(key_of(n)))
            map.mean = FieldMap::restored(map.request, checkpoint->numbers.at(key_of(n)), map.charges);
        maps_.push_back(std::move(map));
    }
}

void RunMaps::add(std::size_t entry, const Box& box, std::span<const Vec3d> x, double time) {
    Map& map = maps_[entry];
    std::vector<Vec3d> selected;
    for (const std::size_t atom : map.atoms) selected.push_back(x[atom]);
    if (!map.mean) map.mean.emplace(map.request, box, map.charges);
    map.mean->add(box, selected, time);
}

void RunMaps::write() const {
    const OutputInput& output = setup_.input.output;
    for (std::size_t n = 0; n < maps_.size(); ++n) {
        if (!maps_[n].mean) continue;
        const FieldImage image = maps_[n].mean->image();
        for (const MapFormat format : output.maps[n].formats) {
            const auto path = RunPaths(output).map(n, format);
            write_atomically(path, map_bytes(image, format, path));
        }
    }
}

std::map<std::string, std::vector<double>> RunMaps::numbers() const {
    std::map<std::string, std::vector<double>> numbers;
    for (std::size_t n = 0; n < maps_.size(); ++n)
        if (maps_[n].mean) numbers[key_of(n)] = maps_[n].mean->state();
    return numbers;
}

}  // namespace mdsim
