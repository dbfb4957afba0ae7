// SPDX-License-Identifier: Apache-2.0
#include "run/plan/step_model.h"

#include <algorithm>
#include <cmath>

namespace mdsim {

namespace {

// Of the rank that sends most, one message after the other; what leaves the node shares its connection with what all
// ranks there send.
double time_of(const Sent& sent, const Cluster& cluster, const Layout& layout) {
    if (sent.messages == 0.0) return 0.0;
    const double f = sent.between_nodes;
    const double latency = f * cluster.latency + (1.0 - f) * node_latency;
    const double within = (1.0 - f) * sent.bytes_largest / node_bandwidth;
    const double between = f * sent.bytes * layout.ranks_per_node / cluster.bandwidth;
    return sent.messages_largest * latency + within + between;
}

// A reduction over all ranks doubles its distance in each round, first within nodes.
double time_of_reduction(const Cluster& cluster, const Layout& layout) {
    return std::ceil(std::log2(layout.ranks_per_node)) * node_latency +
           std::ceil(std::log2(layout.nodes)) * cluster.latency;
}

void add_compute(StepPrediction& step, const Workload& work, const CoreTimes& core, const Layout& layout) {
    const double speed = thread_speedup(layout.threads, core.serial);
    const double home = step.traffic.home_atoms, halo = step.traffic.halo_atoms;
    const double border = home > 0.0 ? std::min(1.0, halo / home) : 0.0;
    step.pairs = home * (1.0 + border_share * border) * (core.pairs / speed + core.device);
    step.bonded = core.bonded * home / speed;
    step.update = core.update * home / speed;
    step.search = core.search * (home + halo) / speed;
    step.halo = core.halo_atom * halo / speed;
    if (work.mesh) step.mesh = core.mesh_atom * home / speed;
}

}  // namespace

double thread_speedup(int threads, double serial) {
    return 1.0 / (serial + (1.0 - serial) / threads);
}

double expected_imbalance(double home_atoms, int ranks) {
    if (ranks == 1 || home_atoms <= 0.0) return 1.0;
    return 1.0 + std::sqrt(2.0 * std::log(ranks)) * std::sqrt(3.0 * 0.06 / home_atoms);
}

StepPrediction predict_step(const Workload& work, const CoreTimes& core, const Cluster& cluster, const Layout& layout) {
    StepPrediction step;
    step.traffic = expected_traffic(work, layout);
    add_compute(step, work, core, layout);
    const double compute = step.pairs + step.bonded + step.update + step.search + step.mesh;
    step.waiting = (expected_imbalance(step.traffic.home_atoms, step.traffic.regions) - 1.0) * compute;
    step.halo += time_of(step.traffic.positions, cluster, layout) + time_of(step.traffic.forces, cluster, layout);
    step.agreement = step.traffic.reductions * time_of_reduction(cluster, layout);
    double transform = 0.0;
    if (work.mesh) {
        transform = core.mesh_point * work.mesh->size() / step.traffic.mesh_solvers /
                    thread_speedup(layout.threads, core.serial);
        step.mesh_data =
            time_of(step.traffic.mesh_halo, cluster, layout) + time_of(step.traffic.transposes, cluster, layout);
    }
    if (layout.mesh_ranks == 0) {
        step.mesh += transform;
    } else {
        // Ranks of the mesh work while the others compute pairs and bonded terms.
        const double hidden = step.pairs + step.bonded + step.halo;
        step.mesh_data = std::max(0.0, transform + step.mesh_data - hidden);
    }
    step.total = compute + (layout.mesh_ranks == 0 ? transform : 0.0) + step.communication();
    return step;
}

}  // namespace mdsim
