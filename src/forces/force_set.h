// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/step_plan.h"
#include "core/timers.h"
#include "domain/domain.h"
#include "forces/force_sink.h"
#include "forces/force_term.h"
#include "system/restraints/restraint_value.h"
#include "system/state.h"

namespace mdsim {

/// The terms of a potential, those of the host and those of a device; either may be none.
struct ForceTerms {
    std::vector<std::unique_ptr<HostTerm>> host;
    std::vector<std::unique_ptr<DeviceTerm>> device;
};

/// All terms of the potential of one stage. Nothing is carried from one evaluation to the next but lists of what is
/// near what, which cannot change a result.
class ForceSet {
  public:
    /// `list_every` > 0 has lists made anew at every multiple of that many steps (a debug key; the results are the
    /// same). The domain must outlive it.
    ForceSet(ForceTerms terms, Domain& domain, std::int64_t list_every);

    /// Potential energy terms and virial of all ranks and forces on home atoms at state.x, as the plan asks. What acts
    /// on virtual sites is given to their parents. Valid until the next call. Collective. Throws what ranks have kept
    /// in the domain's SharedFailure.
    const ForceSink& evaluate(const State& state, StepPlan plan);

    /// What each restraint of the input came to in the last evaluation, which was one with energies. Collective.
    std::vector<RestraintValue> restraints() const;

    /// The halo will be made anew for this state: a good moment for `Domain::repartition`. Collective.
    bool halo_ends(const State& state);
    /// Home atoms are others than before.
    void atoms_changed() { made_.reset(); }

    /// Time by part of the step since construction or the last reset.
    Timers& timers() { return timers_; }
    /// Times of the devices, one of each term of a device.
    std::vector<gpu::Timeline*> timelines() const;

  private:
    /// With what the halo and all lists were made.
    struct Made {
        Lattice lattice;
        int doublings;
        HaloNeeds needs;
        std::vector<LatticePoint> points;  // of home atoms
    };
    ForceTerms terms_;
    Domain& domain_;
    std::int64_t list_every_;
    int doublings_ = 0;
    std::optional<Made> made_;
    double moved_ = 0.0,
           moved_before_ = 0.0;  // farthest atom since then, in the last evaluation and the one before [nm]
    bool asked_ = false;         // halo_ends, since the last evaluation
    std::vector<LatticePoint> points_;
    ForceSink sink_;
    Timers timers_;

    enum class Outcome { valid, repeat };
    Outcome attempt(const State& state, StepPlan& plan);
    bool list_is_due(std::int64_t step) const { return list_every_ > 0 && step % list_every_ == 0; }
    HaloNeeds needs(const Box& cell) const;
    double room(const Box& box) const;
    double largest_move(const Lattice& now) const;
    Lattice lattice_of(const State& state);
    bool surrounded(const State& state, const Lattice& lattice, const StepPlan& plan) const;
    void surround(const State& state, const Lattice& lattice, const StepPlan& plan);
    void update_lists(const Evaluation& evaluation);
    void take_points(const Lattice& lattice, std::span<const Vec3d> x, std::size_t begin, std::size_t end);
    void compute_home(const Evaluation& evaluation);
    void compute(const Evaluation& evaluation);
    HaloPart halo_part(const StepPlan& plan) const;
    void launch_device(const Evaluation& evaluation);
    bool progress();
    void finish_positions();
    void collect_device(const Evaluation& evaluation);
    void begin_agreement(const State& state, const Lattice& lattice);
    Outcome finish_agreement(const State& state, StepPlan& plan);
    void spread_sites(std::span<const Vec3d> x, const StepPlan& plan);
    void sum_energies(const Lattice& lattice, const StepPlan& plan);
    template <class F>
    void for_terms(F&& f) const;
};

}  // namespace mdsim
