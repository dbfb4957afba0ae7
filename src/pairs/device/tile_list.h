// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pairs/pair_lists.h"

namespace mdsim {

/// A cluster and some of those near it: the work of one tile of a device. Ranges are into the arrays of the list; the
/// entries before masked_end have masks, from `masks` on. Trivial, since devices keep it in shared memory.
struct TileRow {
    std::uint32_t cluster;
    std::uint32_t begin, masked_end, end;
    std::uint32_t masks;
};

/// Most entries of a row.
inline constexpr std::uint32_t tile_row_entries = 64;

/// The outer list as devices want it: whole pairs of clusters in three flat arrays, cut into rows of nearly equal
/// length. Through which image a pair meets is of no interest there.
struct TileList {
    std::vector<TileRow> rows;
    std::vector<std::uint32_t> entries;  ///< clusters
    std::vector<std::uint64_t> masks;    ///< bit 8 * place in the row's cluster + place in the entry's
    std::uint32_t most_additions = 0;    ///< rows and entries that any one cluster has a part in
};

/// Of the outer list of one set.
void make_tile_list(const PairLists& lists, PairSet set, TileList& list);

}  // namespace mdsim
