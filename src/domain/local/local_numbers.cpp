// SPDX-License-Identifier: Apache-2.0
#include "domain/local/local_numbers.h"

#include <bit>

#include "core/error.h"

namespace mdsim {

void LocalNumbers::assign(std::span<const std::int64_t> ids) {
    ids_ = ids;
    const std::size_t size = std::bit_ceil(2 * ids.size() + 2);
    shift_ = 64 - std::countr_zero(size);
    table_.assign(size, -1);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::size_t at = start(ids[n]);
        for (; table_[at] >= 0; at = (at + 1) & (size - 1)) {
            MDSIM_EXPECT(ids[static_cast<std::size_t>(table_[at])] != ids[n]);
        }
        table_[at] = static_cast<int>(n);
    }
}

int LocalNumbers::find(std::int64_t id) const {
    for (std::size_t at = start(id);; at = (at + 1) & (table_.size() - 1)) {
        const int n = table_[at];
        if (n < 0 || ids_[static_cast<std::size_t>(n)] == id) return n;
    }
}

}  // namespace mdsim
