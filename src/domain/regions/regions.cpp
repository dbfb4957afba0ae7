// SPDX-License-Identifier: Apache-2.0
#include "domain/regions/regions.h"

#include <algorithm>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr std::int64_t whole = std::int64_t{1} << 32;

std::int64_t along(const LatticePoint& p, std::size_t axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

}  // namespace

Regions::Regions(Cell grid) : grid_(grid) {
    for (std::size_t a = 0; a < 3; ++a) {
        MDSIM_EXPECT(grid[a] > 0);
        for (int k = 0; k <= grid[a]; ++k) planes_[a].push_back(whole * k / grid[a]);
    }
}

unsigned Regions::split_axes() const {
    unsigned axes = 0;
    for (unsigned a = 0; a < 3; ++a) axes |= grid_[a] > 1 ? 1u << a : 0u;
    return axes;
}

Regions::Cell Regions::cell_of(int rank) const {
    return {rank / (grid_[1] * grid_[2]), rank / grid_[2] % grid_[1], rank % grid_[2]};
}

int Regions::neighbour(int rank, std::size_t axis, int steps) const {
    Cell cell = cell_of(rank);
    cell[axis] = ((cell[axis] + steps) % grid_[axis] + grid_[axis]) % grid_[axis];
    return rank_of(cell);
}

int Regions::rank_at(const LatticePoint& point) const {
    Cell cell{};
    for (std::size_t a = 0; a < 3; ++a) {
        const auto& planes = planes_[a];
        const auto above = std::upper_bound(planes.begin() + 1, planes.end() - 1, along(point, a));
        cell[a] = static_cast<int>(above - planes.begin()) - 1;
    }
    return rank_of(cell);
}

void Regions::set_planes(std::size_t axis, std::vector<std::int64_t> planes) {
    MDSIM_EXPECT(planes.size() == planes_[axis].size() && planes.front() == 0 && planes.back() == whole);
    MDSIM_EXPECT(std::is_sorted(planes.begin(), planes.end()));
    planes_[axis] = std::move(planes);
}

Vec3l Regions::place(const LatticePoint& point, const Cell& cell) const {
    Vec3l place{};
    for (std::size_t a = 0; a < 3; ++a) {
        const auto c = static_cast<std::size_t>(cell[a]);
        const std::int64_t middle = (planes_[a][c] + planes_[a][c + 1]) / 2;
        const auto offset =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(along(point, a)) - static_cast<std::uint32_t>(middle));
        place[static_cast<int>(a)] = grid_[a] > 1 ? middle + offset : along(point, a);
    }
    return place;
}

}  // namespace mdsim
