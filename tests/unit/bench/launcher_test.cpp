// SPDX-License-Identifier: Apache-2.0
#include "run/bench/launcher.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "run/bench/rank_sweep.h"

using namespace mdsim;

namespace {

using Words = std::vector<std::string>;

nlohmann::ordered_json run_of(int ranks, int threads, double ms) {
    return {{"ms_per_step", ms},  {"ns_per_day", 100.0 / ms},     {"ranks", ranks},
            {"threads", threads}, {"imbalance", {{"work", 1.0}}}, {"communication", {{"share", 0.0}}}};
}

}  // namespace

TEST_CASE("Open MPI is told of what it would refuse, and only of that") {
    const Launcher launcher{"mpirun", "Open MPI 4.1.4", 2, false};
    CHECK(launch_command(launcher, {2, 1}, {"prog", "-i"}) ==
          Words{"mpirun", "--bind-to", "none", "-n", "2", "prog", "-i"});
    CHECK(launch_command(launcher, {3, 1}, {"prog"}) ==
          Words{"mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", "prog"});
    const Launcher root{"mpirun", "Open MPI 4.1.4", 2, true};
    CHECK(launch_command(root, {1, 1}, {"prog"}) ==
          Words{"mpirun", "--allow-run-as-root", "--bind-to", "none", "-n", "1", "prog"});
    CHECK(launch_command({"mpiexec", "MPICH 4.0", 2, true}, {9, 1}, {"prog"}) == Words{"mpiexec", "-n", "9", "prog"});
}

TEST_CASE("counts of ranks are numbers with commas") {
    CHECK(parse_counts("1,2,4", "--ranks") == std::vector{1, 2, 4});
    CHECK(parse_counts("7", "--ranks") == std::vector{7});
    for (const char* wrong : {"", "1,", ",1", "1,,2", "0", "-1", "1 2", "2,2", "x", "1.5"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(parse_counts(wrong, "--ranks"), Error);
    }
}

TEST_CASE("a command's output is taken, and its failure has its exit code") {
    CHECK(output_of({"printf", "a b"}) == "a b");
    try {
        output_of({"sh", "-c", "exit 75"});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(static_cast<int>(error.exit_code()) == 75);
    }
    CHECK_THROWS_AS(output_of({"/no/such/program"}), Error);
}

TEST_CASE("each start has the options of this one, and one thread where none was asked for") {
    BenchOptions options;
    options.common.input = "a b.inp";
    options.common.overrides = {"forces.cutoff=\"1 nm\""};
    options.steps = 5;
    CHECK(bench_arguments(options, "p") == Words{"p", "bench", "-i", "a b.inp", "--json", "--set",
                                                 "forces.cutoff=\"1 nm\"", "--threads", "1", "--steps", "5"});
    options.common.threads = 3;
    CHECK(bench_arguments(options, "p")[8] == "3");
}

TEST_CASE("efficiency counts processors, not ranks") {
    const nlohmann::ordered_json report = sweep_report({run_of(1, 1, 10.0), run_of(2, 1, 5.5), run_of(2, 2, 4.0)});
    CHECK(report["table"][1]["speedup"].get<double>() == Approx(10.0 / 5.5));
    CHECK(report["table"][1]["efficiency"].get<double>() == Approx(10.0 / 11.0));
    CHECK(report["table"][2]["efficiency"].get<double>() == Approx(10.0 / 16.0));
    CHECK(report["runs"].size() == 3);
    CHECK(sweep_table(report).size() == 4);
}
