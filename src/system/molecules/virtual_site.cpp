// SPDX-License-Identifier: Apache-2.0
#include "system/molecules/virtual_site.h"

#include <map>

namespace mdsim {

// Kahn's algorithm: a site is due once all of its parents that are sites have been put.
int put_in_order(std::vector<VirtualSite>& sites) {
    std::map<int, std::size_t> entry;  // of a site
    for (std::size_t n = 0; n < sites.size(); ++n) {
        if (!entry.try_emplace(sites[n].i, n).second) return sites[n].i;
    }
    std::vector<std::vector<std::size_t>> children(sites.size());
    std::vector<std::size_t> open(sites.size(), 0), due;
    for (std::size_t n = 0; n < sites.size(); ++n) {
        for (const int parent : sites[n].parents) {
            const auto of_parent = entry.find(parent);
            if (of_parent == entry.end()) continue;
            children[of_parent->second].push_back(n);
            ++open[n];
        }
        if (open[n] == 0) due.push_back(n);
    }
    for (std::size_t k = 0; k < due.size(); ++k) {
        for (const std::size_t child : children[due[k]]) {
            if (--open[child] == 0) due.push_back(child);
        }
    }
    for (std::size_t n = 0; n < sites.size(); ++n) {
        if (open[n] > 0) return sites[n].i;
    }
    std::vector<VirtualSite> ordered;
    for (const std::size_t n : due) ordered.push_back(sites[n]);
    sites = std::move(ordered);
    return -1;
}

}  // namespace mdsim
