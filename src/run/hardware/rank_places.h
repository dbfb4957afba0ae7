// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "parallel/comm.h"
#include "run/cluster/environment.h"

namespace mdsim {

/// Where a rank computes.
struct RankPlace {
    std::string host, cores;

    friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Those of all ranks, to all.
std::vector<RankPlace> share_places(const Comm& world, const RankPlace& own);

/// What each rank has to say, to the leading one; empty elsewhere.
std::vector<std::string> gather_texts(const Comm& world, const std::string& text);

/// Threads of a rank that is not told how many: the processors that it may use, divided among the ranks that may use
/// the same ones, and no more than its part of what Slurm gives the job on this host. At least 1; 0: OMP_NUM_THREADS
/// says it.
/// sharing: ranks with the same host and cores, with this one; on_host: ranks on this host.
int default_threads(int processors, int sharing, int on_host, const Environment& environment);

}  // namespace mdsim
