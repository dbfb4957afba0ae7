// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// Atoms sorted into cells, to find all pairs within a cutoff without looking at every pair. Readable rather than fast.
class PairSearch {
  public:
    /// cutoff [nm]; zero or less, or a cell with less than three cells a side, or vacuum: every pair is a candidate.
    PairSearch(const Box& box, std::span<const Vec3d> x, double cutoff);

    /// Calls f(j) for every j < i that may be within the cutoff of i, each once.
    template <class F>
    void for_each_candidate(int i, F&& f) const {
        if (!cells_in_use_) {
            for (int j = 0; j < i; ++j) f(j);
            return;
        }
        const Cell own = cell_of_[static_cast<std::size_t>(i)];
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    for (const int j : members_[index({own.x + dx, own.y + dy, own.z + dz})]) {
                        if (j < i) f(j);
                    }
                }
            }
        }
    }

  private:
    using Cell = Vec3<int>;
    std::size_t index(Cell cell) const;

    bool cells_in_use_ = false;
    Cell cells_{1, 1, 1};                    ///< along each box vector
    std::vector<Cell> cell_of_;              ///< extent: atoms
    std::vector<std::vector<int>> members_;  ///< extent: cells
};

}  // namespace mdsim
