// SPDX-License-Identifier: Apache-2.0
#include "forces/bonded/cmap_surface.h"

#include <numbers>

#include "core/error.h"

namespace mdsim::bonded {

namespace {

// The slopes d of a periodic cubic spline through values y, per step: d[i-1] + 4 d[i] + d[i+1] = 3 (y[i+1] - y[i-1]).
// The inverse of that matrix is known: with z = sqrt(3) - 2 its entries at distance k round the circle of n are (z^k +
// z^(n-k)) / (2 sqrt(3) (1 - z^n)).
std::vector<double> inverse_of_spline(std::size_t n) {
    constexpr double root3 = std::numbers::sqrt3, z = root3 - 2.0;
    std::vector<double> power(n + 1, 1.0);
    for (std::size_t k = 1; k <= n; ++k) power[k] = power[k - 1] * z;
    std::vector<double> inverse(n);
    for (std::size_t k = 0; k < n; ++k) inverse[k] = (power[k] + power[n - k]) / (2.0 * root3 * (1.0 - power[n]));
    return inverse;
}

/// Writes one member of nodes as the slopes of another one.
class SplineSlopes {
  public:
    explicit SplineSlopes(std::size_t n) : n_(n), inverse_(inverse_of_spline(n)) {}

    using Member = double physics::CmapNode::*;
    /// Of the n nodes from the first one on, each `stride` after the one before.
    void take(physics::CmapNode* first, std::size_t stride, Member from, Member to) const {
        const auto y = [&](std::size_t i) { return first[i % n_ * stride].*from; };
        for (std::size_t i = 0; i < n_; ++i) {
            double slope = 0.0;
            for (std::size_t k = 0; k < n_; ++k) slope += inverse_[k] * (y(i + k + 1) - y(i + k + n_ - 1));
            first[i * stride].*to = 3.0 * slope;
        }
    }

  private:
    std::size_t n_;
    std::vector<double> inverse_;
};

struct Cell {
    int low, high;
    double t;
};

Cell cell_of(double angle, int size) {
    const double steps = (angle + std::numbers::pi) * (0.5 * std::numbers::inv_pi) * size;
    const int low = static_cast<int>(steps);
    // An angle of pi lies at the end of the last cell, which is the begin of the first.
    return {low % size, (low + 1) % size, steps - low};
}

}  // namespace

CmapSurface::CmapSurface(const CmapGrid& grid)
    : size_(grid.size), nodes_(static_cast<std::size_t>(grid.size) * static_cast<std::size_t>(grid.size)) {
    MDSIM_EXPECT(grid.size > 0 && grid.energy.size() == nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].value = grid.energy[i];
    using Node = physics::CmapNode;
    const auto n = static_cast<std::size_t>(size_);
    const SplineSlopes slopes(n);
    for (std::size_t i = 0; i < n; ++i) slopes.take(&nodes_[i * n], 1, &Node::value, &Node::along_second);
    for (std::size_t i = 0; i < n; ++i) {
        slopes.take(&nodes_[i], n, &Node::value, &Node::along_first);
        slopes.take(&nodes_[i], n, &Node::along_second, &Node::mixed);
    }
}

physics::CmapResult CmapSurface::at(double first, double second) const {
    const Cell a = cell_of(first, size_), b = cell_of(second, size_);
    physics::CmapResult result =
        physics::bicubic(node(a.low, b.low), node(a.high, b.low), node(a.low, b.high), node(a.high, b.high), a.t, b.t);
    const double per_radian = size_ * (0.5 * std::numbers::inv_pi);
    result.along_first *= per_radian;
    result.along_second *= per_radian;
    return result;
}

}  // namespace mdsim::bonded
