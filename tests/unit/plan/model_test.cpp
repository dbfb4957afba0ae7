// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "run/plan/calibration.h"
#include "run/plan/report/plan_report.h"

using namespace mdsim;

namespace {

// A cube of 10 nm with 100 atoms/nm^3 and a mesh of 100 points each way.
Workload cube() {
    Workload work;
    work.atoms = 100000;
    work.cell = Box::rectangular(10, 10, 10);
    work.list_radius = 1.3;
    work.unit_radius = 0.1;
    work.timestep = 0.002;
    work.mesh = MeshWork{{100, 100, 100}, 4, 4};
    return work;
}

CoreTimes some_times() {
    return {.pairs = 2e-7,
            .bonded = 1e-8,
            .update = 2e-8,
            .search = 3e-8,
            .mesh_atom = 5e-8,
            .mesh_point = 1e-8,
            .halo_atom = 1e-8,
            .serial = 0.0};
}

Cluster free_network() {
    return {.cores_per_node = 8, .latency = 0.0, .bandwidth = 1e30};
}

}  // namespace

TEST_CASE("one rank sends nothing, and takes what was measured") {
    const StepPrediction step = predict_step(cube(), some_times(), free_network(), {});
    CHECK(step.traffic.positions.messages == 0.0);
    CHECK(step.traffic.mesh_halo.bytes == 0.0);
    CHECK(step.traffic.transposes.bytes == 0.0);
    CHECK(step.traffic.reductions == 0.0);
    CHECK(step.communication() == 0.0);
    CHECK(step.total == Approx(100000 * (2e-7 + 1e-8 + 2e-8 + 3e-8 + 5e-8) + 1e6 * 1e-8));
    CHECK(step.ns_per_day(0.002) == Approx(86400.0 / step.total * 2e-6));
}

TEST_CASE("two ranks exchange one face there and back") {
    const ExpectedTraffic traffic = expected_traffic(cube(), {.ranks_per_node = 2});
    // 10 x 10 x 1.4 nm^3 with 100 atoms each, one message.
    CHECK(traffic.home_atoms == Approx(50000.0));
    CHECK(traffic.halo_atoms == Approx(14000.0));
    CHECK(traffic.positions.messages == Approx(1.0));
    CHECK(traffic.positions.bytes == Approx(14000 * 24.0));
    CHECK(traffic.forces.bytes == Approx(14000 * 24.0));
    CHECK(traffic.positions.between_nodes == 0.0);
    // Each half of the spectrum (51 x 100 x 100 complex numbers of 8 bytes) sends half of itself, there and back.
    CHECK(traffic.transposes.messages == Approx(2.0));
    CHECK(traffic.transposes.bytes == Approx(2.0 * 51 * 100 * 100 * 8 / 2 / 2));
    // 100 x 100 nodes in 50 planes; 0.1 nm of overhang, one node each side, and the order of 4 make it some 55, of
    // which the other rank transforms 5; potentials of as many come back.
    CHECK(traffic.mesh_halo.messages == Approx(2.0));
    CHECK(traffic.mesh_halo.bytes == Approx(2.0 * 100 * 100 * 5 * 4).epsilon(0.25));
}

TEST_CASE("a node holds a run of ranks, so that along z first nothing leaves it") {
    CHECK(share_between_nodes({4, 4, 4}, 64) == std::array{0.0, 0.0, 0.0});
    CHECK(share_between_nodes({4, 4, 4}, 16) == std::array{1.0, 0.0, 0.0});
    CHECK(share_between_nodes({4, 4, 4}, 8) == std::array{1.0, 0.5, 0.0});
    CHECK(share_between_nodes({4, 4, 4}, 1) == std::array{1.0, 1.0, 1.0});
    const ExpectedTraffic apart = expected_traffic(cube(), {.nodes = 2, .ranks_per_node = 1});
    CHECK(apart.positions.between_nodes == Approx(1.0));
}

TEST_CASE("what a message costs depends on where it goes") {
    const Workload work = [] {
        Workload w = cube();
        w.mesh.reset();
        return w;
    }();
    const CoreTimes nothing{};
    Cluster slow = free_network();
    slow.latency = 1e-3;
    slow.bandwidth = 1e9;
    // One message of 336,000 bytes there and one back, at 1 ms and 1 GB/s; agreement: one round.
    const StepPrediction apart = predict_step(work, nothing, slow, {.nodes = 2, .ranks_per_node = 1});
    CHECK(apart.halo == Approx(2 * (1e-3 + 336000 / 1e9)));
    CHECK(apart.agreement == Approx(1e-3));
    // 1 x 2 x 4 regions: two messages each way, with 100 atoms for each of 35 + 70 + 15.394 nm^3.
    const StepPrediction eight = predict_step(work, nothing, slow, {.nodes = 8, .ranks_per_node = 1});
    CHECK(eight.halo == Approx(2 * (2e-3 + 24 * 12039.4 / 1e9)).epsilon(1e-5));
    CHECK(eight.agreement == Approx(3e-3));
    const StepPrediction together = predict_step(work, nothing, slow, {.nodes = 1, .ranks_per_node = 2});
    CHECK(together.halo == Approx(2 * (node_latency + 336000 / node_bandwidth)));
}

