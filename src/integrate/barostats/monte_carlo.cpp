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
        if (home.inverse_mass[i] == 0.0) ++part.frozen;
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

// The molecules that some rank has a part of, by number, from the parts of all ranks.
std::vector<MoleculePart> put_together(const std::vector<MoleculePart>& of_this_rank, const Comm& comm) {
    std::vector<MoleculePart> all;
    for (const Bytes& bytes : comm.gather_to_all(as_bytes_of(of_this_rank))) {
        const auto parts = values_of<MoleculePart>(bytes);
        all.insert(all.end(), parts.begin(), parts.end());
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.molecule < b.molecule; });
    std::vector<MoleculePart> whole;
    for (const MoleculePart& part : all) {
        if (!whole.empty() && whole.back().molecule == part.molecule) {
            whole.back().add(part);
        } else {
            whole.push_back(part);
        }
    }
    return whole;
}

// What a thread leaves behind: molecules of which a part is at home, and the number of those that are all at home and
// do not move.
struct Found {
    std::vector<MoleculeRun> runs;
    std::vector<MoleculePart> parts;  // of the runs
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
    comm.sum(std::span(&found.frozen, 1));
    const std::vector<MoleculePart> spread = put_together(found.parts, comm);
    for (const MoleculeRun& run : found.runs) {
        const auto at = std::lower_bound(spread.begin(), spread.end(), run.molecule,
                                         [](const MoleculePart& part, std::int64_t n) { return part.molecule < n; });
        if (at->frozen == 0) move(state, run, at->centre(), m);
    }
    return found.frozen + std::count_if(spread.begin(), spread.end(), [](const auto& p) { return p.frozen > 0; });
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
