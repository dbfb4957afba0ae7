// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/minimiser.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "core/fixed_point.h"
#include "core/philox.h"
#include "integrate/minimise/shared_places.h"
#include "parallel/threads.h"
#include "parallel/together.h"

namespace mdsim {

namespace {

// Steepest descent: no atom moves farther than the reach [nm], nor farther than reach * stiffness_length * force, so
// that atoms under moderate forces do not run away while a few that overlap are pushed apart. 1e-4 nm/(kJ/mol/nm) per
// nm of reach makes 1e-6 nm^2 mol/kJ at the first reach: stable for a bond of 5e5 kJ/mol/nm^2.
constexpr double first_reach = 0.01;
constexpr double largest_reach = 0.05;
constexpr double smallest_reach = 1e-10;
constexpr double stiffness_length = 1e-4;
// L-BFGS starts once no force is above this [kJ/mol/nm]; beyond it quadratic models mislead.
constexpr double quasi_newton_below = 2e4;
constexpr double longest_step = 0.05;  // of L-BFGS [nm]
constexpr double separation = 1e-4;    // of atoms at the same place [nm]
constexpr int line_trials = 8;
constexpr double armijo = 1e-4;
// An energy sum of floats repeats to about this relative precision; below it slopes decide (Hager & Zhang, SIAM J.
// Optim. 16 (2005) 170, approximate Wolfe condition, eq 4.1).
constexpr double energy_precision = 1e-7;

AtomParameters equal_weights(const AtomParameters& home) {
    AtomParameters equal;
    equal.id = home.id;
    equal.mass = home.mass;
    equal.inverse_mass = home.inverse_mass;
    for (double& w : equal.inverse_mass) w = w == 0.0 ? 0.0 : 1.0;
    return equal;
}

template <class F>
void for_atoms(std::size_t atoms, F&& f) {
    parallel_ranges(atoms, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}

}  // namespace

std::string_view describe(MinimiserEnd end) {
    switch (end) {
        case MinimiserEnd::converged:
            return "the largest force is below stop_below";
        case MinimiserEnd::max_steps:
            return "max_steps are done";
        case MinimiserEnd::precision:
            return "no step lowers the energy any more at this precision";
        case MinimiserEnd::running:
            break;
    }
    return "running";
}

Minimiser::Minimiser(const Topology& topology, const AtomParameters& home, const Settings& settings, const Comm& comm,
                     const VirtualSites* sites)
    : settings_(settings),
      comm_(&comm),
      sites_(sites),
      equal_(equal_weights(home)),
      constraints_(topology, equal_),
      names_(topology) {}

void Minimiser::assign(const AtomParameters& home) {
    equal_ = equal_weights(home);
    constraints_.assign(equal_);
}

void Minimiser::project(std::span<const Vec3d> x, std::span<Vec3d> vectors) const {
    for_atoms(vectors.size(), [&](std::size_t i) {
        if (equal_.inverse_mass[i] == 0.0) vectors[i] = Vec3d{};
    });
    together(*comm_, [&] { constraints_.project_velocities(x, vectors); });
}

void Minimiser::visit(Point& point, const Evaluate& evaluate) const {
    const Landscape found = evaluate(point.x);
    MDSIM_EXPECT(found.forces.size() == point.x.size());
    constexpr double unit = 1.0 / fixed::force_scale;
    point.f.resize(point.x.size());
    for_atoms(point.x.size(), [&](std::size_t i) {
        const Vec3l& f = found.forces[i];
        point.f[i] = {unit * static_cast<double>(f.x), unit * static_cast<double>(f.y),
                      unit * static_cast<double>(f.z)};
    });
    project(point.x, point.f);
    point.energy = found.energy;
    point.usable = found.usable && std::isfinite(found.energy);
    point.max_force = longest(point.f, equal_.id, *comm_);
}

// next.x = now.x + length * direction, on the constraints. False where they cannot be met on some rank: the move was
// too long.
bool Minimiser::move_to_next(double length) {
    next_.x.resize(now_.x.size());
    for_atoms(now_.x.size(), [&](std::size_t i) { next_.x[i] = now_.x[i] + length * direction_[i]; });
    std::int64_t failed = 0;
    try {
        const auto slices = constraints_.slices();
        parallel_ranges(slices.size(), [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t s = begin; s < end; ++s) {
                constraints_.constrain(slices[s], ConstraintSet::Positions{now_.x, next_.x, {}, 0.0, nullptr});
            }
        });
        if (sites_ != nullptr) sites_->place(next_.x);
    } catch (const Error& error) {
        if (error.exit_code() != ExitCode::unstable) throw;
        failed = 1;
    }
    comm_->max(std::span(&failed, 1));
    return failed == 0;
}

// Forces times stiffness_length, each unit as a whole shortened to at most 1 (times the reach: its longest move).
void Minimiser::clip_forces() {
    direction_.resize(now_.f.size());
    const auto slices = constraints_.slices();
    parallel_ranges(slices.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            constraints_.for_each_unit(slices[s], [&](std::span<const std::int32_t> unit) {
                double most = 0.0;
                for (const std::int32_t i : unit) most = std::max(most, norm2(now_.f[static_cast<std::size_t>(i)]));
                const double length = std::sqrt(most);
                const double scale = length * stiffness_length > 1.0 ? 1.0 / length : stiffness_length;
                for (const std::int32_t i : unit) {
                    direction_[static_cast<std::size_t>(i)] = scale * now_.f[static_cast<std::size_t>(i)];
                }
            });
        }
    });
}

