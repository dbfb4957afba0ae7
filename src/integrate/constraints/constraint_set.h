// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/step_plan.h"
#include "core/vec3.h"
#include "integrate/constraints/constraint_units.h"
#include "integrate/constraints/group_solver.h"
#include "integrate/constraints/settle.h"
#include "system/energies.h"
#include "system/preparation/atom_names.h"
#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

/// A range of consecutive atoms that no constraint leaves, with the waters and groups in it. One thread does all of a
/// slice, so that its atoms are still in cache when the constraints follow.
struct AtomSlice {
    std::size_t atom_begin, atom_end;
    std::size_t water_begin, water_end;
    std::size_t group_begin, group_end;
};

/// Atoms of one rigid water; kind into its set's geometries.
struct RigidWater {
    std::int32_t oxygen, hydrogen1, hydrogen2;
    std::int32_t kind;
};

/// The fixed distances between the home atoms of a rank: rigid waters by SETTLE, everything else in groups (connected
/// components of the constraint graph) that one thread solves as a unit. Units are never split between ranks, so it
/// talks to none. A unit's bits depend on nothing but its own atoms: not on threads, nor on the units beside it. Atom
/// numbers are places in the arrays of home atoms.
class ConstraintSet {
  public:
    /// The topology must outlive it. Of `home` it reads id and inverse mass. Distances between two frozen atoms are
    /// left out. Input errors as ConstraintUnits.
    ConstraintSet(const Topology& topology, const AtomParameters& home);
    /// Other atoms are at home now.
    void assign(const AtomParameters& home);

    std::size_t waters() const { return waters_.size(); }
    std::size_t groups() const { return groups_.size(); }
    /// In order, covering all atoms.
    std::span<const AtomSlice> slices() const { return slices_; }

    /// One slice of positions. `x` [nm] holds unconstrained positions and is moved onto the constraints along the bonds
    /// of `reference`; if `v` is not empty it gets (change of x) * inverse_dt. If `virial` is given it receives that of
    /// the constraint forces, (change of x) * m * inverse_dt^2, rounded once per water or group and component.
    struct Positions {
        std::span<const Vec3d> reference;
        std::span<Vec3d> x;
        std::span<Vec3d> v;
        double inverse_dt = 0.0;
        EnergySums* virial = nullptr;
    };
    void constrain(const AtomSlice& slice, const Positions& positions) const;

    /// One slice of velocities [nm/ps]: takes off the components along the bonds of `reference`. `virial` as above,
    /// with forces (change of v) * m * inverse_dt.
    struct Velocities {
        std::span<const Vec3d> reference;
        std::span<Vec3d> v;
        double inverse_dt = 0.0;
        EnergySums* virial = nullptr;
    };
    void constrain(const AtomSlice& slice, const Velocities& velocities) const;

    /// Puts positions onto the constraints (the start of a stage); directions are those of x itself. These two may fail
    /// on one rank alone: error (unstable, MD551).
    void project_positions(std::span<Vec3d> x) const;
    /// Makes velocities satisfy the constraints at x. Also projects forces when all masses are 1.
    void project_velocities(std::span<const Vec3d> x, std::span<Vec3d> v) const;

    /// Calls f(atoms) once for every water and group of a slice with the numbers of its atoms in fixed order, and once
    /// for every other atom alone: the units that a box move shifts rigidly.
    template <class F>
    void for_each_unit(const AtomSlice& slice, F&& f) const {
        for (std::size_t w = slice.water_begin; w < slice.water_end; ++w) {
            f(std::span<const std::int32_t>(&waters_[w].oxygen, 3));
        }
        for (std::size_t g = slice.group_begin; g < slice.group_end; ++g) f(atoms_of(g));
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            if (in_unit_[i]) continue;
            const auto atom = static_cast<std::int32_t>(i);
            f(std::span<const std::int32_t>(&atom, 1));
        }
    }

  private:
    struct Group {
        std::int32_t first, last;  // its lowest and highest atom
        std::size_t atom_begin, atom_end, constraint_begin, constraint_end;
    };
    struct GroupBuffer;
    AtomNames names_;
    ConstraintUnits units_;
    std::vector<std::int64_t> ids_;  // of home atoms
    std::vector<SettleGeometry> geometries_;
    std::vector<RigidWater> waters_;  // by first atom
    std::vector<Group> groups_;       // by first atom
    std::vector<std::int32_t> group_atoms_;
    std::vector<double> group_inverse_mass_;
    std::vector<GroupConstraint> group_constraints_;
    std::vector<unsigned char> in_unit_;  // extent: atoms
    std::vector<AtomSlice> slices_;

    friend class ConstraintSetBuilder;
    std::span<const std::int32_t> atoms_of(std::size_t group) const;
    GroupView view_of(std::size_t group) const;
    std::size_t run_of_one_kind(std::size_t first, std::size_t end) const;
    template <class Values>  // Positions or Velocities
    void constrain_slice(const AtomSlice& slice, const Values& p) const;
    void constrain_waters(std::size_t first, std::size_t count, const Positions& p) const;
    void constrain_waters(std::size_t first, std::size_t count, const Velocities& p) const;
    void constrain_group(std::size_t group, const Positions& p, GroupBuffer& buffer) const;
    void constrain_group(std::size_t group, const Velocities& p, GroupBuffer& buffer) const;
    [[noreturn]] void fail(std::int32_t atom, const char* what) const;
    [[noreturn]] void fail_group(std::size_t group, const GroupWork& work, const char* what) const;
};

}  // namespace mdsim
