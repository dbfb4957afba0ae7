// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/host/executor.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gpu/api/host/block.h"
#include "parallel/threads.h"

namespace mdsim::gpu::executor {

namespace {

std::vector<unsigned> order_of_blocks(const HostSettings& settings, std::uint64_t number, unsigned blocks) {
    std::vector<unsigned> order(blocks);
    std::iota(order.begin(), order.end(), 0u);
    if (settings.order == ThreadOrder::forward) return order;
    Shuffler shuffler(settings.seed, ~number);
    for (std::size_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[shuffler.below(i)]);
    return order;
}

}  // namespace

void run(const HostSettings& settings, std::uint64_t number, const Grid& grid, const std::function<void()>& kernel) {
    if (grid.threads == 0 || grid.threads % 32 != 0 || grid.threads > most_threads) {
        throw Fault("blocks of " + std::to_string(grid.threads) + " threads");
    }
    const std::vector<unsigned> order = order_of_blocks(settings, number, grid.blocks);
    parallel_ranges(grid.blocks, [&](int, std::size_t begin, std::size_t end) {
        static thread_local std::unique_ptr<Block> block;
        for (std::size_t i = begin; i < end; ++i) {
            if (!block || !block->fits(settings)) block = std::make_unique<Block>(settings);
            if (block->run(settings, number, order[i], grid, kernel)) continue;
            throw Fault("block " + std::to_string(order[i]) + ": " + block->fault());
        }
    });
}

}  // namespace mdsim::gpu::executor
