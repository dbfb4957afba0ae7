// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/step_plan.h"
#include "core/timers.h"
#include "core/vec3.h"
#include "domain/local/local_atoms.h"
#include "forces/force_sink.h"
#include "system/box.h"
#include "system/lattice.h"

namespace mdsim {

namespace gpu {
class Timeline;
}
struct RestraintSums;

/// What a term may read during one evaluation. Valid for the duration of the call.
struct Evaluation {
    const Box& box;                        ///< the periodic cell, or vacuum
    const Lattice& lattice;                ///< the cell of the lattice coordinates
    std::span<const Vec3d> x;              ///< unwrapped positions [nm]; extent: local atoms, home atoms first
    std::span<const LatticePoint> points;  ///< the same as lattice coordinates; extent: local atoms
    StepPlan plan;
    /// What takes long calls it now and then, from the thread that runs the loop: it has what came from other ranks
    /// passed on, to other terms as well. May be empty.
    std::function<void()> pass_on{};
};

/// A part of the potential. Terms are independent of each other and of their order.
class ForceTerm {
  public:
    virtual ~ForceTerm() = default;
    /// How near halo atoms have to be to home atoms for this term, when they are chosen [nm]. Infinity: all of them.
    virtual double reach(const Box& /*cell*/) const { return 0.0; }
    /// How far atoms may move until halo and lists have to be made anew [nm].
    virtual double farthest_move(const Box& /*cell*/) const { return std::numeric_limits<double>::infinity(); }
    /// The local atoms have changed. Before the first evaluation and whenever they did; rebuild follows.
    virtual void assign(const LocalSystem&) {}
    /// True where a pair list could miss a pair at these positions; terms without one never expire.
    virtual bool expired(const Evaluation&) { return false; }
    /// Makes lists anew. Called before the first evaluation, where the term has expired and where atoms changed places.
    virtual void rebuild(const Evaluation& evaluation) = 0;
    /// Goes on with what ranks compute together, as far as the others' messages have come; does not wait. Called now
    /// and then within an evaluation.
    virtual void progress() {}
};

/// What is computed on the host.
class HostTerm : public ForceTerm {
  public:
    /// The part of the step that its time is counted under.
    virtual Part part() const = 0;
    /// What needs the positions of home atoms alone, while those of the halo are on their way. Terms come in their
    /// order, so that what other ranks wait for comes first.
    virtual void compute_home(const Evaluation&, ForceSink&) {}
    /// Adds forces, and energies and virial where the plan asks for them, from all threads. All local positions are
    /// there. Terms come in reverse order: what the first one waits for has had the longest time to come.
    virtual void compute(const Evaluation& evaluation, ForceSink& sink) = 0;
    /// Adds what each restraint of the input came to in the last evaluation with energies; most terms are none.
    virtual void report(std::vector<RestraintSums>&) const {}
};

/// What is computed on a device, while the host does something else between the two calls.
class DeviceTerm : public ForceTerm {
  public:
    /// Whether an evaluation reads positions of the whole halo on the host. The same on all ranks.
    virtual bool reads_halo(const StepPlan&) const { return false; }
    /// Has the device begin, and returns. Positions and points of home atoms are there.
    virtual void launch(const Evaluation& evaluation) = 0;
    /// Waits for the device and adds what compute of a HostTerm would.
    virtual void collect(const Evaluation& evaluation, ForceSink& sink) = 0;
    /// How long the device takes for that.
    virtual gpu::Timeline& timeline() = 0;
};

}  // namespace mdsim
