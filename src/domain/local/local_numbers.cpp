// SPDX-License-Identifier: Apache-2.0
#include "domain/local/local_numbers.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

namespace mdsim {

void LocalNumbers::assign(std::span<const std::int64_t> ids, std::size_t sorted) {
    ids_ = ids;
    sorted_ = sorted;
    const std::size_t size = std::bit_ceil(2 * (ids.size() - sorted) + 2);
    shift_ = 64 - std::countr_zero(size);
    table_.assign(size, -1);
    for (std::size_t n = sorted; n < ids.size(); ++n) {
        std::size_t at = start(ids[n]);
        for (; table_[at] >= 0; at = (at + 1) & (size - 1)) {
            MDSIM_EXPECT(ids[static_cast<std::size_t>(table_[at])] != ids[n]);
        }
        table_[at] = static_cast<int>(n);
    }
}

int LocalNumbers::find(std::int64_t id) const {
    const auto sorted = ids_.first(sorted_);
    const auto at_home = std::lower_bound(sorted.begin(), sorted.end(), id);
    if (at_home != sorted.end() && *at_home == id) return static_cast<int>(at_home - sorted.begin());
    for (std::size_t at = start(id);; at = (at + 1) & (table_.size() - 1)) {
        const int n = table_[at];
        if (n < 0 || ids_[static_cast<std::size_t>(n)] == id) return n;
    }
}

}  // namespace mdsim
