// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "forces/restraints/flat_position_restraints.h"
#include "forces/restraints/group_restraints.h"
#include "forces/restraints/position_restraints.h"
#include "forces/restraints/walls.h"
#include "io/matching.h"
#include "io/structure/structure_file.h"
#include "parallel/together.h"
#include "run/build.h"
#include "sites/virtual_sites.h"
#include "system/preparation/whole.h"

namespace mdsim {

namespace {

std::string restraint_key(const StageInput& stage) {
    return fmt::format("stage.{}.restrain", stage.name);
}

// Coordinates of a file that restraints refer to: those of the whole system, molecules whole, each in the periodic
// image nearest to where it is in the input.
Structure read_reference(const Setup& setup, const std::filesystem::path& file) {
    Structure reference = read_structure(file);
    require_match(setup.topology, reference, setup.input.system.topology, file);
    if (!setup.start.box.periodic()) reference.box = Box();
    if (setup.start.box.periodic() && !reference.box.periodic()) reference.box = setup.start.box;
    make_whole(setup.topology, reference.box, reference.x, file);
    place_sites(setup.topology, reference.x);
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

const char* key_of(GroupMeasure measure) {
    constexpr const char* names[] = {"restrain_distance", "restrain_angle", "restrain_dihedral"};
    return names[static_cast<int>(measure)];
}

std::string key_of(const StageInput& stage, const GroupRestraintInput& entry) {
    return fmt::format("stage.{}.{}.between", stage.name, key_of(entry.measure));
}

std::string wall_key(const StageInput& stage) {
    return fmt::format("stage.{}.wall.select", stage.name);
}

std::vector<std::int64_t> ids_of(const std::vector<AtomId>& atoms) {
    std::vector<std::int64_t> ids;
    for (const AtomId atom : atoms) ids.push_back(static_cast<std::int64_t>(atom));
    std::sort(ids.begin(), ids.end());
    return ids;
}

// From what the leading rank knows, to all.
template <class T, class F>
std::vector<T> from_leading_rank(const Comm& ranks, F&& f) {
    Bytes bytes;
    lead_alone(ranks, [&] {
        const std::vector<T> values = f();
        const auto of = as_bytes_of(values);
        bytes.assign(of.begin(), of.end());
    });
    ranks.broadcast(bytes);
    return values_of<T>(bytes);
}

// Masses over their sum; equal ones where no atom has mass.
std::vector<double> weights_of(const Topology& topology, const std::vector<std::int64_t>& ids) {
    std::vector<double> mass;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        while (mass.size() < ids.size() && ids[mass.size()] < first + type.size())
            mass.push_back(type.atoms[static_cast<std::size_t>(ids[mass.size()] - first)].mass);
    });
    double total = std::accumulate(mass.begin(), mass.end(), 0.0);
    if (total == 0.0) {
        mass.assign(ids.size(), 1.0);
        total = static_cast<double>(ids.size());
    }
    for (double& m : mass) m /= total;
    return mass;
}

// In box vectors: what brings each molecule's part of a group next to the first one's, by the means of their positions.
std::vector<Vec3d> images_of(const Setup& setup, const AtomGroup& group) {
    std::vector<Vec3d> images(group.ids.size());
    if (!setup.start.box.periodic()) return images;
    const Box& box = setup.start.box;
    std::optional<Vec3d> first_centre;
    std::size_t begin = 0;
    setup.topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        Vec3d centre{};
        std::size_t end = begin;
        for (; end < group.ids.size() && group.ids[end] < first + type.size(); ++end)
            centre += setup.start.x[static_cast<std::size_t>(group.ids[end])];
        if (end == begin) return;
        centre *= 1.0 / static_cast<double>(end - begin);
        if (!first_centre) first_centre = centre;
        const Vec3d d = centre - *first_centre, shift = box.to_fractional(box.minimum_image(d) - d);
        const Vec3d whole{std::round(shift.x), std::round(shift.y), std::round(shift.z)};
        std::fill(images.begin() + static_cast<std::ptrdiff_t>(begin),
                  images.begin() + static_cast<std::ptrdiff_t>(end), whole);
        begin = end;
    });
    return images;
}

