// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "forces/device/device_atoms.h"
#include "forces/short_range/lj_combination.h"
#include "forces/short_range/short_range.h"
#include "gpu/kernels/pair_forces.h"
#include "gpu/kernels/pair_list/point_moves.h"
#include "pairs/device/tile_list.h"
#include "pairs/pair_lists.h"

namespace mdsim {

/// Short-range pairs on a device: its part of the pair list, which the host searches and the device prunes, and the
/// pair kernel.
class DevicePairs {
  public:
    /// Who finds out when the list is due for pruning: the host, which on one rank knows all positions, or the device,
    /// where several ranks compute and the host does not know those of the halo.
    enum class Watching { by_host, by_device };

    DevicePairs(const gpu::Device& device, const ShortRangeSystem& system, PairListSettings lists, Watching watching);

    /// Other atoms.
    void assign(const LocalSystem& system);
    /// Whether the list could lack a pair at these positions.
    bool expired(const Evaluation& evaluation) const;
    /// Brings the list up to date, by a search where nothing was needed. True where there are new clusters.
    bool rebuild(const Evaluation& evaluation, gpu::Stream& stream);
    const PairLists& lists() const { return lists_; }
    const Clusters& clusters() const { return lists_.clusters(); }
    int high_shift() const { return args_.high_shift; }

    struct Run {
        const Box& cell;  ///< of the lattice
        const DeviceSums& sums;
        bool everything = false;  ///< energies and virial too
    };
    /// Puts into the stream: pruning where it is due, and the pairs of home atoms.
    void launch_home(const Run& run, gpu::Stream& stream);
    /// Those with atoms of the halo; launch_home has come before.
    void launch_halo(const Run& run, gpu::Stream& stream);
    /// After the stream has come by both launches with everything.
    void report(Need energies, EnergySums& to) const;

  private:
    /// The pairs of one set on the device.
    struct OnDevice {
        explicit OnDevice(const gpu::Device& device);

        TileList outer;
        unsigned row_count = 0, atoms = 0;
        std::optional<Box> pruned_cell;  // none: pruning is due
        gpu::Buffer<TileRow> rows, kept_rows;
        gpu::Buffer<std::uint32_t> entries, kept_entries;
        gpu::Buffer<std::uint64_t> masks, kept_masks;
        gpu::Buffer<LatticePoint> pruned_points;  // where the device watches
        gpu::Buffer<std::uint32_t> largest_move;  // likewise; [1]
    };

    NonbondedSettings settings_;
    std::vector<int> types_;
    std::vector<double> charges_;  // scaled
    LjCombination lj_;
    PairLists lists_;
    Watching watching_;
    kernels::PairForcesArgs args_;

    OnDevice home_, halo_;
    gpu::Buffer<kernels::ClusterParameters> parameters_;
    gpu::Buffer<kernels::PairTypes> pair_types_;
    gpu::Buffer<kernels::PairSums> sums_;
    gpu::PinnedBuffer<kernels::PairSums> sums_down_;

    void upload(OnDevice& to, PairSet set, gpu::Stream& stream);
    void upload_lists(gpu::Stream& stream);
    kernels::MoveLimit find_moves(OnDevice& set, const Run& run, gpu::Stream& stream);
    void prune(OnDevice& set, const Run& run, gpu::Stream& stream);
    void launch(OnDevice& set, const Run& run, gpu::Stream& stream);
};

}  // namespace mdsim
