// SPDX-License-Identifier: Apache-2.0
#include "run/plan/report/plan_report.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Sent& sent) {
    return {{"messages", sent.messages}, {"bytes", sent.bytes}, {"between_nodes", sent.between_nodes}};
}

Json to_json(const ExpectedTraffic& traffic) {
    return {{"home_atoms", traffic.home_atoms},
            {"halo_atoms", traffic.halo_atoms},
            {"halo_positions", to_json(traffic.positions)},
            {"halo_forces", to_json(traffic.forces)},
            {"mesh_halo", to_json(traffic.mesh_halo)},
            {"mesh_transpose", to_json(traffic.transposes)},
            {"reductions", traffic.reductions}};
}

Json parts_of(const StepPrediction& step) {
    return {{"short_range", 1e3 * step.pairs},
            {"mesh", 1e3 * step.mesh},
            {"bonded", 1e3 * step.bonded},
            {"search", 1e3 * step.search},
            {"update", 1e3 * step.update},
            {"halo", 1e3 * step.halo},
            {"mesh_communication", 1e3 * step.mesh_data},
            {"agreement", 1e3 * step.agreement},
            {"waiting", 1e3 * step.waiting}};
}

void add_costs(Json& json, const NodePlan& plan, const Cluster& cluster, double ns_per_day) {
    const double node_hours = 24.0 * plan.layout.nodes / ns_per_day;
    json["node_hours_per_ns"] = node_hours;
    if (cluster.price) json["cost_per_ns"] = *cluster.price * node_hours;
    if (cluster.watts) json["kwh_per_ns"] = 1e-3 * *cluster.watts * node_hours;
}

Json to_json(const NodePlan& plan, const PlanReport& report) {
    const Layout& layout = plan.layout;
    const double ns_per_day = plan.step.ns_per_day(report.work.timestep);
    Json json{
        {"nodes", layout.nodes},
        {"ranks", layout.ranks()},
        {"ranks_per_node", layout.ranks_per_node},
        {"threads", layout.threads},
        {"mesh_ranks", layout.mesh_ranks},
        {"gpus_per_node", layout.gpus_per_node},
        {"grid", plan.grid},
        {"idle_ranks", layout.particle_ranks() - regions_of(plan.grid)},
        {"ms_per_step", 1e3 * plan.step.total},
        {"ns_per_day", ns_per_day},
        {"efficiency", plan.efficiency},
        {"scaling", plan.scaling},
        {"parts", parts_of(plan.step)},
        {"communication", plan.step.communication() / plan.step.total},
        {"traffic", to_json(plan.step.traffic)},
        {"memory", {{"rank", plan.memory.rank}, {"first_rank", plan.memory.first_rank}, {"node", plan.memory.node}}}};
    add_costs(json, plan, report.request.cluster, ns_per_day);
    return json;
}

Json to_json(const Calibration& calibration, const Workload& work) {
    const CoreTimes& core = calibration.core;
    return {{"ms_per_step", calibration.ms_per_step},
            {"steps", calibration.steps},
            {"threads", calibration.threads},
            {"device", calibration.device},
            {"reach", work.reach()},
            {"seconds",
             {{"pairs", core.pairs},
              {"device", core.device},
              {"bonded", core.bonded},
              {"update", core.update},
              {"search", core.search},
              {"mesh_atom", core.mesh_atom},
              {"mesh_point", core.mesh_point},
              {"halo_atom", core.halo_atom}}},
            {"serial_share", core.serial},
            {"serial_share_measured", calibration.serial_believed}};
}

std::string row(const Json& plan) {
    std::string text = fmt::format(
        "{:>5}  {:>5}  {:>7}  {:>10}  {:>9.3f}  {:>9.2f}  {:>10.2f}  {:>13.1f} %  {:>9.0f}", plan["nodes"].get<int>(),
        plan["ranks"].get<int>(), plan["threads"].get<int>(), plan["mesh_ranks"].get<int>(),
        plan["ms_per_step"].get<double>(), plan["ns_per_day"].get<double>(), plan["efficiency"].get<double>(),
        100.0 * plan["communication"].get<double>(), 1e-6 * plan["memory"]["node"].get<double>());
    if (plan.contains("cost_per_ns")) text += fmt::format("  {:>9.4g}", plan["cost_per_ns"].get<double>());
    if (plan.contains("kwh_per_ns")) text += fmt::format("  {:>9.4g}", plan["kwh_per_ns"].get<double>());
    return text;
}

