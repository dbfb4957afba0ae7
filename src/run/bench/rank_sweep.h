// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "run/bench/launcher.h"
#include "run/commands/commands.h"

namespace mdsim {

/// `mdsim bench --ranks 1,2,4`: this program again under mpirun, one count of ranks after the other, so that none
/// disturbs another.
/// What each printed with --json, in order. Input errors: under mpirun already, or without MPI (MD116).
std::vector<nlohmann::ordered_json> sweep_ranks(const BenchOptions& options, std::span<const int> ranks,
                                                const Launcher& launcher);

/// The arguments of this program for one count: those of `options`, with threads as given or else one a rank.
std::vector<std::string> bench_arguments(const BenchOptions& options, const std::string& program);

/// {"runs": [...], "table": [{ranks, threads, ms_per_step, ns_per_day, speedup, efficiency}]}: against the first
/// entry, by processors (ranks times threads).
nlohmann::ordered_json sweep_report(const std::vector<nlohmann::ordered_json>& runs);
std::vector<std::string> sweep_table(const nlohmann::ordered_json& report);

}  // namespace mdsim
