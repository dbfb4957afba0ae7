// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/placement.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include "io_output/temporary_folder.h"
#include "run/hardware/node_topology.h"

using namespace mdsim;

namespace {

using Places = std::vector<Locality>;
using Deal = std::vector<std::size_t>;

// NUMA nodes of a machine with two of them in a package.
Locality node(int n) {
    return {{n}, {n / 2}};
}

int total(const Places& ranks, const Places& devices, const Deal& deal) {
    int sum = 0;
    for (std::size_t r = 0; r < ranks.size(); ++r) sum += distance(ranks[r], devices[deal[r]]);
    return sum;
}

bool is_even(const Deal& deal, std::size_t devices) {
    std::vector<std::size_t> load(devices);
    for (const std::size_t d : deal) ++load[d];
    return *std::max_element(load.begin(), load.end()) - *std::min_element(load.begin(), load.end()) <= 1;
}

// The least sum of distances of all even deals.
int best_total(const Places& ranks, const Places& devices) {
    int best = 1 << 20;
    Deal deal(ranks.size(), 0);
    for (;;) {
        if (is_even(deal, devices.size())) best = std::min(best, total(ranks, devices, deal));
        std::size_t r = 0;
        while (r < deal.size() && ++deal[r] == devices.size()) deal[r++] = 0;
        if (r == deal.size()) return best;
    }
}

}  // namespace

TEST_CASE("distances of cores and devices", "[hardware]") {
    CHECK(distance(node(0), node(0)) == 0);
    CHECK(distance(node(0), node(1)) == 1);
    CHECK(distance(node(1), node(2)) == 2);
    CHECK(distance({{0, 1, 2, 3}, {0, 1}}, node(2)) == 0);
    CHECK(distance({}, node(2)) == 0);
}

TEST_CASE("devices are dealt by local rank where nothing else is known", "[hardware]") {
    CHECK(deal_devices(Places(5), Places(2)) == Deal{0, 1, 0, 1, 0});
    CHECK(deal_devices(Places(2), Places(4)) == Deal{0, 1});
    CHECK(deal_devices(Places(3), Places(1)) == Deal{0, 0, 0});
    CHECK(deal_devices(Places(2), Places{node(3), node(0)}) == Deal{0, 1});
}

TEST_CASE("ranks get the devices near to their cores", "[hardware]") {
    const Places four{node(0), node(0), node(3), node(3)};
    // Ranks bound in blocks, in turn, and against the order of the devices.
    CHECK(deal_devices(Places{node(0), node(0), node(3), node(3)}, four) == Deal{0, 1, 2, 3});
    const Places in_turn{node(0), node(3), node(0), node(3)};
    CHECK(total(in_turn, four, deal_devices(in_turn, four)) == 0);
    CHECK(deal_devices(Places{node(3), node(0)}, Places{node(0), node(3)}) == Deal{1, 0});
    const Places eight{node(0), node(0), node(0), node(0), node(3), node(3), node(3), node(3)};
    const Deal deal = deal_devices(eight, four);
    CHECK(total(eight, four, deal) == 0);
    CHECK(is_even(deal, 4));
    // One rank alone takes the nearest, not the first.
    CHECK(deal_devices(Places{node(2)}, Places{node(0), node(3), node(2)}) == Deal{2});
    // Who may run anywhere leaves the near device to who may not.
    CHECK(deal_devices(Places{{}, node(0)}, Places{node(0), node(3)}) == Deal{1, 0});
    // No device stays idle for the sake of nearness.
    CHECK(is_even(deal_devices(Places(4, node(0)), four), 4));
}

TEST_CASE("no even deal is nearer, for all machines that were tried", "[hardware]") {
    std::mt19937 random(11);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int n = 0; n < 300; ++n) {
        Places ranks(1 + below(6)), devices(1 + below(4));
        for (Locality& place : ranks) place = below(8) == 0 ? Locality{} : node(static_cast<int>(below(4)));
        for (Locality& place : devices) place = node(static_cast<int>(below(4)));
        const Deal deal = deal_devices(ranks, devices);
        CHECK(is_even(deal, devices.size()));
        CHECK(total(ranks, devices, deal) == best_total(ranks, devices));
    }
}

TEST_CASE("cores and devices of a machine that hwloc makes up", "[hardware]") {
    const TemporaryFolder folder;
    const auto add_device = [&](const std::string& pci, const std::string& mask) {
        std::filesystem::create_directories(folder.path() / pci);
        std::ofstream(folder.path() / pci / "local_cpus") << mask << "\n";
    };
    add_device("0000:1b:00.0", "000000f0");
    add_device("0000:c1:00.0", "0000ff00");
    // Two packages of two NUMA nodes of four cores.
    const NodeTopology machine("pack:2 group:2 [numa] core:4 pu:1", folder.path());
    const Locality near = machine.of_device("0000:1B:00.0");
    CHECK(near.nodes == std::vector<int>{1});
    CHECK(near.packages == std::vector<int>{0});
    CHECK(machine.of_device("0000:c1:00.0").nodes == std::vector<int>{2, 3});
    CHECK(machine.of_device("0000:ff:00.0").nodes.empty());
    CHECK(machine.of_cores("0-3").nodes == std::vector<int>{0});
    CHECK(machine.of_cores("2,9-11").packages == std::vector<int>{0, 1});
    CHECK(machine.of_cores("100").nodes.empty());
    CHECK(distance(machine.of_cores("0-3"), near) == 1);
    CHECK(distance(machine.of_cores("12-15"), near) == 2);
    CHECK(machine.of_cores("").nodes.empty());
}

TEST_CASE("this machine has cores and NUMA nodes", "[hardware]") {
    const NodeTopology machine;
    const std::string cores = machine.cores();
    REQUIRE(!cores.empty());
    CHECK(!machine.of_cores(cores).nodes.empty());
    CHECK(NodeTopology::as_list({0, 1, 2, 5}) == "0-2,5");
    const NodeTopology broken("no such machine", {});
    CHECK(broken.cores().empty());
    CHECK(broken.of_device("0000:00:00.0").nodes.empty());
}

TEST_CASE("the table of placements is aligned", "[hardware]") {
    const std::vector<PlacementRow> rows{{0, "node7", "0-7", "8", "0", "0 NVIDIA H200, sm_90", "GPU-1"},
                                         {1, "node7", "8-15", "4", "", "", ""}};
    CHECK(placement_table(rows) ==
          std::vector<std::string>{"  rank  host   device                uuid   cores  threads  NUMA nodes",
                                   "  0     node7  0 NVIDIA H200, sm_90  GPU-1  0-7    8        0",
                                   "  1     node7  -                     -      8-15   4        -"});
}
