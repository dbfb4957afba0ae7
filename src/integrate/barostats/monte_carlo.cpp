// SPDX-License-Identifier: Apache-2.0
#include "integrate/barostats/monte_carlo.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/fixed_point.h"
#include "core/philox.h"
#include "core/units.h"
#include "parallel/threads.h"
#include "system/molecules/molecule_runs.h"

namespace mdsim {

namespace {

constexpr std::int64_t trials_per_adaptation = 20;
constexpr double first_step_of_volume = 0.01;  // a hundredth of the volume, as good as any: it adapts
constexpr double largest_step_of_volume = 0.3;

// Streams of one step: what is tried, and whether it is accepted.
RandomStream stream(std::uint64_t seed, std::int64_t step, std::uint64_t which) {
    return {seed, RandomPurpose::monte_carlo_barostat, static_cast<std::uint64_t>(step), which};
}

// What there is at home of a molecule. Integers, so that parts add up to what the whole gives; the fixed-point unit of
// energies serves mass times length [u nm] and mass [u] as well.
struct MoleculePart {
    std::int64_t molecule = 0;
    std::int64_t frozen = 0;                 // number of atoms
    std::array<fixed::EnergySum, 4> sums{};  // mass times x, y, z, and mass

    void add(const MoleculePart& other) {
        frozen += other.frozen;
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(other.sums[i]);
    }
    Vec3d centre() const {
        const double inverse = 1.0 / sums[3].value();
        return {sums[0].value() * inverse, sums[1].value() * inverse, sums[2].value() * inverse};
    }
};

MoleculePart part_of(const MoleculeRun& run, const State& state, const AtomParameters& home) {
    MoleculePart part{.molecule = run.molecule};
    for (std::size_t i = run.begin; i < run.end; ++i) {
        if (home.frozen(i)) ++part.frozen;
        for (int a = 0; a < 3; ++a) part.sums[static_cast<std::size_t>(a)].add(home.mass[i] * state.x[i][a]);
        part.sums[3].add(home.mass[i]);
    }
    return part;
}

// Takes the centre of mass times m.
void move(State& state, const MoleculeRun& run, const Vec3d& centre, const Vec3d& m) {
    const Vec3d shift{(m.x - 1.0) * centre.x, (m.y - 1.0) * centre.y, (m.z - 1.0) * centre.z};
    for (std::size_t i = run.begin; i < run.end; ++i) state.x[i] += shift;
}

using Parts = std::vector<MoleculePart>;

// To each rank its entry, from each rank one.
std::vector<Parts> exchange(const std::vector<Parts>& to, const Comm& comm) {
    std::vector<Bytes> sent;
    for (const Parts& parts : to) {
        const auto bytes = as_bytes_of(parts);
        sent.emplace_back(bytes.begin(), bytes.end());
    }
    std::vector<Parts> received;
    for (const Bytes& bytes : comm.exchange(sent, Traffic::other)) received.push_back(values_of<MoleculePart>(bytes));
    return received;
}

// Each molecule of the parts once, with the sum of them, by number.
Parts sums_of(const std::vector<Parts>& parts) {
    Parts all, whole;
    for (const Parts& of_rank : parts) all.insert(all.end(), of_rank.begin(), of_rank.end());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.molecule < b.molecule; });
    for (const MoleculePart& part : all) {
        if (!whole.empty() && whole.back().molecule == part.molecule) {
            whole.back().add(part);
        } else {
            whole.push_back(part);
        }
    }
    return whole;
}

// The whole molecules that this rank has parts of, in the order of the parts. For each molecule some rank adds up what
// all have of it and tells those that do. frozen: grows by the molecules that this rank adds up and that do not move.
Parts put_together(const Parts& mine, std::int64_t molecules, const Comm& comm, std::int64_t& frozen) {
    const auto adder = [&](const MoleculePart& p) {
        return static_cast<std::size_t>(p.molecule * comm.size() / molecules);
    };
    std::vector<Parts> to(static_cast<std::size_t>(comm.size()));
    for (const MoleculePart& part : mine) to[adder(part)].push_back(part);
    std::vector<Parts> asked = exchange(to, comm);
    const Parts sums = sums_of(asked);
    frozen += std::count_if(sums.begin(), sums.end(), [](const auto& p) { return p.frozen > 0; });
    for (Parts& of_rank : asked) {
        for (MoleculePart& part : of_rank) {
            part = *std::lower_bound(sums.begin(), sums.end(), part.molecule,
                                     [](const MoleculePart& p, std::int64_t n) { return p.molecule < n; });
        }
    }
    const std::vector<Parts> answers = exchange(asked, comm);
    std::vector<std::size_t> next(to.size(), 0);
    Parts whole;
    for (const MoleculePart& part : mine) whole.push_back(answers[adder(part)][next[adder(part)]++]);
    return whole;
}

