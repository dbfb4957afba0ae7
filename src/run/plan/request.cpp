// SPDX-License-Identifier: Apache-2.0
#include "run/plan/request.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "run/bench/launcher.h"

namespace mdsim {

namespace {

/// A name of a unit and what it is in the unit that mdsim computes in.
using Units = std::vector<std::pair<std::string, double>>;

const Units times{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}};  // [s]
const Units rates{{"B/s", 1.0},   {"kB/s", 1e3},       {"MB/s", 1e6},      {"GB/s", 1e9},
                  {"TB/s", 1e12}, {"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8}};  // [bytes/s]

struct Written {
    double number = 0.0;
    std::string unit;
    bool whole = false;  ///< a number above zero stands first
};

Written parse(const std::string& text) {
    Written written;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, written.number);
    written.whole = error == std::errc() && written.number > 0.0 && written.number < 1e300;
    written.unit.assign(rest, end);
    written.unit.erase(0, written.unit.find_first_not_of(' '));
    return written;
}

void refuse(Problems& problems, const char* option, const std::string& text, const std::string& example) {
    problems.add({.code = "MD116",
                  .place = {option},
                  .what = fmt::format("\"{}\" is no number above zero with its unit", text),
                  .remedy = fmt::format("as in {} \"{}\"", option, example)});
}

void take_quantity(double& value, const char* option, const std::string& text, const Units& units,
                   const std::string& example, Problems& problems) {
    if (text.empty()) return;
    const Written written = parse(text);
    for (const auto& [name, factor] : units) {
        if (!written.whole || written.unit != name) continue;
        value = written.number * factor;
        return;
    }
    refuse(problems, option, text, example);
}

void take_price(Cluster& cluster, const std::string& text, Problems& problems) {
    if (text.empty()) return;
    const Written written = parse(text);
    if (!written.whole || written.unit.empty()) return refuse(problems, "--price", text, "1.20 EUR");
    cluster.price = written.number;
    cluster.currency = written.unit;
}

void take_watts(Cluster& cluster, const std::string& text, Problems& problems) {
    if (text.empty()) return;
    const Written written = parse(text);
    if (!written.whole || (written.unit != "W" && written.unit != "kW"))
        return refuse(problems, "--watts", text, "800 W");
    cluster.watts = written.number * (written.unit == "kW" ? 1e3 : 1.0);
}

// A layout of more would not fit the numbers that count ranks, and no machine has as many.
void refuse_too_many_cores(const PlanRequest& request, Problems& problems) {
    for (const int nodes : request.nodes) {
        const std::int64_t cores = std::int64_t{nodes} * request.cluster.cores_per_node;
        if (cores <= most_cores) continue;
        return problems.add({.code = "MD116",
                             .place = {"--nodes"},
                             .what = fmt::format("{} nodes of {} cores are {} cores, and plans are made for up to {}",
                                                 nodes, request.cluster.cores_per_node, cores, most_cores),
                             .remedy = "fewer nodes, or the cores of a node with --cores-per-node"});
    }
}

}  // namespace

PlanRequest parse_request(const PlanTexts& texts, int cores_here) {
    Problems problems;
    PlanRequest request;
    try {
        request.nodes = parse_counts(texts.nodes, "--nodes");
    } catch (const Error& error) {
        for (const Problem& problem : error.problems()) problems.add(problem);
    }
    Cluster& cluster = request.cluster;
    cluster.cores_per_node = texts.cores_per_node > 0 ? texts.cores_per_node : cores_here;
    cluster.gpus_per_node = texts.gpus_per_node;
    take_quantity(cluster.latency, "--latency", texts.latency, times, "2 us", problems);
    take_quantity(cluster.bandwidth, "--bandwidth", texts.bandwidth, rates, "12 GB/s", problems);
    take_price(cluster, texts.price, problems);
    take_watts(cluster, texts.watts, problems);
    if (cluster.gpus_per_node > cluster.cores_per_node) {
        problems.add({.code = "MD116",
                      .place = {"--gpus-per-node"},
                      .what = fmt::format("{} GPUs and {} cores: each GPU needs a core", cluster.gpus_per_node,
                                          cluster.cores_per_node),
                      .remedy = "give the cores of a node with --cores-per-node"});
    }
    refuse_too_many_cores(request, problems);
    problems.throw_if_any();
    return request;
}

}  // namespace mdsim
