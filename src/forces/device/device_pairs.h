// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "forces/device/device_atoms.h"
#include "forces/short_range/lj_combination.h"
#include "forces/short_range/short_range.h"
#include "gpu/kernels/pair_forces.h"
#include "pairs/device/tile_list.h"
#include "pairs/pair_lists.h"

namespace mdsim {

/// Short-range pairs on a device: its part of the pair list, which the host searches and the device prunes, and the
/// pair kernel.
class DevicePairs {
  public:
    DevicePairs(const gpu::Device& device, const ShortRangeSystem& system, PairListSettings lists);

    /// Whether the list could lack a pair at these positions.
    bool expired(const Evaluation& evaluation) const;
    /// Brings the list up to date, by a search where nothing was needed. True where there are new clusters.
    bool rebuild(const Evaluation& evaluation, gpu::Stream& stream);
    const Clusters& clusters() const { return lists_.clusters(); }
    int high_shift() const { return args_.high_shift; }

    /// Puts into the stream: pruning where it is due, and the pairs. `everything`: energies and virial too.
    void launch(const Evaluation& evaluation, const DeviceSums& sums, bool everything, gpu::Stream& stream);
    /// After the stream has come by a launch with everything.
    void report(Need energies, EnergySums& to) const;

  private:
    std::vector<int> types_;
    std::vector<double> charges_;  // scaled
    LjCombination lj_;
    PairLists lists_;
    TileList outer_;
    bool pruning_due_ = false;
    kernels::PairForcesArgs args_;
    kernels::TilePairs outer_pairs_;

    gpu::Buffer<TileRow> rows_, kept_rows_;
    gpu::Buffer<std::uint32_t> entries_, kept_entries_;
    gpu::Buffer<std::uint64_t> masks_, kept_masks_;
    gpu::Buffer<kernels::ClusterParameters> parameters_;
    gpu::Buffer<kernels::PairTypes> pair_types_;
    gpu::Buffer<kernels::PairSums> sums_;
    gpu::PinnedBuffer<kernels::PairSums> sums_down_;

    void upload_list(gpu::Stream& stream);
    void prune(const DeviceSums& sums, gpu::Stream& stream);
};

}  // namespace mdsim
