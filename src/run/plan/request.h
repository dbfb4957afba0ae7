// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mdsim {

/// A machine of equal nodes and the network between them. Defaults: what a current cluster has.
struct Cluster {
    int cores_per_node = 1;
    int gpus_per_node = 0;
    double latency = 2e-6;        ///< of a message between nodes [s]
    double bandwidth = 12e9;      ///< of a node's connection, each way [bytes/s]
    std::optional<double> price;  ///< of a node for an hour, in `currency`
    std::string currency;         ///< as written
    std::optional<double> watts;  ///< of a node
};

/// What `mdsim plan` is asked for, as written on the command line; empty or 0: not given.
struct PlanTexts {
    std::string nodes = "1";
    int cores_per_node = 0, gpus_per_node = 0;
    std::string latency, bandwidth, price, watts;
};

struct PlanRequest {
    std::vector<int> nodes;
    Cluster cluster;
};

/// Cores of all nodes together that a plan is made for.
inline constexpr std::int64_t most_cores = 1'000'000;

/// Input error (MD116) with all that is wrong together. cores_here: taken where cores_per_node is not given.
PlanRequest parse_request(const PlanTexts& texts, int cores_here);

}  // namespace mdsim
