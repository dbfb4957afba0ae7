// SPDX-License-Identifier: Apache-2.0
#include "run/bench/rank_report.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace mdsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr double least_share = 1e-3;

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double largest(std::span<const double> values) {
    return *std::max_element(values.begin(), values.end());
}

/// f(rank) of each.
template <class F>
std::vector<double> of_each(std::span<const RankTimes> ranks, F&& f) {
    std::vector<double> values;
    for (const RankTimes& rank : ranks) values.push_back(static_cast<double>(f(rank)));
    return values;
}

std::vector<double> times_of(std::span<const RankTimes> ranks, Part part) {
    return of_each(ranks, [&](const RankTimes& r) { return r.parts[static_cast<std::size_t>(part)]; });
}

double work_of(const RankTimes& rank) {
    double sum = 0.0;
    for (int p = 0; p < static_cast<int>(Part::count); ++p) {
        if (!is_communication(static_cast<Part>(p))) sum += rank.parts[static_cast<std::size_t>(p)];
    }
    return sum;
}

void add_parts(Json& report, std::span<const RankTimes> ranks, double steps) {
    const double seconds = mean(of_each(ranks, [](const RankTimes& r) { return r.seconds; }));
    Json unequal = Json::object();
    for (int p = 0; p < static_cast<int>(Part::count); ++p) {
        const Part part = static_cast<Part>(p);
        const std::vector<double> times = times_of(ranks, part);
        report["parts"][std::string(name_of(part))] = 1e3 * mean(times) / steps;
        if (largest(times) > least_share * seconds) unequal[std::string(name_of(part))] = imbalance(times);
    }
    unequal["work"] = imbalance(of_each(ranks, work_of));
    report["imbalance"] = unequal;
    const std::vector<double> shares = of_each(ranks, [](const RankTimes& r) {
        return r.seconds > 0.0 ? r.parts[static_cast<std::size_t>(Part::communication)] / r.seconds : 0.0;
    });
    report["communication"] = {{"share", mean(shares)}, {"largest", largest(shares)}};
}

Json traffic_of(std::span<const RankTimes> ranks, double steps) {
    Json traffic = Json::object();
    for (int k = 0; k < static_cast<int>(Traffic::count); ++k) {
        const Traffic kind = static_cast<Traffic>(k);
        const std::vector<double> messages = of_each(ranks, [&](const RankTimes& r) { return r.sent[kind].messages; });
        const std::vector<double> bytes = of_each(ranks, [&](const RankTimes& r) { return r.sent[kind].bytes; });
        traffic[std::string(name_of(kind))] = {{"messages", mean(messages) / steps},
                                               {"messages_largest", largest(messages) / steps},
                                               {"bytes", mean(bytes) / steps},
                                               {"bytes_largest", largest(bytes) / steps}};
    }
    traffic["reductions"] = largest(of_each(ranks, [](const RankTimes& r) { return r.sent.reductions; })) / steps;
    return traffic;
}

void add_ranks_lines(std::vector<std::string>& lines, const Json& report) {
    const Json& communication = report["communication"];
    lines.push_back(
        fmt::format("  communication {:.1f} % of the step (most of any rank: {:.1f} %); all "
                    "else on the slowest rank {:.3f} times the mean",
                    100.0 * communication["share"].get<double>(), 100.0 * communication["largest"].get<double>(),
                    report["imbalance"]["work"].get<double>()));
    lines.emplace_back("  sent by a rank in a step:  messages (most)         kB (most)");
    for (const auto& [kind, sent] : report["traffic"].items()) {
        if (!sent.is_object() || sent["messages_largest"].get<double>() == 0.0) continue;
        lines.push_back(fmt::format("  {:<24}  {:>9.2f} ({:.2f})  {:>11.3f} ({:.3f})", kind,
                                    sent["messages"].get<double>(), sent["messages_largest"].get<double>(),
                                    1e-3 * sent["bytes"].get<double>(), 1e-3 * sent["bytes_largest"].get<double>()));
    }
    lines.push_back(fmt::format("  reductions over all ranks {:>9.2f}", report["traffic"]["reductions"].get<double>()));
}

}  // namespace

TrafficCounts operator-(const TrafficCounts& now, const TrafficCounts& before) {
    TrafficCounts difference = now;
    for (std::size_t k = 0; k < difference.sent.size(); ++k) {
        difference.sent[k].messages -= before.sent[k].messages;
        difference.sent[k].bytes -= before.sent[k].bytes;
    }
    difference.reductions -= before.reductions;
    return difference;
}

double imbalance(std::span<const double> values) {
    const double average = values.empty() ? 0.0 : mean(values);
    return average > 0.0 ? largest(values) / average : 1.0;
}

Json report_of(std::span<const RankTimes> ranks, std::int64_t steps) {
    Json report;
    add_parts(report, ranks, static_cast<double>(steps));
    report["traffic"] = traffic_of(ranks, static_cast<double>(steps));
    for (const RankTimes& rank : ranks) {
        report["memory"]["resident"].push_back(rank.resident);
        report["memory"]["peak"].push_back(rank.peak_resident);
        report["home_atoms"].push_back(rank.home_atoms);
    }
    return report;
}

std::vector<std::string> table_of(const Json& report) {
    const bool alone = report["home_atoms"].size() == 1;
    std::vector<std::string> lines;
    for (const auto& [name, value] : report["parts"].items()) {
        std::string line = fmt::format("  {:<14}{:>9.3f} ms", name, value.get<double>());
        if (!alone && report["imbalance"].contains(name))
            line += fmt::format(", slowest rank {:.3f} times that", report["imbalance"][name].get<double>());
        lines.push_back(line);
    }
    if (!alone) add_ranks_lines(lines, report);
    return lines;
}

}  // namespace mdsim
