// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "run/cluster/environment.h"

namespace mdsim {

/// What a launcher has started together with this process.
struct Launch {
    int tasks = 1;       ///< processes, with this one
    int task = 0;        ///< number of this one
    std::string source;  ///< the variable that says so; empty: no launcher
    int allocated = 1;   ///< tasks that the batch job has room for, where this process is none of them
};

/// From the variables of Open MPI's mpirun, of a step of Slurm, and of Hydra (MPICH, Intel MPI). Asked before MPI is
/// initialised, which sets some of them itself.
Launch find_launch(const Environment& environment);

/// Input error MD801 where MPI joins fewer processes than were started together: each of them would compute the whole
/// system. All of them throw, and the first alone has a message.
/// world_size: ranks that MPI joins; mpi_library: its name, empty in a build without MPI.
void require_joined(const Launch& launch, int world_size, const std::string& mpi_library);

/// Of a process that a batch script has started by itself in a job with room for more: a warning; else empty.
std::string warning_of_idle_tasks(const Launch& launch);

}  // namespace mdsim
