// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/vec3.h"
#include "integrate/constraints/constraint_set.h"
#include "integrate/minimise/history.h"
#include "parallel/comm.h"
#include "sites/virtual_sites.h"
#include "system/box.h"
#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

/// Energy and forces at some positions, as the minimiser asks for them. The first two are those of all ranks.
struct Landscape {
    double energy = 0.0;            ///< [kJ/mol]; of no meaning where usable is false
    bool usable = true;             ///< false: energy or a force is out of range, atoms lie on top of each other
    std::span<const Vec3l> forces;  ///< [2^-32 kJ/mol/nm], valid until the next evaluation; extent: home atoms
};
/// Called by all ranks with the positions of their home atoms.
using Evaluate = std::function<Landscape(std::span<const Vec3d> x)>;

/// Why a minimisation is over, or that it is not.
enum class MinimiserEnd { running, converged, max_steps, precision };
/// "the largest force is below stop_below", ...
std::string_view describe(MinimiserEnd end);

struct MinimiserReport {
    MinimiserEnd end = MinimiserEnd::running;
    std::int64_t steps = 0;            ///< since the stage began
    double energy = 0.0;               ///< [kJ/mol]
    bool usable = true;                ///< whether energy means anything yet
    double max_force = 0.0;            ///< largest force on an atom, without what constraints take up [kJ/mol/nm]
    std::int64_t max_force_atom = -1;  ///< its id
};

/// Atoms of all ranks that lie exactly on another one.
struct SharedPlaces {
    std::int64_t atoms = 0;
    std::int64_t first = -1;  ///< lowest id of them; -1: there are none
};

/// L-BFGS (Liu & Nocedal, Math. Program. 45 (1989) 503, algorithm 2.1), with steepest descent for bad starts. Works in
/// blocks of 50 steps; a block starts from positions alone, without history, so that a minimisation continued between
/// two blocks has the same bits as an uninterrupted one. With constraints, forces and directions are projected onto
/// them (with equal weights) and moves reset to them. Its members are called by all ranks: each has the home atoms of
/// one, and what it decides follows from sums and maxima over all ranks, so that all decide alike. Errors are thrown by
/// all.
class Minimiser {
  public:
    static constexpr std::int64_t block = 50;
    struct Settings {
        double stop_below;       ///< [kJ/mol/nm]
        std::int64_t max_steps;  ///< of the stage
    };
    /// Atoms whose inverse mass is 0 are frozen, or are virtual sites, which follow their parents: `sites`, null where
    /// there are none, has those of the home atoms. Topology, ranks and sites must outlive it.
    Minimiser(const Topology& topology, const AtomParameters& home, const Settings& settings, const Comm& comm,
              const VirtualSites* sites = nullptr);
    /// Other atoms are at home now. Between blocks only.
    void assign(const AtomParameters& home);

    /// Atoms at exactly the same place exert no force that could part them: moves each unit of fixed bonds (or single
    /// atom) that has such an atom by 1e-4 nm, into a direction that depends on the id of its first atom alone. Units
    /// with frozen atoms stay. Returns what it found. For the start of a stage; errors as run_block.
    SharedPlaces separate(const Box& box, std::vector<Vec3d>& x) const;

    /// One block from `steps_done`, which is 0 or what the last block returned; at 0 the positions are first put onto
    /// the constraints. x has the best positions afterwards. Error (unstable, MD552) where a position is not a number.
    MinimiserReport run_block(std::vector<Vec3d>& x, std::int64_t steps_done, const Evaluate& evaluate);

  private:
    // A point with its projected forces.
    struct Point {
        std::vector<Vec3d> x;  // [nm]
        std::vector<Vec3d> f;  // [kJ/mol/nm]
        double energy = 0.0;
        bool usable = true;
        Longest max_force;
    };
    Settings settings_;
    const Comm* comm_;
    const VirtualSites* sites_;
    AtomParameters equal_;  // ids, masses, and inverse masses: 1, or 0 for frozen atoms and virtual sites
    ConstraintSet constraints_;
    AtomNames names_;
    History history_;
    Point now_, next_;
    std::vector<Vec3d> direction_;
    double reach_ = 0.0;  // longest move of steepest descent [nm]

    void require_numbers(std::span<const Vec3d> x) const;
    void visit(Point& point, const Evaluate& evaluate) const;
    void project(std::span<const Vec3d> x, std::span<Vec3d> vectors) const;
    bool finished() const { return now_.usable && now_.max_force.length < settings_.stop_below; }
    bool move_to_next(double length);
    bool descend(const Evaluate& evaluate);
    void clip_forces();
    bool quasi_newton(const Evaluate& evaluate);
    bool search_line(double slope, const Evaluate& evaluate);
    void accept();
};

}  // namespace mdsim
