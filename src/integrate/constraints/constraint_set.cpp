// SPDX-License-Identifier: Apache-2.0
#include "integrate/constraints/constraint_set.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "integrate/constraints/dependent_constraints.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

using WaterAtoms = std::array<std::size_t, 3>;

WaterAtoms atoms_of_water(const RigidWater& water) {
    return {static_cast<std::size_t>(water.oxygen), static_cast<std::size_t>(water.hydrogen1),
            static_cast<std::size_t>(water.hydrogen2)};
}

void put(const Vec3d& r, SettleBatch::Lanes& lanes, std::size_t atom, std::size_t lane) {
    lanes[3 * atom][lane] = r.x;
    lanes[3 * atom + 1][lane] = r.y;
    lanes[3 * atom + 2][lane] = r.z;
}

Vec3d get(const SettleBatch::Lanes& lanes, std::size_t atom, std::size_t lane) {
    return {lanes[3 * atom][lane], lanes[3 * atom + 1][lane], lanes[3 * atom + 2][lane]};
}

// Gathers waters; the last one is repeated up to a whole vector.
void gather(std::span<const RigidWater> waters, std::span<const Vec3d> reference, std::span<const Vec3d> value,
            SettleBatch& batch) {
    const std::size_t padded = (waters.size() + 7) / 8 * 8;
    for (std::size_t lane = 0; lane < padded; ++lane) {
        const WaterAtoms atoms = atoms_of_water(waters[std::min(lane, waters.size() - 1)]);
        for (std::size_t a = 0; a < 3; ++a) {
            put(reference[atoms[a]], batch.reference, a, lane);
            put(value[atoms[a]], batch.value, a, lane);
        }
    }
}

// Virial of forces on the hydrogens about the oxygen; together with that on the oxygen they are zero.
void add_water_virial(const Vec3d (&force)[3], const SettleBatch& batch, std::size_t lane, EnergySums& virial) {
    const Vec3d o = get(batch.reference, 0, lane);
    const Vec3d d1 = get(batch.reference, 1, lane) - o, d2 = get(batch.reference, 2, lane) - o;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) virial.virial(a, b).add(force[1][a] * d1[b] + force[2][a] * d2[b]);
    }
}

// Virial of the multipliers of one group; each pushes along its own bond.
void add_group_virial(const GroupView& group, const GroupWork& work, double scale, EnergySums& virial) {
    Mat3d sum{};
    for (std::size_t c = 0; c < group.constraints.size(); ++c) {
        const Vec3d bond = work.reference[group.constraints[c].i] - work.reference[group.constraints[c].j];
        for (int a = 0; a < 3; ++a) sum[static_cast<std::size_t>(a)] += (scale * work.multipliers[c] * bond[a]) * bond;
    }
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) virial.virial(a, b).add(sum[static_cast<std::size_t>(a)][b]);
    }
}

}  // namespace

// The atoms of one group, side by side; made once per slice.
struct ConstraintSet::GroupBuffer {
    Vec3d reference[max_group_atoms];
    Vec3d value[max_group_atoms];
    double multipliers[max_group_constraints];

    GroupWork gather(std::span<const std::int32_t> atoms, std::span<const Vec3d> of_reference,
                     std::span<const Vec3d> of_value) {
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            reference[i] = of_reference[static_cast<std::size_t>(atoms[i])];
            value[i] = of_value[static_cast<std::size_t>(atoms[i])];
        }
        return {reference, value, multipliers};
    }
};

std::span<const std::int32_t> ConstraintSet::atoms_of(std::size_t group) const {
    const Group& g = groups_[group];
    return std::span(group_atoms_).subspan(g.atom_begin, g.atom_end - g.atom_begin);
}

GroupView ConstraintSet::view_of(std::size_t group) const {
    const Group& g = groups_[group];
    return {std::span(group_constraints_).subspan(g.constraint_begin, g.constraint_end - g.constraint_begin),
            std::span(group_inverse_mass_).subspan(g.atom_begin, g.atom_end - g.atom_begin)};
}

std::size_t ConstraintSet::run_of_one_kind(std::size_t first, std::size_t end) const {
    std::size_t last = first;
    while (last < end && last - first < SettleBatch::size && waters_[last].kind == waters_[first].kind) ++last;
    return last - first;
}

template <class Values>
void ConstraintSet::constrain_slice(const AtomSlice& slice, const Values& p) const {
    for (std::size_t w = slice.water_begin; w < slice.water_end;) {
        const std::size_t count = run_of_one_kind(w, slice.water_end);
        constrain_waters(w, count, p);
        w += count;
    }
    if (slice.group_begin == slice.group_end) return;
    GroupBuffer buffer;
    for (std::size_t g = slice.group_begin; g < slice.group_end; ++g) constrain_group(g, p, buffer);
}

void ConstraintSet::constrain(const AtomSlice& slice, const Positions& positions) const {
    constrain_slice(slice, positions);
}

void ConstraintSet::constrain(const AtomSlice& slice, const Velocities& velocities) const {
    constrain_slice(slice, velocities);
}

