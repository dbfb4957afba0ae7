// SPDX-License-Identifier: Apache-2.0
#include "run/plan/request.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "run/plan/report/batch_script.h"

using namespace mdsim;

TEST_CASE("what a cluster is comes with units") {
    const PlanRequest request = parse_request(
        {.nodes = "1,2,16", .latency = "1.5 us", .bandwidth = "100 Gbit/s", .price = "1.2 EUR", .watts = "0.8 kW"}, 12);
    CHECK(request.nodes == std::vector{1, 2, 16});
    CHECK(request.cluster.cores_per_node == 12);
    CHECK(request.cluster.latency == Approx(1.5e-6));
    CHECK(request.cluster.bandwidth == Approx(12.5e9));
    CHECK(request.cluster.price.value() == Approx(1.2));
    CHECK(request.cluster.currency == "EUR");
    CHECK(request.cluster.watts.value() == Approx(800.0));
    const PlanRequest plain = parse_request({}, 2);
    CHECK(plain.nodes == std::vector{1});
    CHECK_FALSE(plain.cluster.price.has_value());
}

TEST_CASE("all that is wrong with a request is said at once") {
    const PlanTexts wrong{.nodes = "1,x", .latency = "2", .bandwidth = "12 GB", .price = "much", .watts = "5 V"};
    try {
        parse_request(wrong, 2);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.problems().size() == 5);
        CHECK(error.exit_code() == ExitCode::input_error);
        for (const Problem& problem : error.problems()) CHECK(!problem.remedy.empty());
    }
    for (const char* text : {"-2 us", "0 us", "nan us", "us", "inf us", "2us3"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_request({.latency = text}, 2), Error);
    }
    CHECK_THROWS_AS(parse_request({.cores_per_node = 2, .gpus_per_node = 4}, 2), Error);
    // Without a unit nobody knows what is meant.
    CHECK_THROWS_AS(parse_request({.price = "1.2"}, 2), Error);
    CHECK_THROWS_AS(parse_request({.watts = "800"}, 2), Error);
    // Numbers of ranks that no integer here holds.
    CHECK_THROWS_AS(parse_request({.nodes = "1000000000", .cores_per_node = 1000000000}, 2), Error);
    CHECK_THROWS_AS(parse_request({.nodes = "99999999999"}, 2), Error);
    CHECK_THROWS_AS(parse_request({.nodes = "1,2", .cores_per_node = 600000}, 2), Error);
    CHECK(parse_request({.nodes = "9408", .cores_per_node = 64}, 2).nodes[0] == 9408);
}

TEST_CASE("a script asks for what the layout needs, and survives odd names") {
    const BatchJob job{.name = "my run",
                       .input = "a 'b'.inp",
                       .log = "out/my run.log",
                       .overrides = {"forces.cutoff=\"1 nm\""},
                       .layout = {.nodes = 3, .ranks_per_node = 4, .threads = 2, .mesh_ranks = 3, .gpus_per_node = 4}};
    const std::string script = batch_script(job);
    for (const char* line :
         {"#SBATCH --nodes=3\n", "#SBATCH --ntasks-per-node=4\n", "#SBATCH --cpus-per-task=2\n",
          "#SBATCH --gpus-per-node=4\n", "#SBATCH --job-name=my_run\n", "--set hardware.mesh_ranks=3",
          " --set 'forces.cutoff=\"1 nm\"' ", "mdsim -i 'a '\\''b'\\''.inp'", "set -- 'out/my run.log' \\\n"}) {
        CAPTURE(line);
        CHECK(script.find(line) != std::string::npos);
    }
    CHECK(script.starts_with("#!/bin/bash\n"));
    BatchJob plain = job;
    plain.layout.gpus_per_node = plain.layout.mesh_ranks = 0;
    CHECK(batch_script(plain).find("gpus") == std::string::npos);
    CHECK(batch_script(plain).find("mesh_ranks") == std::string::npos);
}
