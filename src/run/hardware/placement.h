// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mdsim {

/// Where cores or a device are in a machine: NUMA nodes and packages, by number. Empty: not known, near everything.
struct Locality {
    std::vector<int> nodes, packages;
};

/// 0 on one NUMA node, 1 in one package, 2 otherwise.
int distance(const Locality& a, const Locality& b);

/// For each local rank the place of its device in `devices`. Each device gets as many ranks as any other, or one more.
/// Of such deals it is one with the least sum of distances; where they do not matter, device r mod n for rank r. At
/// least one device.
std::vector<std::size_t> deal_devices(std::span<const Locality> ranks, std::span<const Locality> devices);

/// One line of the table in the log.
struct PlacementRow {
    int rank = 0;
    std::string host, cores, threads, nodes, device, uuid;
};
std::vector<std::string> placement_table(std::span<const PlacementRow> rows);

}  // namespace mdsim