// What a thread leaves behind: molecules of which a part is at home, and the number of those that are all at home and
// do not move.
struct Found {
    std::vector<MoleculeRun> runs;
    Parts parts;  // of the runs
    std::int64_t frozen = 0;

    void add(const Found& other) {
        runs.insert(runs.end(), other.runs.begin(), other.runs.end());
        parts.insert(parts.end(), other.parts.begin(), other.parts.end());
        frozen += other.frozen;
    }
};

}  // namespace

MonteCarloBarostat::MonteCarloBarostat(const Topology& topology, const Settings& settings)
    : settings_(settings), index_(topology), molecules_(topology.molecules()) {}

Vec3d MonteCarloBarostat::draw_factors(State& state) const {
    const double volume = state.box.volume();
    double& size = state.coupling.volume_step;
    if (!(size > 0.0)) size = first_step_of_volume * volume;
    RandomStream random = stream(settings_.seed, state.step, 0);
    const double ratio = (volume + size * (2.0 * random.uniform() - 1.0)) / volume;
    if (settings_.coupling == PressureCoupling::isotropic) {
        const double factor = std::cbrt(ratio);
        return {factor, factor, factor};
    }
    if (random.uniform() < 0.5) return {1.0, 1.0, ratio};
    const double factor = std::sqrt(ratio);
    return {factor, factor, 1.0};
}

// Returns the number of molecules, on all ranks, that do not move. Tasks: ranges of molecules, independent of each
// other; then those that are spread over ranks, whose centres are known only once all ranks have given their parts.
std::int64_t MonteCarloBarostat::scale_molecules(State& state, const AtomParameters& home, const Vec3d& m,
                                                 const Comm& comm) const {
    std::vector<Found> of_thread(static_cast<std::size_t>(thread_count()));
    parallel_ranges(home.id.size(), [&](int thread, std::size_t begin, std::size_t end) {
        Found& found = of_thread[static_cast<std::size_t>(thread)];
        for_each_molecule_run(index_, home.id, begin, end, [&](const MoleculeRun& run) {
            const MoleculePart part = part_of(run, state, home);
            if (!run.whole()) {
                found.runs.push_back(run);
                found.parts.push_back(part);
            } else if (part.frozen > 0) {
                ++found.frozen;
            } else {
                move(state, run, part.centre(), m);
            }
        });
    });
    Found found;
    for (const Found& other : of_thread) found.add(other);
    const Parts whole = put_together(found.parts, molecules_, comm, found.frozen);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        if (whole[n].frozen == 0) move(state, found.runs[n], whole[n].centre(), m);
    }
    comm.sum(std::span(&found.frozen, 1));
    return found.frozen;
}

void MonteCarloBarostat::begin_trial(State& state, const AtomParameters& home, const Comm& comm) {
    MDSIM_EXPECT(state.box.periodic());
    saved_x_ = state.x;
    saved_box_ = state.box;
    const Vec3d m = draw_factors(state);
    moving_ = molecules_ - scale_molecules(state, home, m, comm);
    state.box = state.box.transformed({Vec3d{m.x, 0, 0}, Vec3d{0, m.y, 0}, Vec3d{0, 0, m.z}});
}

Trial MonteCarloBarostat::accept_or_reject(State& state, double energy_before, double energy_after,
                                           double temperature) {
    const double kt = units::boltzmann * temperature;
    const double before = saved_box_.volume(), after = state.box.volume();
    const double work = energy_after - energy_before +
                        settings_.pressure / units::bar_per_pressure_unit * (after - before) -
                        static_cast<double>(moving_) * kt * std::log(after / before);
    RandomStream random = stream(settings_.seed, state.step, 1);
    // Written so that not-a-number is rejected.
    const bool accepted = work <= 0.0 || random.uniform() < std::exp(-work / kt);
    if (accepted) {
        state.coupling.barostat_work -= energy_after - energy_before;
    } else {
        state.x.swap(saved_x_);
        state.box = saved_box_;
    }
    ++state.coupling.trials;
    state.coupling.accepted += accepted ? 1 : 0;
    if (state.coupling.trials == trials_per_adaptation) adapt(state);
    return accepted ? Trial::accepted : Trial::rejected;
}

void MonteCarloBarostat::adapt(State& state) {
    CouplingState& coupling = state.coupling;
    const double rate = static_cast<double>(coupling.accepted) / static_cast<double>(coupling.trials);
    coupling.volume_step *= std::clamp(rate / 0.5, 0.7, 1.3);
    coupling.volume_step = std::min(coupling.volume_step, largest_step_of_volume * state.box.volume());
    coupling.trials = 0;
    coupling.accepted = 0;
}

}  // namespace mdsim