void ConstraintSet::constrain_waters(std::size_t first, std::size_t count, const Positions& p) const {
    const auto waters = std::span(waters_).subspan(first, count);
    const SettleGeometry& geometry = geometries_[static_cast<std::size_t>(waters[0].kind)];
    SettleBatch batch;
    gather(waters, p.reference, p.x, batch);
    settle_positions(geometry, batch, count);
    const double mass[3] = {geometry.mass_o, geometry.mass_h, geometry.mass_h};
    for (std::size_t lane = 0; lane < count; ++lane) {
        const WaterAtoms atoms = atoms_of_water(waters[lane]);
        Vec3d force[3];
        for (std::size_t a = 0; a < 3; ++a) {
            const Vec3d x = get(batch.value, a, lane);
            const Vec3d push = p.inverse_dt * (x - p.x[atoms[a]]);
            p.x[atoms[a]] = x;
            if (!p.v.empty()) p.v[atoms[a]] += push;
            force[a] = mass[a] * p.inverse_dt * push;
        }
        if (!(std::abs(batch.value[0][lane]) < 1e300)) fail(waters[lane].oxygen, "the rigid water");
        if (p.virial != nullptr) add_water_virial(force, batch, lane, *p.virial);
    }
}

void ConstraintSet::constrain_waters(std::size_t first, std::size_t count, const Velocities& p) const {
    const auto waters = std::span(waters_).subspan(first, count);
    const SettleGeometry& geometry = geometries_[static_cast<std::size_t>(waters[0].kind)];
    SettleBatch batch;
    gather(waters, p.reference, p.v, batch);
    settle_velocities(geometry, batch, count);
    const double mass[3] = {geometry.mass_o, geometry.mass_h, geometry.mass_h};
    for (std::size_t lane = 0; lane < count; ++lane) {
        const WaterAtoms atoms = atoms_of_water(waters[lane]);
        Vec3d force[3];
        for (std::size_t a = 0; a < 3; ++a) {
            const Vec3d v = get(batch.value, a, lane);
            force[a] = mass[a] * p.inverse_dt * (v - p.v[atoms[a]]);
            p.v[atoms[a]] = v;
        }
        if (!(std::abs(batch.value[0][lane]) < 1e300)) fail(waters[lane].oxygen, "the velocities of the rigid water");
        if (p.virial != nullptr) add_water_virial(force, batch, lane, *p.virial);
    }
}

void ConstraintSet::constrain_group(std::size_t group, const Positions& p, GroupBuffer& buffer) const {
    const GroupView view = view_of(group);
    const auto atoms = atoms_of(group);
    const GroupWork work = buffer.gather(atoms, p.reference, p.x);
    if (!solve_positions(view, work)) fail_group(group, work, "the constraint group");
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        const auto atom = static_cast<std::size_t>(atoms[i]);
        if (!p.v.empty()) p.v[atom] += p.inverse_dt * (work.value[i] - p.x[atom]);
        p.x[atom] = work.value[i];
    }
    if (p.virial != nullptr) add_group_virial(view, work, p.inverse_dt * p.inverse_dt, *p.virial);
}

void ConstraintSet::constrain_group(std::size_t group, const Velocities& p, GroupBuffer& buffer) const {
    const GroupView view = view_of(group);
    const auto atoms = atoms_of(group);
    const GroupWork work = buffer.gather(atoms, p.reference, p.v);
    if (!solve_velocities(view, work)) fail_group(group, work, "the velocities of the constraint group");
    for (std::size_t i = 0; i < atoms.size(); ++i) p.v[static_cast<std::size_t>(atoms[i])] = work.value[i];
    if (p.virial != nullptr) add_group_virial(view, work, p.inverse_dt, *p.virial);
}

// Directions are the bonds of a copy, so that it does not matter which slice comes first.
void ConstraintSet::project_positions(std::span<Vec3d> x) const {
    const std::vector<Vec3d> reference(x.begin(), x.end());
    parallel_ranges(slices_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) constrain(slices_[s], Positions{reference, x, {}, 0.0, nullptr});
    });
}

void ConstraintSet::project_velocities(std::span<const Vec3d> x, std::span<Vec3d> v) const {
    parallel_ranges(slices_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) constrain(slices_[s], Velocities{x, v, 0.0, nullptr});
    });
}

void ConstraintSet::fail_group(std::size_t group, const GroupWork& work, const char* what) const {
    const auto atoms = atoms_of(group);
    const auto constraints = view_of(group).constraints;
    const auto found = dependent_constraint(constraints, std::span(work.reference, atoms.size()));
    if (!found) fail(atoms[0], what);
    const auto name = [&](int i) {
        return names_.describe(ids_[static_cast<std::size_t>(atoms[static_cast<std::size_t>(i)])]);
    };
    throw Error(ExitCode::unstable,
                Problem{.code = "MD551",
                        .what = fmt::format("the fixed distance between {} and {} follows, where these atoms are, from "
                                            "others of its group",
                                            name(constraints[*found].i), name(constraints[*found].j)),
                        .why = "three atoms lie on a line, or four in a plane, with all their distances fixed; forces "
                               "could be shared out between these in any way",
                        .remedy = "leave this constraint out of the topology, or make the atom a virtual site"});
}

void ConstraintSet::fail(std::int32_t atom, const char* what) const {
    const std::int64_t id = ids_[static_cast<std::size_t>(atom)];
    throw Error(ExitCode::unstable,
                Problem{.code = "MD551",
                        .what = fmt::format("{} at {} cannot be reset to its fixed lengths", what, names_.describe(id)),
                        .why = "its atoms moved too far in one step: forces there are very large",
                        .remedy = "minimise first, a shorter timestep, or look for overlapping atoms near it"});
}

}  // namespace mdsim
