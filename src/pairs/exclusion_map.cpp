// SPDX-License-Identifier: Apache-2.0
#include "pairs/exclusion_map.h"

namespace mdsim {

ExclusionMap::ExclusionMap(std::size_t atoms, std::span<const Exclusion> pairs)
    : first_(atoms + 1, 0), partners_(2 * pairs.size()) {
    for (const Exclusion& e : pairs) {
        ++first_[static_cast<std::size_t>(e.i) + 1];
        ++first_[static_cast<std::size_t>(e.j) + 1];
    }
    for (std::size_t i = 0; i < atoms; ++i) first_[i + 1] += first_[i];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const Exclusion& e : pairs) {
        partners_[next[static_cast<std::size_t>(e.i)]++] = static_cast<std::uint32_t>(e.j);
        partners_[next[static_cast<std::size_t>(e.j)]++] = static_cast<std::uint32_t>(e.i);
    }
}

}  // namespace mdsim
