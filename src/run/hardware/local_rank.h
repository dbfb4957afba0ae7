// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "run/cluster/environment.h"

namespace mdsim {

/// The place of this process among those that a launcher has started on this machine.
struct LocalRank {
    int rank = 0;
    int size = 1;        ///< at least rank + 1
    std::string source;  ///< the variable that says so, empty: no launcher
    std::string job;     ///< the same text in all processes of one launch
};

/// From the variables of Open MPI, Hydra (MPICH, Intel MPI), MVAPICH, Cray PALS and Slurm.
LocalRank local_rank(const Environment& environment);

/// Devices of this machine that Slurm has given to the step, all its tasks together; 0: not known. More than one task
/// sees: each has its own.
int devices_of_step(const Environment& environment);

}  // namespace mdsim
