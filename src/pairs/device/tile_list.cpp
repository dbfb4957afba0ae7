// SPDX-License-Identifier: Apache-2.0
#include "pairs/device/tile_list.h"

#include <algorithm>

#include "parallel/threads.h"

namespace mdsim {

namespace {

// A device takes four entries at a time.
constexpr std::uint32_t entries_at_a_time = 4;

// The entries from `begin` on, of which the first `masked` have the masks at the end of the list.
void cut_into_rows(std::uint32_t cluster, std::uint32_t begin, std::uint32_t masked, TileList& list) {
    const auto end = static_cast<std::uint32_t>(list.entries.size());
    const std::uint32_t masked_end = begin + masked;
    auto masks = static_cast<std::uint32_t>(list.masks.size()) - masked;
    const std::uint32_t rows = (end - begin + tile_row_entries - 1) / tile_row_entries;
    if (rows == 0) return;
    const std::uint32_t share = (end - begin + rows - 1) / rows;
    const std::uint32_t length = (share + entries_at_a_time - 1) / entries_at_a_time * entries_at_a_time;
    for (std::uint32_t first = begin; first < end; first += length) {
        const std::uint32_t last = std::min(end, first + length);
        const std::uint32_t masked_last = std::clamp(masked_end, first, last);
        list.rows.push_back({cluster, first, masked_last, last, masks});
        masks += masked_last - first;
    }
}

// The rows of one chunk; ranges are into its own arrays.
void flatten(const OuterChunk& chunk, TileList& list) {
    for (auto row = chunk.rows.begin(); row != chunk.rows.end();) {
        // Rows of one cluster stand together, one for each image.
        const auto last =
            std::find_if(row, chunk.rows.end(), [&](const OuterRow& r) { return r.cluster != row->cluster; });
        const auto begin = static_cast<std::uint32_t>(list.entries.size());
        for (auto r = row; r != last; ++r) {
            for (std::uint32_t k = r->masked_begin; k < r->masked_end; ++k) {
                list.entries.push_back(chunk.masked[k].cluster);
                list.masks.push_back(chunk.masked[k].mask);
            }
        }
        const auto masked = static_cast<std::uint32_t>(list.entries.size()) - begin;
        for (auto r = row; r != last; ++r) {
            list.entries.insert(list.entries.end(), chunk.plain.begin() + r->begin, chunk.plain.begin() + r->end);
        }
        cut_into_rows(row->cluster, begin, masked, list);
        row = last;
    }
}

// Puts the arrays of parts behind each other.
void join(std::span<const TileList> parts, TileList& list) {
    std::vector<std::size_t> rows{0}, entries{0}, masks{0};
    for (const TileList& part : parts) {
        rows.push_back(rows.back() + part.rows.size());
        entries.push_back(entries.back() + part.entries.size());
        masks.push_back(masks.back() + part.masks.size());
    }
    list.rows.resize(rows.back());
    list.entries.resize(entries.back());
    list.masks.resize(masks.back());
    parallel_ranges(parts.size(), [&](int, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) {
            const auto entry = static_cast<std::uint32_t>(entries[p]), mask = static_cast<std::uint32_t>(masks[p]);
            std::copy(parts[p].entries.begin(), parts[p].entries.end(), list.entries.data() + entry);
            std::copy(parts[p].masks.begin(), parts[p].masks.end(), list.masks.data() + mask);
            std::transform(parts[p].rows.begin(), parts[p].rows.end(), list.rows.data() + rows[p], [&](TileRow r) {
                return TileRow{r.cluster, r.begin + entry, r.masked_end + entry, r.end + entry, r.masks + mask};
            });
        }
    });
}

// Each thread counts in one part.
std::uint32_t most_additions(std::size_t clusters, std::span<const TileList> parts) {
    std::vector<std::vector<std::uint32_t>> counts(parts.size());
    parallel_ranges(parts.size(), [&](int, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) {
            counts[p].assign(clusters, 0);
            for (const TileRow& row : parts[p].rows) ++counts[p][row.cluster];
            for (const std::uint32_t cluster : parts[p].entries) ++counts[p][cluster];
        }
    });
    std::vector<std::uint32_t> most(parts.size(), 0);  // of each thread
    parallel_ranges(clusters, 1024, [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            std::uint32_t sum = 0;
            for (const auto& of_part : counts) sum += of_part[c];
            std::uint32_t& largest = most[static_cast<std::size_t>(thread)];
            largest = std::max(largest, sum);
        }
    });
    return *std::max_element(most.begin(), most.end());
}

}  // namespace

void make_tile_list(const PairLists& lists, PairSet set, TileList& list) {
    std::vector<TileList> parts(static_cast<std::size_t>(thread_count()));
    const std::vector<OuterChunk>& outer = lists.list(set).outer;
    parallel_ranges(outer.size(), [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) flatten(outer[c], parts[static_cast<std::size_t>(thread)]);
    });
    join(parts, list);
    list.most_additions = most_additions(lists.clusters().size(), parts);
}

}  // namespace mdsim
