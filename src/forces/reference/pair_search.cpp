// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/pair_search.h"

#include <algorithm>
#include <cmath>

namespace mdsim {

PairSearch::PairSearch(const Box& box, std::span<const Vec3d> x, double cutoff) {
    if (!box.periodic() || cutoff <= 0.0) return;
    const Vec3d heights = box.heights();
    for (int a = 0; a < 3; ++a) cells_[a] = std::min(64, static_cast<int>(heights[a] / cutoff));
    // With three cells a side the 27 neighbours are all different.
    if (cells_.x < 3 || cells_.y < 3 || cells_.z < 3) return;
    cells_in_use_ = true;
    members_.resize(static_cast<std::size_t>(cells_.x) * static_cast<std::size_t>(cells_.y) *
                    static_cast<std::size_t>(cells_.z));
    cell_of_.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3d s = box.to_fractional(x[i]);
        Cell cell;
        for (int a = 0; a < 3; ++a) {
            cell[a] = std::min(static_cast<int>((s[a] - std::floor(s[a])) * cells_[a]), cells_[a] - 1);
        }
        cell_of_.push_back(cell);
        members_[index(cell)].push_back(static_cast<int>(i));
    }
}

std::size_t PairSearch::index(Cell cell) const {
    for (int a = 0; a < 3; ++a) {
        if (cell[a] < 0) cell[a] += cells_[a];
        if (cell[a] >= cells_[a]) cell[a] -= cells_[a];
    }
    return static_cast<std::size_t>((cell.z * cells_.y + cell.y) * cells_.x + cell.x);
}

}  // namespace mdsim