TEST_CASE("threads divide all but what is serial") {
    CHECK(thread_speedup(1, 0.3) == Approx(1.0));
    CHECK(thread_speedup(4, 0.0) == Approx(4.0));
    CHECK(thread_speedup(4, 0.1) == Approx(1.0 / (0.1 + 0.9 / 4)));
    CHECK(serial_share(10.0, 5.0, 2) == Approx(0.0));
    CHECK(serial_share(10.0, 5.5, 2) == Approx(0.1));
    CHECK(serial_share(10.0, 12.0, 2) == Approx(1.0));
    CoreTimes core = some_times();
    const StepPrediction one = predict_step(cube(), core, free_network(), {});
    CHECK(predict_step(cube(), core, free_network(), {.threads = 4}).total == Approx(one.total / 4));
    core = {.device = 1e-7};
    CHECK(predict_step(cube(), core, free_network(), {.threads = 4}).total == Approx(1e-7 * 100000));
}

TEST_CASE("ranks of the mesh work beside the others") {
    const CoreTimes core{.pairs = 1e-6, .mesh_point = 1e-8};
    const Layout layout{.ranks_per_node = 10, .threads = 1, .mesh_ranks = 2};
    const StepPrediction step = predict_step(cube(), core, free_network(), layout);
    // 12,500 atoms take 12.5 ms for pairs, 500,000 points 5 ms: hidden.
    CHECK(step.mesh == 0.0);
    CHECK(step.mesh_data == 0.0);
    CHECK(step.pairs > 12.5e-3);
    // A mesh that takes longer is waited for: 50 ms.
    const CoreTimes slow{.pairs = 1e-6, .mesh_point = 1e-7};
    CHECK(predict_step(cube(), slow, free_network(), layout).total == Approx(50e-3).epsilon(0.03));
}

TEST_CASE("ranks that no region is made for do nothing, and the plan says how many there are") {
    // A rod of 300 atoms: regions are not made thinner than 0.25 nm, and a message costs more than some atoms.
    Workload work = cube();
    work.atoms = 300;
    work.cell = Box::rectangular(1.0, 1.0, 3.0);
    work.list_radius = 1.3;
    work.mesh = MeshWork{{10, 10, 30}, 4, 4};
    const CoreTimes core{.pairs = 1e-6, .mesh_point = 1e-6};
    const Layout layout{.ranks_per_node = 64};
    const int regions = regions_of(region_grid(work, layout));
    REQUIRE(regions > 1);
    REQUIRE(regions < 64);
    const StepPrediction step = predict_step(work, core, free_network(), layout);
    CHECK(step.traffic.regions == regions);
    CHECK(step.traffic.mesh_solvers <= regions);
    CHECK(step.mesh == Approx(1e-6 * 3000 / step.traffic.mesh_solvers));
    PlanRequest request{.nodes = {1}, .cluster = free_network()};
    request.cluster.cores_per_node = 64;
    work.mesh_ranks = 0;
    Calibration calibration;
    calibration.core = core;
    const std::vector<NodePlan> plans = make_plans(work, calibration, request, 1);
    const nlohmann::ordered_json json = to_json({work, calibration, request, plans, {}});
    CHECK(json["plans"][0]["idle_ranks"] == 64 - regions);
    const std::vector<std::string> text = plan_text(json);
    const std::string note = "note: of 64 ranks " + std::to_string(64 - regions) + " would be idle";
    CHECK(std::any_of(text.begin(), text.end(), [&](const auto& line) { return line.rfind(note, 0) == 0; }));
}

TEST_CASE("parts of a step become times of an atom and of a point") {
    const MeasuredStep step{.total = 0.1, .pairs = 0.05, .device = 0.0, .bonded = 0.01, .search = 0.01, .mesh = 0.02};
    const CoreTimes core = core_times(cube(), step, 1e-8);
    CHECK(core.pairs == Approx(5e-7));
    CHECK(core.mesh_atom == Approx(1e-7));
    CHECK(core.update == Approx(1e-7));
    CHECK(time_of_mesh_point(0.02, 1e6, 0.05, 4e6) == Approx(1e-8));
    CHECK(time_of_mesh_point(0.02, 1e6, 0.01, 4e6) == 0.0);
    CHECK(time_of_mesh_point(0.02, 1e6, 1.0, 4e6) == Approx(2e-8));
}