AtomGroup group_of(const Setup& setup, const std::string& text, const std::string& key, const Comm& ranks) {
    AtomGroup group;
    group.ids = from_leading_rank<std::int64_t>(ranks, [&] { return ids_of(select_atoms(setup, text, key)); });
    group.weight = weights_of(setup.topology, group.ids);
    group.images = from_leading_rank<Vec3d>(ranks, [&] { return images_of(setup, group); });
    return group;
}

void add_group_restraints(std::vector<std::unique_ptr<HostTerm>>& terms, const Setup& setup, const StageInput& stage,
                          const Comm& ranks) {
    std::vector<AtomGroup> groups;
    std::vector<GroupRestraint> restraints;
    for (const GroupRestraintInput& entry : stage.group_restraints) {
        GroupRestraint r{entry.name, entry.measure, {}, entry.lower, entry.upper, entry.force_constant};
        for (std::size_t n = 0; n < entry.between.size(); ++n) {
            r.groups[n] = groups.size();
            groups.push_back(group_of(setup, entry.between[n], key_of(stage, entry), ranks));
        }
        restraints.push_back(std::move(r));
    }
    if (restraints.empty()) return;
    terms.push_back(std::make_unique<GroupRestraints>(std::move(groups), std::move(restraints), ranks));
}

void add_walls(std::vector<std::unique_ptr<HostTerm>>& terms, const Setup& setup, const StageInput& stage,
               const Comm& ranks) {
    for (const WallInput& wall : stage.walls) {
        terms.push_back(std::make_unique<Wall>(
            WallSettings{wall.name, wall.shape, wall.axis, wall.centre, wall.half_width, wall.keep, wall.force_constant,
                         from_leading_rank<std::int64_t>(
                             ranks, [&] { return ids_of(select_atoms(setup, wall.select, wall_key(stage))); })}));
    }
}

// The nearest image of a vector is certain only below half the distance between opposite faces.
void require_fits(const Setup& setup, const StageInput& stage, const GroupRestraintInput& entry, Problems& problems) {
    const Box& box = setup.start.box;
    const bool open = entry.measure != GroupMeasure::distance || std::isinf(entry.upper);
    const double farthest = open ? entry.lower : entry.upper;
    if (entry.measure != GroupMeasure::distance || !box.periodic() || farthest < 0.5 * box.smallest_height()) return;
    problems.add(
        {.code = "MD416",
         .place = {setup.input.file.string()},
         .what = fmt::format("stage {}: restraint {} keeps two centres {} nm apart, and the opposite faces of "
                             "the box are {:.4g} nm apart",
                             stage.name, entry.name, farthest, box.smallest_height()),
         .why = "a distance in a periodic box is that of the nearest images, which is never above half of that",
         .remedy = "a shorter distance, or a larger box"});
}

void require_fits(const Setup& setup, const StageInput& stage, const WallInput& wall, Problems& problems) {
    const Box& box = setup.start.box;
    const Place place{setup.input.file.string()};
    if (!Wall::fits(wall.shape, wall.axis, box)) {
        problems.add({.code = "MD417",
                      .place = place,
                      .what = fmt::format("stage {}: {} has the axis {}, and that box vector is not at right angles to "
                                          "the others",
                                          stage.name, wall.name, "xyz"[wall.axis]),
                      .why = "planes across this axis, or a cylinder along it, do not repeat with the box",
                      .remedy = "another axis, shape = \"sphere\", or a rectangular box"});
    }
    const Vec3d h = box.heights();
    const double room = wall.shape == WallShape::plane      ? h[wall.axis]
                        : wall.shape == WallShape::cylinder ? std::min(h[(wall.axis + 1) % 3], h[(wall.axis + 2) % 3])
                                                            : box.smallest_height();
    if (!box.periodic() || wall.half_width < 0.5 * room) return;
    problems.add(
        {.code = "MD416",
         .place = place,
         .what = fmt::format("stage {}: {} is {} nm wide, and the opposite faces of the box are {:.4g} nm apart",
                             stage.name, wall.name, 2.0 * wall.half_width, room),
         .why = "atoms are taken in the periodic image nearest to the middle of the region, and none is beyond "
                "half of that",
         .remedy = "a smaller region, or a larger box"});
}

}  // namespace

