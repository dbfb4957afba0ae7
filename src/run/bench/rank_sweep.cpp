// SPDX-License-Identifier: Apache-2.0
#include "run/bench/rank_sweep.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

using Json = nlohmann::ordered_json;

void require_possible(const Launcher& launcher) {
    require_started_alone("--ranks", "--ranks starts mpirun itself, once for each count",
                          "leave --ranks out to measure these ranks, or leave the launcher out");
    if (!launcher.program.empty()) return;
    throw_input_error({.code = "MD116",
                       .place = {"--ranks"},
                       .what = "this build of mdsim has no MPI: it has one rank",
                       .remedy = "scripts/install-deps.sh installs Open MPI; then build again"});
}

Json parse(const std::string& text, const std::vector<std::string>& command) {
    Json report = Json::parse(text, nullptr, false);
    if (!report.is_discarded()) return report;
    std::string line;
    for (const std::string& word : command) line += " " + word;
    throw Error(ExitCode::internal_error, Problem{.code = "MD117",
                                                  .what = "what this printed is no report:" + line,
                                                  .remedy = "try the command by hand"});
}

double per_step(const Json& run) {
    return run["ms_per_step"].get<double>();
}
int processors(const Json& run) {
    return run["ranks"].get<int>() * run["threads"].get<int>();
}

}  // namespace

std::vector<std::string> bench_arguments(const BenchOptions& options, const std::string& program) {
    std::vector<std::string> words{program, "bench", "-i", options.common.input.string(), "--json"};
    for (const std::string& value : options.common.overrides) words.insert(words.end(), {"--set", value});
    words.insert(words.end(), {"--threads", std::to_string(std::max(1, options.common.threads))});
    if (options.steps > 0) words.insert(words.end(), {"--steps", std::to_string(options.steps)});
    return words;
}

std::vector<Json> sweep_ranks(const BenchOptions& options, std::span<const int> ranks, const Launcher& launcher) {
    require_possible(launcher);
    const std::vector<std::string> program = bench_arguments(options, this_program());
    std::vector<Json> runs;
    for (const int count : ranks) {
        const std::vector<std::string> command =
            launch_command(launcher, {count, std::max(1, options.common.threads)}, program);
        runs.push_back(parse(output_of(command), command));
    }
    return runs;
}

Json sweep_report(const std::vector<Json>& runs) {
    Json table = Json::array();
    for (const Json& run : runs) {
        const double speedup = per_step(runs.front()) / per_step(run);
        table.push_back({{"ranks", run["ranks"]},
                         {"threads", run["threads"]},
                         {"ms_per_step", per_step(run)},
                         {"ns_per_day", run["ns_per_day"]},
                         {"speedup", speedup},
                         {"efficiency", speedup * processors(runs.front()) / processors(run)},
                         {"imbalance", run["imbalance"]["work"]},
                         {"communication", run["communication"]["share"]}});
    }
    return {{"table", table}, {"runs", runs}};
}

std::vector<std::string> sweep_table(const Json& report) {
    std::vector<std::string> lines{
        " ranks  threads    ms/step     ns/day  speedup  efficiency  imbalance  communication"};
    for (const Json& row : report["table"]) {
        lines.push_back(fmt::format("{:>6}  {:>7}  {:>9.3f}  {:>9.2f}  {:>7.3f}  {:>10.3f}  {:>9.3f}  {:>11.1f} %",
                                    row["ranks"].get<int>(), row["threads"].get<int>(),
                                    row["ms_per_step"].get<double>(), row["ns_per_day"].get<double>(),
                                    row["speedup"].get<double>(), row["efficiency"].get<double>(),
                                    row["imbalance"].get<double>(), 100.0 * row["communication"].get<double>()));
    }
    return lines;
}

}  // namespace mdsim