std::string heading(const Json& report) {
    std::string text = "nodes  ranks  threads  mesh ranks    ms/step     ns/day  efficiency  communication  MB a node";
    const Json& first = report["plans"][0];
    if (first.contains("cost_per_ns"))
        text += fmt::format("  {:>9}", report["cluster"]["currency"].get<std::string>() + "/ns");
    if (first.contains("kwh_per_ns")) text += "     kWh/ns";
    return text;
}

std::string advice(const Json& report) {
    const Json& plan = report["plans"][report["recommended"].get<std::size_t>()];
    std::string text = fmt::format("recommended: {} node{}, {} rank{} each, {} thread{} a rank",
                                   plan["nodes"].get<int>(), plan["nodes"] == 1 ? "" : "s",
                                   plan["ranks_per_node"].get<int>(), plan["ranks_per_node"] == 1 ? "" : "s",
                                   plan["threads"].get<int>(), plan["threads"] == 1 ? "" : "s");
    if (plan["mesh_ranks"] > 0)
        text += fmt::format(", {} of the {} ranks for the mesh alone", plan["mesh_ranks"].get<int>(),
                            plan["ranks"].get<int>());
    if (plan["gpus_per_node"] > 0) text += fmt::format(", {} GPUs a node", plan["gpus_per_node"].get<int>());
    return text + fmt::format(" ({:.2f} ns/day, efficiency {:.2f})", plan["ns_per_day"].get<double>(),
                              plan["efficiency"].get<double>());
}

// More ranks than regions that are of use.
std::vector<std::string> idle_ranks(const Json& report) {
    std::vector<std::string> lines;
    for (const Json& plan : report["plans"]) {
        const int idle = plan["idle_ranks"].get<int>(), ranks = plan["ranks"].get<int>();
        if (idle == 0) continue;
        const auto grid = plan["grid"].get<RankGrid>();
        lines.push_back(
            fmt::format("note: of {} ranks {} would be idle: no more than {} x {} x {} regions make a step "
                        "shorter; more threads a rank may",
                        ranks, idle, grid[0], grid[1], grid[2]));
    }
    return lines;
}

std::vector<std::string> assumptions(const Json& report) {
    const Json& calibration = report["calibration"];
    const Json& cluster = report["cluster"];
    std::vector<std::string> lines{
        fmt::format(
            "{} atoms; measured here: {:.3f} ms/step with one thread; threads do not divide {:.1f} % of the work",
            report["atoms"].get<std::int64_t>(), calibration["ms_per_step"].get<double>(),
            100.0 * calibration["serial_share"].get<double>()),
        fmt::format("assumed: nodes of {} cores like these, {:.2f} us and {:.1f} GB/s between nodes",
                    cluster["cores_per_node"].get<int>(), 1e6 * cluster["latency"].get<double>(),
                    1e-9 * cluster["bandwidth"].get<double>())};
    const bool devices = cluster["gpus_per_node"] > 0;
    std::string said = fmt::format("efficiency: against one {}, predicted", devices ? "GPU" : "core");
    if (cluster.contains("price"))
        said += fmt::format("; a node costs {} {} an hour", cluster["price"].get<double>(),
                            cluster["currency"].get<std::string>());
    if (cluster.contains("watts")) said += fmt::format("; a node takes {} W", cluster["watts"].get<double>());
    lines.push_back(std::move(said));
    if (!calibration["serial_share_measured"].get<bool>())
        lines.emplace_back(
            "note: how threads divide the work was assumed, not measured: one thread, or a busy machine");
    if (devices && calibration["device"] == "")
        lines.emplace_back("note: no GPU here: the times are of the CPUs alone; run mdsim plan where there is one");
    return lines;
}

