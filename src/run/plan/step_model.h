// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/plan/layout.h"
#include "run/plan/traffic_model.h"

namespace mdsim {

/// What one core needs for a step, for each thing that there is [s].
struct CoreTimes {
    double pairs = 0.0;       ///< a home atom: pairs within the cutoff
    double device = 0.0;      ///< a home atom: giving a device its work and waiting for it; no thread makes it faster
    double bonded = 0.0;      ///< a home atom: bonded terms, exclusions, restraints
    double update = 0.0;      ///< a home atom: integration, constraints, and what no part counts
    double search = 0.0;      ///< a local atom: pair lists
    double mesh_atom = 0.0;   ///< a home atom: spreading charges and gathering forces
    double mesh_point = 0.0;  ///< a point of the mesh: Fourier transforms
    double halo_atom = 0.0;   ///< a halo atom: packing and unpacking its position and its force
    double serial = 0.0;      ///< share of all that that threads do not divide (Amdahl)
};

/// Speed of threads against one.
double thread_speedup(int threads, double serial);

/// Where a step's time goes, of the slowest rank [s]. All but `total` add up to it.
struct StepPrediction {
    double pairs = 0.0, bonded = 0.0, update = 0.0, search = 0.0, mesh = 0.0;
    double halo = 0.0;       ///< positions there and forces back
    double mesh_data = 0.0;  ///< charges to those that transform, transposes, potentials back
    double agreement = 0.0;  ///< reductions over all ranks
    double waiting = 0.0;    ///< for the slowest rank
    double total = 0.0;
    ExpectedTraffic traffic;

    double communication() const { return halo + mesh_data + agreement + waiting; }
    double ns_per_day(double timestep) const { return 86400.0 / total * timestep * 1e-3; }
};

/// Messages within a node go through its memory: 0.5 us and 5 GB/s between two ranks, measured with Open MPI's shared
/// memory on a server of 2024.
inline constexpr double node_latency = 0.5e-6, node_bandwidth = 5e9;

/// How much longer a rank takes for pairs with its halo than for as many pairs among its home atoms: clusters at the
/// border are filled less.
inline constexpr double border_share = 0.1;

/// Largest over mean of the atoms of ranks in a liquid whose number fluctuations are those of water:
/// 1 + sqrt(2 ln P) sqrt(3 S / n) for P ranks with n atoms each, S = rho kT kappa = 0.06 for molecules of three atoms.
double expected_imbalance(double home_atoms, int ranks);

StepPrediction predict_step(const Workload& work, const CoreTimes& core, const Cluster& cluster, const Layout& layout);

}  // namespace mdsim
