// SPDX-License-Identifier: Apache-2.0
#include "run/bench/rank_report.h"

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

// Two ranks, ten steps in a second: 0.6 s and 0.2 s in pairs, 0.1 s and 0.5 s waiting.
std::vector<RankTimes> two_ranks() {
    std::vector<RankTimes> ranks(2);
    const auto set = [&](std::size_t rank, Part part, double seconds) {
        ranks[rank].parts[static_cast<std::size_t>(part)] = seconds;
    };
    for (RankTimes& rank : ranks) rank.seconds = 1.0;
    set(0, Part::short_range, 0.6);
    set(1, Part::short_range, 0.2);
    set(0, Part::communication, 0.1);
    set(1, Part::communication, 0.5);
    set(0, Part::search, 1e-5);
    for (std::size_t r = 0; r < 2; ++r) {
        TrafficCounts counts;
        counts[Traffic::halo_positions] = {.messages = 20, .bytes = r == 0 ? 1000 : 3000};
        counts.reductions = 10;
        ranks[r].sent = counts;
        ranks[r].home_atoms = r == 0 ? 60 : 40;
        ranks[r].peak_resident = 100;
    }
    return ranks;
}

}  // namespace

TEST_CASE("a report of ranks has means, the largest over the mean, and what a rank sends in a step") {
    const nlohmann::ordered_json report = report_of(two_ranks(), 10);
    CHECK(report["parts"]["short_range"].get<double>() == Approx(40.0));
    CHECK(report["imbalance"]["short_range"].get<double>() == Approx(1.5));
    CHECK(report["imbalance"]["work"].get<double>() == Approx(1.5).epsilon(1e-4));
    CHECK(report["communication"]["share"].get<double>() == Approx(0.3));
    CHECK(report["communication"]["largest"].get<double>() == Approx(0.5));
    CHECK(report["traffic"]["halo_positions"]["messages"].get<double>() == Approx(2.0));
    CHECK(report["traffic"]["halo_positions"]["bytes"].get<double>() == Approx(200.0));
    CHECK(report["traffic"]["halo_positions"]["bytes_largest"].get<double>() == Approx(300.0));
    CHECK(report["traffic"]["reductions"].get<double>() == Approx(1.0));
    CHECK(report["home_atoms"] == nlohmann::ordered_json({60, 40}));
}

TEST_CASE("a part that hardly takes time has no imbalance, and none is 1") {
    const nlohmann::ordered_json report = report_of(two_ranks(), 10);
    CHECK_FALSE(report["imbalance"].contains("search"));
    CHECK_FALSE(report["imbalance"].contains("mesh"));
    CHECK(imbalance(std::vector<double>{}) == 1.0);
    CHECK(imbalance(std::vector{0.0, 0.0}) == 1.0);
}

TEST_CASE("the table of one rank does not speak of others") {
    const auto has = [](const std::vector<std::string>& lines, const char* word) {
        for (const std::string& line : lines) {
            if (line.find(word) != std::string::npos) return true;
        }
        return false;
    };
    const std::vector<RankTimes> ranks = two_ranks();
    CHECK(has(table_of(report_of(ranks, 10)), "halo_positions"));
    CHECK_FALSE(has(table_of(report_of(ranks, 10)), "mesh_halo"));
    CHECK_FALSE(has(table_of(report_of(std::span(ranks).first(1), 10)), "halo_positions"));
}

TEST_CASE("what was sent is the difference of two counts") {
    TrafficCounts before, now;
    before[Traffic::output] = {.messages = 1, .bytes = 10};
    now[Traffic::output] = {.messages = 4, .bytes = 50};
    now.reductions = 7;
    const TrafficCounts sent = now - before;
    CHECK(sent[Traffic::output].messages == 3);
    CHECK(sent[Traffic::output].bytes == 40);
    CHECK(sent.reductions == 7);
}
