// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "run/hardware/placement.h"

struct hwloc_topology;

namespace mdsim {

/// NUMA nodes and packages of this machine, by hwloc. What it does not know is an empty text or Locality.
class NodeTopology {
  public:
    /// This machine.
    NodeTopology();
    /// A machine that hwloc makes up ("pack:2 numa:2 core:4 pu:1"), with this in the place of /sys/bus/pci/devices.
    NodeTopology(const std::string& synthetic, std::filesystem::path devices);

    /// Cores that the threads of this process may use: "0-7,16".
    std::string cores() const;
    Locality of_cores(const std::string& list) const;
    /// pci: "0000:1b:00.0".
    Locality of_device(const std::string& pci) const;
    /// The numbers in such a form: "0-1".
    static std::string as_list(const std::vector<int>& numbers);

  private:
    struct Destroy {
        void operator()(hwloc_topology* topology) const;
    };
    std::unique_ptr<hwloc_topology, Destroy> topology_;  ///< null where hwloc fails
    std::filesystem::path devices_;

    void load();
};

}  // namespace mdsim