void require_references(const Setup& setup, const StageInput& stage) {
    Problems problems;
    for (const GroupRestraintInput& entry : stage.group_restraints) {
        for (const std::string& text : entry.between) select_atoms(setup, text, key_of(stage, entry));
        require_fits(setup, stage, entry, problems);
    }
    for (const WallInput& wall : stage.walls) {
        select_atoms(setup, wall.select, wall_key(stage));
        require_fits(setup, stage, wall, problems);
    }
    problems.throw_if_any();
    for (const RestraintInput& entry : stage.restraints) {
        select_atoms(setup, entry.select, restraint_key(stage));
        if (entry.to == RestraintReference::file) read_reference(setup, entry.file);
    }
}

RestraintReferences make_references(const Setup& setup, const StageInput& stage, const State& stage_start,
                                    const Domain& domain) {
    RestraintReferences references;
    const auto of_stage = [](const RestraintInput& entry) { return entry.to == RestraintReference::stage_start; };
    std::vector<Vec3d> x;
    if (std::any_of(stage.restraints.begin(), stage.restraints.end(), of_stage)) x = domain.collect(stage_start.x);
    for (const RestraintInput& entry : stage.restraints) {
        Box& box = references.boxes.emplace_back(setup.start.box);
        std::vector<Vec3d>& of_entry = references.of_entry.emplace_back();
        if (of_stage(entry)) box = stage_start.box;
        lead_alone(domain.comm(), [&] {
            Structure file;
            if (entry.to == RestraintReference::file) {
                file = read_reference(setup, entry.file);
                box = file.box;
            }
            const std::vector<Vec3d>& from = entry.to == RestraintReference::file ? file.x
                                             : of_stage(entry)                    ? x
                                                                                  : setup.start.x;
            for (const AtomId atom : select_atoms(setup, entry.select, restraint_key(stage))) {
                of_entry.push_back(from[static_cast<std::size_t>(atom)]);
            }
        });
        domain.comm().broadcast(std::as_writable_bytes(std::span(&box, 1)));
    }
    return references;
}

std::vector<std::vector<Vec3d>> home_references(const Setup& setup, const StageInput& stage,
                                                const RestraintReferences& references, const Domain& domain) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool leads = domain.comm().leads();
    const std::vector<Vec3d> free(leads ? static_cast<std::size_t>(setup.topology.atoms()) : 0, {none, none, none});
    std::vector<std::vector<Vec3d>> home;
    for (std::size_t n = 0; n < stage.restraints.size(); ++n) {
        std::vector<Vec3d> all = free;
        if (leads) {
            const std::vector<AtomId> atoms = select_atoms(setup, stage.restraints[n].select, restraint_key(stage));
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                all[static_cast<std::size_t>(atoms[i])] = references.of_entry[n][i];
            }
        }
        home.push_back(domain.scatter(all));
    }
    if (atoms_held_by_topology(setup.topology) > 0) home.push_back(domain.scatter(setup.start.x));
    return home;
}

void add_restraints(std::vector<std::unique_ptr<HostTerm>>& terms, const Setup& setup, const StageInput* stage,
                    const RestraintReferences& references, const Comm& ranks) {
    std::size_t number = 0;
    for (; stage != nullptr && number < stage->restraints.size(); ++number) {
        const RestraintInput& entry = stage->restraints[number];
        const auto scaling = entry.scale_with_box ? ReferenceScaling::with_box : ReferenceScaling::fixed;
        terms.push_back(std::make_unique<PositionRestraints>(number, entry.force_constant, scaling,
                                                             references.boxes[number],
                                                             RestraintLabel{entry.name, entry.flat_bottom}));
    }
    if (stage != nullptr) {
        add_group_restraints(terms, setup, *stage, ranks);
        add_walls(terms, setup, *stage, ranks);
    }
    if (atoms_held_by_topology(setup.topology) == 0) return;
    terms.push_back(std::make_unique<PositionRestraints>(number, std::nullopt, ReferenceScaling::with_box,
                                                         setup.start.box, RestraintLabel{topology_restraints}));
    const auto has_flat = [](const MoleculeType& type) { return !type.flat_position_restraints.empty(); };
    if (std::ranges::any_of(setup.topology.types, has_flat)) {
        terms.push_back(std::make_unique<FlatPositionRestraints>(number, setup.start.box));
    }
}

}  // namespace mdsim