TEST_CASE("the largest of many regions of a liquid has a few more atoms") {
    CHECK(expected_imbalance(1000, 1) == 1.0);
    CHECK(expected_imbalance(1000, 64) == Approx(1.0 + std::sqrt(2 * std::log(64.0)) * std::sqrt(0.18 / 1000)));
}

TEST_CASE("memory is what atoms, halo and mesh take, and the first rank has to read the input") {
    Workload work = cube();
    work.mesh.reset();
    const MemoryCosts costs{.fixed = 1e6, .local_atom = 1000, .reading = 100};
    const MemoryUse one = predict_memory(work, costs, {});
    CHECK(one.rank == Approx(1e6 + 1e8));
    CHECK(one.node == Approx(one.rank));
    const MemoryUse two = predict_memory(work, costs, {.ranks_per_node = 2});
    CHECK(two.rank == Approx(1e6 + mpi_bytes + 1000 * 64000.0));
    CHECK(two.node == Approx(2 * two.rank));
    const MemoryUse many = predict_memory(work, {.fixed = 0, .local_atom = 10, .reading = 1000}, {.ranks_per_node = 4});
    CHECK(many.first_rank == Approx(mpi_bytes + 1e8));
    CHECK(many.node == Approx(many.first_rank + 3 * many.rank));
    CHECK(mesh_bytes({{10, 10, 10}, 4, 4}) == Approx(4.0 * (1000 + 3 * 600)));
}

TEST_CASE("layouts fill the cores of a node, and threads can be given") {
    Workload work = cube();
    work.mesh.reset();
    const Cluster cluster{.cores_per_node = 6};
    const auto all = candidate_layouts(cluster, 2, 0, work);
    REQUIRE(all.size() == 4);
    for (const Layout& layout : all) CHECK(layout.ranks_per_node * layout.threads == 6);
    const auto given = candidate_layouts({.cores_per_node = 64}, 1, 1, work);
    REQUIRE(given.size() == 1);
    CHECK(given.front().ranks_per_node == 64);
    const auto devices = candidate_layouts({.cores_per_node = 64, .gpus_per_node = 4}, 2, 0, work);
    REQUIRE(devices.size() == 1);
    CHECK(devices.front().ranks_per_node == 4);
    CHECK(devices.front().threads == 16);
}

TEST_CASE("separate ranks for the mesh are tried from eight ranks on") {
    bool separate = false;
    for (const Layout& layout : candidate_layouts({.cores_per_node = 4}, 1, 1, cube()))
        separate |= layout.mesh_ranks > 0;
    CHECK_FALSE(separate);
    for (const Layout& layout : candidate_layouts({.cores_per_node = 8}, 1, 1, cube())) {
        separate |= layout.mesh_ranks > 0;
        CHECK(layout.particle_ranks() > 0);
    }
    CHECK(separate);
}

TEST_CASE("the fastest plan that uses its nodes well is recommended, with what it costs") {
    PlanRequest request{.nodes = {1, 2, 64}, .cluster = free_network()};
    request.cluster.latency = 1e-3;
    request.cluster.bandwidth = 12e9;
    request.cluster.price = 2.0;
    request.cluster.watts = 500.0;
    Calibration calibration;
    calibration.core = {.pairs = 1e-5};
    Workload work = cube();
    work.mesh.reset();
    const std::vector<NodePlan> plans = make_plans(work, calibration, request, 1);
    CHECK(plans[1].scaling > least_scaling);
    CHECK(plans[2].efficiency < plans[1].efficiency);
    CHECK(plans[0].efficiency <= Approx(1.0));
    CHECK(plans[1].efficiency / plans[0].efficiency == Approx(plans[1].scaling));
    PlanRequest one_core = request;
    one_core.cluster.cores_per_node = 1;
    CHECK(make_plans(work, calibration, one_core, 1)[0].efficiency == Approx(1.0));
    const nlohmann::ordered_json json = to_json({work, calibration, request, plans, {}});
    const double hours = 24.0 / json["plans"][0]["ns_per_day"].get<double>();
    CHECK(json["plans"][0]["cost_per_ns"].get<double>() == Approx(2.0 * hours));
    CHECK(json["plans"][0]["kwh_per_ns"].get<double>() == Approx(0.5 * hours));
    CHECK(json["plans"].size() == 3);
    CHECK(plan_text(json).size() >= 7);
}