// One step of steepest descent. While energies or forces are out of range every step along the forces is progress,
// since it is what takes atoms off each other: held at their limits, energies are flat and would forbid all steps.
bool Minimiser::descend(const Evaluate& evaluate) {
    clip_forces();
    for (; reach_ > smallest_reach; reach_ *= 0.5) {
        if (!move_to_next(reach_)) continue;
        visit(next_, evaluate);
        if (next_.max_force.length == INFINITY) continue;
        if (now_.usable && !(next_.usable && next_.energy < now_.energy)) continue;
        reach_ = now_.usable ? std::min(1.2 * reach_, largest_reach) : first_reach;
        accept();
        return true;
    }
    reach_ = first_reach;
    return false;
}

bool Minimiser::quasi_newton(const Evaluate& evaluate) {
    history_.apply(now_.f, direction_, *comm_);
    project(now_.x, direction_);
    double slope = -wide_dot(now_.f, direction_, *comm_);
    const double length = longest(direction_, equal_.id, *comm_).length;
    if (!(slope < 0.0) || !(length < INFINITY)) return false;
    if (length > longest_step) {
        const double shorter = longest_step / length;
        for_atoms(direction_.size(), [&](std::size_t i) { direction_[i] *= shorter; });
        slope *= shorter;
    }
    return search_line(slope, evaluate);
}

// Backtracking from a full step, by the parabola through energy, slope and trial.
bool Minimiser::search_line(double slope, const Evaluate& evaluate) {
    double step = 1.0;
    for (int trial = 0; trial < line_trials; ++trial) {
        double shorter = 0.25;
        if (move_to_next(step)) {
            visit(next_, evaluate);
            if (next_.usable && next_.max_force.length < INFINITY) {
                const double gain = next_.energy - now_.energy;
                const bool within_noise = gain <= energy_precision * std::abs(now_.energy) &&
                                          std::abs(wide_dot(next_.f, direction_, *comm_)) <= 0.9 * std::abs(slope);
                if (gain <= armijo * step * slope || within_noise) {
                    accept();
                    return true;
                }
                shorter = std::clamp(-0.5 * step * slope / (gain - step * slope), 0.1, 0.5);
            }
        }
        step *= shorter;
    }
    return false;
}

void Minimiser::accept() {
    if (now_.usable && next_.usable && next_.max_force.length < quasi_newton_below) {
        history_.add({now_.x, now_.f}, {next_.x, next_.f}, *comm_);
    } else {
        history_.clear();
    }
    std::swap(now_, next_);
}

void Minimiser::require_numbers(std::span<const Vec3d> x) const {
    const Longest farthest = longest(x, equal_.id, *comm_);
    if (farthest.length < INFINITY) return;
    throw Error(ExitCode::unstable,
                Problem{.code = "MD552",
                        .what = "the position of " + names_.describe(farthest.atom) + " is not a number",
                        .remedy = "mend the coordinates that this stage starts from"});
}

SharedPlaces Minimiser::separate(const Box& box, std::vector<Vec3d>& x) const {
    MDSIM_EXPECT(x.size() == equal_.id.size());
    require_numbers(x);
    const std::vector<std::size_t> atoms = atoms_at_shared_places(box, x, equal_.mass, *comm_);
    for (const auto& slice : constraints_.slices()) {
        constraints_.for_each_unit(slice, [&](std::span<const std::int32_t> unit) {
            const auto shared = [&](std::int32_t i) {
                return std::binary_search(atoms.begin(), atoms.end(), static_cast<std::size_t>(i));
            };
            const auto frozen = [&](std::int32_t i) { return equal_.inverse_mass[static_cast<std::size_t>(i)] == 0.0; };
            if (std::none_of(unit.begin(), unit.end(), shared) || std::any_of(unit.begin(), unit.end(), frozen)) return;
            const std::int64_t id = equal_.id[static_cast<std::size_t>(unit.front())];
            RandomStream random(0, RandomPurpose::separation, 0, static_cast<std::uint64_t>(id));
            const Vec3d v{random.normal(), random.normal(), random.normal()};
            for (const std::int32_t i : unit) x[static_cast<std::size_t>(i)] += (separation / norm(v)) * v;
        });
    }
    auto count = static_cast<std::int64_t>(atoms.size());
    comm_->sum(std::span(&count, 1));
    // The largest negative number is that of the lowest atom.
    std::int64_t first = atoms.empty() ? std::numeric_limits<std::int64_t>::min() : -equal_.id[atoms.front()];
    comm_->max(std::span(&first, 1));
    return {count, count > 0 ? -first : -1};
}

MinimiserReport Minimiser::run_block(std::vector<Vec3d>& x, std::int64_t steps_done, const Evaluate& evaluate) {
    MDSIM_EXPECT(x.size() == equal_.id.size());
    history_.clear();
    reach_ = first_reach;
    require_numbers(x);
    if (steps_done == 0) together(*comm_, [&] { constraints_.project_positions(x); });
    if (sites_ != nullptr) sites_->place(x);
    now_.x = x;
    visit(now_, evaluate);
    MinimiserReport report;
    report.steps = steps_done;
    const std::int64_t end = std::min(steps_done + block, settings_.max_steps);
    while (!finished() && report.steps < end) {
        bool moved = false;
        if (!history_.empty()) {
            moved = quasi_newton(evaluate);
            if (!moved) history_.clear();
        }
        if (!moved && !descend(evaluate)) {
            report.end = MinimiserEnd::precision;
            break;
        }
        ++report.steps;
    }
    if (finished()) {
        report.end = MinimiserEnd::converged;
    } else if (report.end == MinimiserEnd::running && report.steps >= settings_.max_steps) {
        report.end = MinimiserEnd::max_steps;
    }
    x = now_.x;
    report.energy = now_.energy;
    report.usable = now_.usable;
    report.max_force = now_.max_force.length;
    report.max_force_atom = now_.max_force.atom;
    return report;
}

}  // namespace mdsim
