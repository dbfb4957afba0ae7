// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/node_topology.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <hwloc.h>
#include <hwloc/linux.h>

#include "parallel/threads.h"

namespace mdsim {

namespace {

/// A set of hwloc's.
class Bits {
  public:
    Bits() : bits_(hwloc_bitmap_alloc()) {}
    explicit Bits(const std::string& list) : Bits() { hwloc_bitmap_list_sscanf(bits_, list.c_str()); }
    Bits(const Bits&) = delete;
    Bits& operator=(const Bits&) = delete;
    ~Bits() { hwloc_bitmap_free(bits_); }

    hwloc_bitmap_t get() const { return bits_; }
    std::string list() const {
        char* text = nullptr;
        if (hwloc_bitmap_list_asprintf(&text, bits_) < 0) return {};
        std::string copy = text;
        std::free(text);
        return copy;
    }
    std::vector<int> numbers() const {
        std::vector<int> all;
        for (int n = hwloc_bitmap_first(bits_); n >= 0; n = hwloc_bitmap_next(bits_, n)) all.push_back(n);
        return all;
    }

  private:
    hwloc_bitmap_t bits_;
};

Locality locality_of(hwloc_topology_t topology, const Bits& cores) {
    Locality found;
    Bits inside, nodes;
    hwloc_bitmap_and(inside.get(), cores.get(), hwloc_topology_get_topology_cpuset(topology));
    hwloc_cpuset_to_nodeset(topology, inside.get(), nodes.get());
    found.nodes = nodes.numbers();
    for (hwloc_obj_t package = nullptr;
         (package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, package)) != nullptr;) {
        if (hwloc_bitmap_intersects(package->cpuset, inside.get()) != 0)
            found.packages.push_back(static_cast<int>(package->logical_index));
    }
    return found;
}

}  // namespace

void NodeTopology::Destroy::operator()(hwloc_topology* topology) const {
    hwloc_topology_destroy(topology);
}

NodeTopology::NodeTopology() : devices_("/sys/bus/pci/devices") {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return;
    topology_.reset(topology);
    load();
}

NodeTopology::NodeTopology(const std::string& synthetic, std::filesystem::path devices) : devices_(std::move(devices)) {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return;
    topology_.reset(topology);
    if (hwloc_topology_set_synthetic(topology, synthetic.c_str()) == 0) {
        load();
    } else {
        topology_.reset();
    }
}

// With the cores that this process may not use, since a device may be near to those. Not by asking each core for its
// properties (x86), which would move this thread from one to the next.
void NodeTopology::load() {
    hwloc_topology_set_flags(topology_.get(), HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_set_components(topology_.get(), HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    if (hwloc_topology_load(topology_.get()) != 0) topology_.reset();
}

// Each thread says what it may use: with OMP_PROC_BIND that is a part of what the process may.
std::string NodeTopology::cores() const {
    if (!topology_) return {};
    std::vector<Bits> of_thread(static_cast<std::size_t>(thread_count()));
    parallel_ranges(of_thread.size(), [&](int thread, std::size_t, std::size_t) {
        hwloc_get_cpubind(topology_.get(), of_thread[static_cast<std::size_t>(thread)].get(), HWLOC_CPUBIND_THREAD);
    });
    const Bits all;
    for (const Bits& bits : of_thread) hwloc_bitmap_or(all.get(), all.get(), bits.get());
    return all.list();
}

Locality NodeTopology::of_cores(const std::string& list) const {
    return topology_ ? locality_of(topology_.get(), Bits(list)) : Locality{};
}

// Linux knows which cores are near to a device of PCI; hwloc/cudart.h and hwloc/rsmi.h ask in the same way.
Locality NodeTopology::of_device(const std::string& pci) const {
    std::string name = pci;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const Bits cores;
    const std::filesystem::path file = devices_ / name / "local_cpus";
    if (!topology_ || hwloc_linux_read_path_as_cpumask(file.c_str(), cores.get()) != 0) return {};
    return locality_of(topology_.get(), cores);
}

std::string NodeTopology::as_list(const std::vector<int>& numbers) {
    const Bits bits;
    for (const int n : numbers) hwloc_bitmap_set(bits.get(), static_cast<unsigned>(n));
    return bits.list();
}

}  // namespace mdsim