double efficiency_of(const NodePlan& plan, const Workload& work, const CoreTimes& core, const Cluster& cluster) {
    const Layout& layout = plan.layout;
    const bool devices = layout.gpus_per_node > 0;
    const Layout one{.threads = devices ? layout.threads : 1, .gpus_per_node = devices ? 1 : 0};
    const int units = layout.ranks() * (devices ? 1 : layout.threads);
    return predict_step(work, core, cluster, one).total / (plan.step.total * units);
}

}  // namespace

std::vector<NodePlan> make_plans(const Workload& work, const Calibration& calibration, const PlanRequest& request,
                                 int threads) {
    std::vector<NodePlan> plans;
    for (const int nodes : request.nodes) {
        NodePlan best;
        for (const Layout& layout : candidate_layouts(request.cluster, nodes, threads, work)) {
            const StepPrediction step = predict_step(work, calibration.core, request.cluster, layout);
            if (best.step.total > 0.0 && step.total >= best.step.total) continue;
            best.layout = layout;
            best.step = step;
        }
        best.grid = region_grid(work, best.layout);
        best.memory = predict_memory(work, calibration.memory, best.layout);
        plans.push_back(best);
    }
    const NodePlan first = plans.front();
    for (NodePlan& plan : plans) {
        plan.efficiency = efficiency_of(plan, work, calibration.core, request.cluster);
        plan.scaling = first.step.total * first.layout.nodes / (plan.step.total * plan.layout.nodes);
    }
    return plans;
}

std::size_t recommended(const std::vector<NodePlan>& plans) {
    std::size_t best = 0;
    for (std::size_t n = 0; n < plans.size(); ++n) {
        if (plans[n].scaling >= least_scaling && plans[n].step.total < plans[best].step.total) best = n;
    }
    return best;
}

Json to_json(const PlanReport& report) {
    const Cluster& cluster = report.request.cluster;
    Json json{{"atoms", report.work.atoms},
              {"timestep", report.work.timestep},
              {"calibration", to_json(report.calibration, report.work)},
              {"cluster",
               {{"cores_per_node", cluster.cores_per_node},
                {"gpus_per_node", cluster.gpus_per_node},
                {"latency", cluster.latency},
                {"bandwidth", cluster.bandwidth},
                {"currency", cluster.currency}}}};
    if (cluster.price) json["cluster"]["price"] = *cluster.price;
    if (cluster.watts) json["cluster"]["watts"] = *cluster.watts;
    for (const NodePlan& plan : report.plans) json["plans"].push_back(to_json(plan, report));
    json["recommended"] = recommended(report.plans);
    json["disk"] = {
        {"outputs", report.disk.outputs}, {"checkpoints", report.disk.checkpoints}, {"per_ns", report.disk.per_ns}};
    json["error"] = {{"relative", expected_error}, {"up_to_ranks", expected_error_ranks}};
    return json;
}

std::vector<std::string> plan_text(const Json& report) {
    std::vector<std::string> lines = assumptions(report);
    lines.push_back(heading(report));
    for (const Json& plan : report["plans"]) lines.push_back(row(plan));
    for (std::string& line : idle_ranks(report)) lines.push_back(std::move(line));
    lines.push_back(advice(report));
    const auto megabytes = [&](const char* key) { return 1e-6 * report["disk"][key].get<double>(); };
    lines.push_back(
        fmt::format("disk: {:.1f} MB of outputs for the stages of this input, {:.1f} MB of checkpoints; "
                    "{:.1f} MB for a nanosecond",
                    megabytes("outputs"), megabytes("checkpoints"), megabytes("per_ns")));
    lines.push_back(
        fmt::format("error: expected below {:.0f} % for up to {} ranks on one machine, more between nodes, "
                    "where nothing was measured (docs/scaling.md)",
                    100.0 * report["error"]["relative"].get<double>(), report["error"]["up_to_ranks"].get<int>()));
    return lines;
}

}  // namespace mdsim
