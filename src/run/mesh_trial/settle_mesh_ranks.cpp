// SPDX-License-Identifier: Apache-2.0
#include "run/mesh_trial/settle_mesh_ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "integrate/thermostat.h"
#include "io/output/file_lock.h"
#include "parallel/threads.h"
#include "run/plan/workload.h"
#include "system/fields/atom_fields.h"

namespace mdsim {

namespace {

// What the leading rank has of all of it; elsewhere the same without atoms.
State whole_state(const State& home, const Domain& domain) {
    State whole = home;
    whole.coupling = of_this_rank(of_all_ranks(home.coupling, domain.comm()), domain.comm());
    for (std::vector<Vec3d>* field : moving_fields(whole)) *field = domain.collect(*field);
    return whole;
}

std::unique_ptr<Domain> distributed(const Setup& setup, int mesh_ranks, State& whole) {
    auto domain = make_domain(setup, mesh_ranks);
    domain->distribute(whole);
    return domain;
}

// The same on all ranks.
MeasuredStep sum_of_ranks(const Comm& comm, const Timers& timers) {
    constexpr std::array parts{Part::short_range, Part::bonded, Part::search,
                               Part::mesh,        Part::update, Part::constraints};
    std::array<std::int64_t, parts.size()> ns{};
    for (std::size_t i = 0; i < parts.size(); ++i) ns[i] = static_cast<std::int64_t>(1e9 * timers.seconds(parts[i]));
    comm.sum(std::span<std::int64_t>(ns));
    const auto each = [&](std::size_t i) { return 1e-9 * static_cast<double>(ns[i]) / timed_steps; };
    MeasuredStep step{.pairs = each(0), .bonded = each(1), .search = each(2), .mesh = each(3)};
    for (std::size_t i = 0; i < parts.size(); ++i) step.total += each(i);
    return step;
}

// Makes steps from a state, which stays as it is.
TrialStep time_steps(const StageToRun& run, int mesh_ranks, State whole) {
    const std::int64_t first = whole.step + settling_steps;
    const auto domain = distributed(run.setup, mesh_ranks, whole);
    const Comm& comm = domain->comm();
    Simulation simulation(
        build_dynamics(run.setup, run.stage, run.references, *domain, run.start), std::move(whole),
        [](std::int64_t) { return Due::nothing; }, [](const StepReport&, Due) {});
    const auto never = [] { return false; };
    simulation.run(first, never);
    simulation.forces().timers().reset();
    comm.barrier();
    const auto start = std::chrono::steady_clock::now();
    simulation.run(first + timed_steps, never);
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    comm.max(std::span(&seconds, 1));
    return {seconds / timed_steps, sum_of_ranks(comm, simulation.timers())};
}

// The lead decides: its processor need not round as others do.
std::vector<int> promising(const StageToRun& run, const State& whole, const MeasuredStep& with_none, const Comm& comm) {
    std::set<std::string> hosts;
    const std::string host = host_name();
    for (const Bytes& name : comm.gather(std::as_bytes(std::span(host)))) {
        hosts.emplace(reinterpret_cast<const char*>(name.data()), name.size());
    }
    Bytes counts;
    lead_alone(comm, [&] {
        const int nodes = std::max(1, static_cast<int>(hosts.size()));
        Layout layout{.nodes = nodes, .ranks_per_node = std::max(1, comm.size() / nodes), .threads = thread_count()};
        const std::vector<int> of_lead =
            promising_mesh_ranks(make_workload(run.setup, run.stage, whole.x), with_none, layout);
        const auto bytes = as_bytes_of(of_lead);
        counts.assign(bytes.begin(), bytes.end());
    });
    comm.broadcast(counts);
    return values_of<int>(counts);
}

// What is settled without one.
std::optional<MeshRanksChoice> without_trial(const StageToRun& run, const Comm& comm, std::int64_t steps_left) {
    const Setup& setup = run.setup;
    const auto none = [](std::string why) { return MeshRanksChoice{.tried = {}, .why = std::move(why)}; };
    if (setup.input.hardware.mesh_ranks) return MeshRanksChoice{.mesh_ranks = separate_mesh_ranks(setup)};
    if (comm.alone()) return MeshRanksChoice{};
    if (!has_mesh(setup.input.forces.electrostatics)) return none("only electrostatics = \"pme\" and \"esp\" have one");
    if (setup.input.debug.mesh_trial) return std::nullopt;
    if (comm.size() < fewest_ranks_to_try) return none(fmt::format("{} ranks are too few", comm.size()));
    if (setup.hardware.device) return none("devices compute it");
    if (setup.input.debug.ranks_grid) return none("debug.ranks_grid is given");
    if (worth_a_trial(steps_left)) return std::nullopt;
    MeshRanksChoice choice = none("a trial would be long against the stage");
    choice.settled = false;
    return choice;
}

// A run that comes apart does so with any count: that is left to the run itself, which says where.
MeshRanksChoice by_trial(const StageToRun& run, const Comm& comm, const State& whole) {
    const auto& asked = run.setup.input.debug.mesh_trial;
    const std::optional<int> forced = asked ? std::optional(std::min(*asked, comm.size() - 1)) : std::nullopt;
    const auto counts = [&](const MeasuredStep& with_none) {
        return forced ? std::vector<int>{*forced} : promising(run, whole, with_none, comm);
    };
    try {
        MeshRanksChoice choice = try_mesh_ranks([&](int n) { return time_steps(run, n, whole); }, counts);
        if (forced) choice.mesh_ranks = *forced;
        comm.broadcast(std::as_writable_bytes(std::span(&choice.mesh_ranks, 1)));
        return choice;
    } catch (const Error& error) {
        if (error.exit_code() != ExitCode::unstable) throw;
        return {.tried = {}, .why = "steps of the trial came apart"};
    }
}

}  // namespace

MeshRanksChoice settle_mesh_ranks(const StageToRun& run, std::unique_ptr<Domain>& domain, State& state,
                                  DynamicsParts& parts) {
    const Comm& comm = domain->comm();
    const std::int64_t steps_left = run.start.step + run.stage.steps - state.step;
    const std::optional<MeshRanksChoice> without = without_trial(run, comm, steps_left);
    State whole = without ? State{} : whole_state(state, *domain);
    MeshRanksChoice choice = without ? *without : by_trial(run, comm, whole);
    if (const std::string line = describe(choice, comm.size()); !line.empty()) choice.log.push_back(line);
    if (without || choice.mesh_ranks == domain->mesh_ranks()) return choice;
    const auto before = std::exchange(domain, distributed(run.setup, choice.mesh_ranks, whole));
    state = std::move(whole);
    parts = build_dynamics(run.setup, run.stage, run.references, *domain, run.start);
    choice.log.insert(choice.log.end(), domain->notes().begin(), domain->notes().end());
    return choice;
}

}  // namespace mdsim
