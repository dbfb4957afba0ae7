// SPDX-License-Identifier: Apache-2.0
#include "run/plan/calibration.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>
#include <random>

#include "forces/mesh/pme_parameters.h"
#include "parallel/threads.h"
#include "run/bench/timed_stage.h"
#include "run/hardware/process_memory.h"

namespace mdsim {

namespace {

// Enough for lists to be made several times in systems of some ten thousand atoms.
constexpr double seconds_of_each = 1.5;
constexpr std::int64_t warm_up = 10, fewest_steps = 20, most_steps = 3000;

// clock: seconds that count for a second on the wall.
MeasuredStep parts_of(const Timers& timers, double seconds, std::int64_t steps, double clock) {
    const auto each = [&](Part part) { return clock * timers.seconds(part) / static_cast<double>(steps); };
    return {.total = clock * seconds / static_cast<double>(steps),
            .pairs = each(Part::short_range),
            .device = each(Part::device_launch) + each(Part::device_wait),
            .bonded = each(Part::bonded),
            .search = each(Part::search),
            .mesh = each(Part::mesh)};
}

struct Timed {
    MeasuredStep step;
    std::int64_t steps = 0;
};

// Of all threads of this process [s].
double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Timed time_stage(const Setup& setup, int threads) {
    set_thread_count(threads);
    TimedStage stage(setup, setup.start);
    const double first = stage.step(warm_up) / warm_up;
    stage.simulation().forces().timers().reset();
    const auto steps =
        static_cast<std::int64_t>(std::clamp(seconds_of_each / first, 1.0 * fewest_steps, 1.0 * most_steps));
    const double before = processor_seconds();
    const double seconds = stage.step(steps);
    const double used = processor_seconds() - before;
    // A thread that waits for a device may sleep.
    const bool alone = threads == 1 && !setup.hardware.device;
    return {parts_of(stage.simulation().timers(), seconds, steps, alone ? std::min(1.0, used / seconds) : 1.0), steps};
}

// The same splitting and order on half as many points again along each axis.
double mesh_point(Setup& setup, const Workload& work, const MeasuredStep& step) {
    const ChosenForces chosen = choose_forces(setup);
    const ForcesInput kept = setup.input.forces;
    MeshWork finer = *work.mesh;
    for (int& n : finer.points) n = mesh::transform_size(n + n / 2);
    if (chosen.pme) setup.input.forces.ewald_splitting = chosen.pme->splitting;
    setup.input.forces.mesh_order = chosen.mesh->order;
    setup.input.forces.mesh.assign(finer.points.begin(), finer.points.end());
    const Timed timed = time_stage(setup, 1);
    setup.input.forces = kept;
    return time_of_mesh_point(step.mesh, work.mesh->size(), timed.step.mesh, finer.size());
}

// Positions into a message in random order, and forces out of one to where they belong.
double time_of_halo_atom() {
    constexpr std::size_t atoms = 200000, sent = 20000;
    std::vector<std::size_t> order(atoms);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    std::vector<Vec3d> x(atoms), message(sent);
    std::vector<Vec3l> forces(atoms), returned(sent);
    double least = 1.0;
    for (int n = 0; n < 5; ++n) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < sent; ++i) message[i] = x[order[i]];
        for (std::size_t i = 0; i < sent; ++i) forces[order[i]] += returned[i];
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        least = std::min(least, taken.count());
        x[order[0]].x += message[1].x + static_cast<double>(forces[order[2]].x);  // so that nothing is left out
    }
    return 2.0 * least / sent;  // the other end does as much
}

}  // namespace

double time_of_mesh_point(double time1, double points1, double time2, double points2) {
    return std::clamp((time2 - time1) / (points2 - points1), 0.0, time1 / points1);
}

double serial_share(double time_of_one, double time_of_all, int threads) {
    return std::clamp((threads * time_of_all / time_of_one - 1.0) / (threads - 1.0), 0.0, 1.0);
}

CoreTimes core_times(const Workload& work, const MeasuredStep& step, double time_of_point) {
    const auto atoms = static_cast<double>(work.atoms);
    const double points = work.mesh ? time_of_point * work.mesh->size() : 0.0;
    CoreTimes core;
    core.pairs = step.pairs / atoms;
    core.device = step.device / atoms;
    core.bonded = step.bonded / atoms;
    core.search = step.search / atoms;
    core.mesh_point = time_of_point;
    core.mesh_atom = (step.mesh - points) / atoms;
    core.update = std::max(0.0, step.total - step.pairs - step.device - step.bonded - step.search - step.mesh) / atoms;
    return core;
}

Calibration calibrate(Setup& setup, const Workload& work, int threads, std::int64_t before) {
    const auto atoms = static_cast<double>(work.atoms);
    Calibration c;
    c.memory.fixed = static_cast<double>(before);
    c.memory.reading = static_cast<double>(process_memory().peak - before) / atoms;
    const Timed one = time_stage(setup, 1);
    const double running =
        static_cast<double>(process_memory().peak - before) - (work.mesh ? mesh_bytes(*work.mesh) : 0);
    c.memory.local_atom = std::max(0.0, running) / atoms;
    c.ms_per_step = 1e3 * one.step.total;
    c.steps = one.steps;
    c.core = core_times(work, one.step, work.mesh ? mesh_point(setup, work, one.step) : 0.0);
    c.core.halo_atom = time_of_halo_atom();
    c.threads = threads;
    if (setup.hardware.device) c.device = setup.hardware.device->name;
    const double share =
        threads > 1 ? serial_share(one.step.total, time_stage(setup, threads).step.total, threads) : 1.0;
    c.serial_believed = share <= largest_serial_share;
    c.core.serial = c.serial_believed ? share : usual_serial_share;
    set_thread_count(threads);
    return c;
}

}  // namespace mdsim
