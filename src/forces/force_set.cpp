// SPDX-License-Identifier: Apache-2.0
#include "forces/force_set.h"

#include <algorithm>
#include <ranges>
#include <thread>

#include "core/arrays/resize_tightly.h"
#include "forces/restraints/restraint_sums.h"
#include "forces/short_range/pair_virial.h"
#include "pairs/prune.h"
#include "parallel/threads.h"

namespace mdsim {

using Topic = Agreement::Topic;

ForceSet::ForceSet(ForceTerms terms, Domain& domain, std::int64_t list_every)
    : terms_(std::move(terms)), domain_(domain), list_every_(list_every) {}

template <class F>
void ForceSet::for_terms(F&& f) const {
    for (const auto& term : terms_.device) f(*term);
    for (const auto& term : terms_.host) f(*term);
}

std::vector<gpu::Timeline*> ForceSet::timelines() const {
    std::vector<gpu::Timeline*> timelines;
    for (const auto& term : terms_.device) timelines.push_back(&term->timeline());
    return timelines;
}

HaloNeeds ForceSet::needs(const Box& cell) const {
    HaloNeeds needs{0.0, std::numeric_limits<double>::infinity()};
    for_terms([&](const ForceTerm& term) {
        needs.reach = std::max(needs.reach, term.reach(cell));
        needs.farthest_move = std::min(needs.farthest_move, term.farthest_move(cell));
    });
    return needs;
}

// How far atoms may have moved, in a box that has changed since the halo was made.
double ForceSet::room(const Box& box) const {
    const Box& cell = made_->lattice.cell();
    if (!box.periodic() || box == cell) return made_->needs.farthest_move;
    return made_->needs.farthest_move - 0.5 * strain(cell, box) * made_->needs.reach;
}

// Of home atoms since the halo was made.
double ForceSet::largest_move(const Lattice& now) const {
    return largest_moves(LatticeMetric<float>(now.cell()), std::span(points_).first(made_->points.size()),
                         made_->points)
        .first;
}

// As long as the farthest atom is well within, by what the step before has added, nobody has to ask.
bool ForceSet::halo_ends(const State& state) {
    if (!domain_.split() || (asked_ && made_)) return false;
    if (!made_ || list_is_due(state.step)) return true;
    asked_ = true;
    const double room = this->room(state.box);
    if (moved_ + 2.0 * std::max(0.0, moved_ - moved_before_) < 0.99 * room) return false;
    const Lattice lattice = domain_.lattice(state.box, doublings_);
    take_points(lattice, state.x, 0, state.x.size());
    double moved = largest_move(lattice);
    domain_.comm().max(std::span(&moved, 1));
    return moved > room;
}

void ForceSet::surround(const State& state, const Lattice& lattice, const StepPlan& plan) {
    const ScopedTimer timer(timers_, Part::search);
    const HaloNeeds needs = this->needs(lattice.cell());
    domain_.surround(lattice, state.x, needs);
    if (domain_.split() && !terms_.device.empty()) domain_.choose_read();
    const LocalSystem local = domain_.local(state.references);
    const auto x = domain_.positions(state.x);
    sink_.resize(local.atoms.home, local.atoms.size(), thread_count());
    resize_tightly(points_, local.atoms.size());
    take_points(lattice, x, 0, x.size());
    const Evaluation evaluation{state.box, lattice, x, points_, plan};
    for_terms([&](ForceTerm& term) {
        term.assign(local);
        term.rebuild(evaluation);
    });
    made_ = Made{
        lattice, doublings_, needs, {points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(local.atoms.home)}};
    moved_ = moved_before_ = 0.0;
}

// Of several ranks each prunes by itself what it has, when it computes; a search takes all of them (surround).
void ForceSet::update_lists(const Evaluation& evaluation) {
    if (domain_.split()) return;
    const ScopedTimer timer(timers_, Part::search);
    for_terms([&](ForceTerm& term) {
        if (term.expired(evaluation)) term.rebuild(evaluation);
    });
}

void ForceSet::take_points(const Lattice& lattice, std::span<const Vec3d> x, std::size_t begin, std::size_t end) {
    lattice.points(x.subspan(begin, end - begin), std::span(points_).subspan(begin, end - begin));
}

void ForceSet::launch_device(const Evaluation& evaluation) {
    const ScopedTimer timer(timers_, Part::device_launch);
    for (const auto& term : terms_.device) term->launch(evaluation);
    // A first word to the other ranks before this one is busy.
    progress();
}

// Devices have a halo of their own: then the host needs what bonded terms and exclusions read.
HaloPart ForceSet::halo_part(const StepPlan& plan) const {
    const auto reads = [&](const auto& term) { return term->reads_halo(plan); };
    const auto& devices = terms_.device;
    return devices.empty() || std::any_of(devices.begin(), devices.end(), reads) ? HaloPart::all : HaloPart::read;
}

// True once positions of the halo have come.
bool ForceSet::progress() {
    for (const auto& term : terms_.device) term->progress();
    for (const auto& term : terms_.host) {
        const ScopedTimer timer(timers_, term->part());
        domain_.failure().keep([&] { term->progress(); });
    }
    return domain_.progress();
}

// Devices of other ranks may wait for what this one's has to say meanwhile.
void ForceSet::finish_positions() {
    while (!terms_.device.empty() && !progress()) std::this_thread::yield();
    domain_.finish_positions();
}

void ForceSet::collect_device(const Evaluation& evaluation) {
    const ScopedTimer timer(timers_, Part::device_wait);
    for (const auto& term : terms_.device) term->collect(evaluation, sink_);
}

void ForceSet::compute_home(const Evaluation& evaluation) {
    for (const auto& term : terms_.host) {
        {
            const ScopedTimer timer(timers_, term->part());
            domain_.failure().keep([&] { term->compute_home(evaluation, sink_); });
        }
        progress();
    }
}

void ForceSet::compute(const Evaluation& evaluation) {
    for (const auto& term : std::views::reverse(terms_.host)) {
        {
            const ScopedTimer timer(timers_, term->part());
            domain_.failure().keep([&] { term->compute(evaluation, sink_); });
        }
        progress();
    }
}

void ForceSet::begin_agreement(const State& state, const Lattice& lattice) {
    if (!domain_.split()) return;
    Agreement& agreement = domain_.agreement();
    agreement.say(Topic::moved,
                  static_cast<std::int64_t>(std::min(largest_move(lattice), 1000.0) * Agreement::moved_scale));
    agreement.say(Topic::strong_pair, sink_.energies().strong_pair() ? 1 : 0);
    agreement.say(Topic::doublings, state.box.periodic() ? 0 : domain_.vacuum().doublings(state.x));
    agreement.say(Topic::failure, domain_.failure().kept() ? 1 : 0);
    agreement.begin();
}

// What was computed counts where lists held and single precision was enough, on all ranks.
ForceSet::Outcome ForceSet::finish_agreement(const State& state, StepPlan& plan) {
    Agreement& agreement = domain_.agreement();
    bool strong = sink_.energies().strong_pair(), outdated = false;
    if (domain_.split()) {
        agreement.finish();
        if (agreement.agreed(Topic::failure) != 0) domain_.failure().throw_if_any();
        strong = agreement.agreed(Topic::strong_pair) != 0;
        const auto moved = static_cast<double>(agreement.agreed(Topic::moved)) / Agreement::moved_scale;
        const int doublings = static_cast<int>(agreement.agreed(Topic::doublings));
        outdated = moved > room(state.box) || doublings != doublings_;
        doublings_ = doublings;
        moved_before_ = std::exchange(moved_, moved);
        asked_ = false;
    }
    if (outdated) made_.reset();
    if (outdated) return Outcome::repeat;
    if (!strong || plan.overlaps == Need::yes) return Outcome::valid;
    plan.overlaps = Need::yes;
    return Outcome::repeat;
}

// In vacuum the doublings of the cell are known at once on one rank and where there is no halo yet; else those of the
// step before are taken, and it shows in the agreement whether they still hold.
Lattice ForceSet::lattice_of(const State& state) {
    if (!state.box.periodic() && (!domain_.split() || !made_)) {
        std::int64_t doublings = domain_.vacuum().doublings(state.x);
        domain_.comm().max(std::span(&doublings, 1));
        doublings_ = static_cast<int>(doublings);
    }
    return domain_.lattice(state.box, doublings_);
}

// Whether the halo and all lists are for these atoms and a cell like this one; the same answer on all ranks.
bool ForceSet::surrounded(const State& state, const Lattice& lattice, const StepPlan& plan) const {
    if (!made_ || made_->doublings != doublings_) return false;
    if (!domain_.split() || domain_.regions().count() == 1) return true;
    const Evaluation evaluation{state.box, lattice, {}, points_, plan};
    bool outgrown = false;
    for_terms([&](ForceTerm& term) { outgrown = outgrown || term.expired(evaluation); });
    return !outgrown;
}

// What runs at once: positions of halo atoms and what is computed with home atoms alone; the device and all terms of
// the host. They share nothing: the device has its copy of the lattice coordinates, and its sums are added to the sink
// after those of the host.
ForceSet::Outcome ForceSet::attempt(const State& state, StepPlan& plan) {
    const Lattice lattice = lattice_of(state);
    if (!surrounded(state, lattice, plan)) surround(state, lattice, plan);
    const std::size_t home = domain_.ids().size();
    ScopedTimer to_halo(timers_, Part::communication);
    const HaloPart part = halo_part(plan);
    const auto x = domain_.begin_positions(state.x, part);
    to_halo.stop();
    take_points(lattice, x, 0, home);
    const Evaluation evaluation{state.box, lattice, x, points_, plan, [this] { progress(); }};
    update_lists(evaluation);
    sink_.begin();
    launch_device(evaluation);
    compute_home(evaluation);
    ScopedTimer from_halo(timers_, Part::communication);
    finish_positions();
    from_halo.stop();
    if (part == HaloPart::all) take_points(lattice, x, home, x.size());
    compute(evaluation);
    collect_device(evaluation);
    sink_.finish();
    const ScopedTimer back(timers_, Part::communication);
    begin_agreement(state, lattice);
    domain_.return_forces(sink_.local_forces());
    return finish_agreement(state, plan);
}

const ForceSink& ForceSet::evaluate(const State& state, StepPlan plan) {
    if (list_is_due(plan.step) || halo_ends(state)) made_.reset();
    while (attempt(state, plan) == Outcome::repeat) {
    }
    spread_sites(state.x, plan);
    sum_energies(domain_.lattice(state.box, doublings_), plan);
    return sink_;
}

void ForceSet::spread_sites(std::span<const Vec3d> x, const StepPlan& plan) {
    if (domain_.sites().empty()) return;
    const ScopedTimer timer(timers_, Part::bonded);
    const auto home = sink_.local_forces().first(sink_.size());
    sink_.energies().add(domain_.sites().spread(x, home, plan.virial));
}

std::vector<RestraintValue> ForceSet::restraints() const {
    std::vector<RestraintSums> sums;
    for (const auto& term : terms_.host) term->report(sums);
    return sum_over(domain_.comm(), sums);
}

void ForceSet::sum_energies(const Lattice& lattice, const StepPlan& plan) {
    if (plan.energies == Need::no && plan.virial == Need::no) return;
    {
        const ScopedTimer timer(timers_, Part::communication);
        domain_.comm().sum(sink_.energies().parts());
    }
    resolve_pair_virial(lattice.cell(), sink_.energies());
}

}  // namespace mdsim
