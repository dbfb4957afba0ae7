// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/vec3.h"
#include "integrate/minimise/wide_dot.h"

namespace mdsim {

/// The last few steps and changes of force, from which L-BFGS makes its directions (Liu & Nocedal 1989, section 2; the
/// two loops are algorithm 7.4 of Nocedal & Wright, Numerical Optimization, 2nd ed.). All sums are order-free
/// and over all ranks, which call `add` and `apply` together.
class History {
  public:
    static constexpr std::size_t most = 6;

    void clear() { size_ = 0; }
    bool empty() const { return size_ == 0; }
    /// Positions and forces of home atoms at a point.
    struct Visited {
        std::span<const Vec3d> x;  ///< [nm]
        std::span<const Vec3d> f;  ///< [kJ/mol/nm]
    };
    /// Remembers the step between two points and the change of force. Pairs without positive curvature are left out.
    void add(const Visited& before, const Visited& now, const Comm& comm);
    /// direction = H f, H the approximate inverse of the Hessian. Not for an empty history.
    void apply(std::span<const Vec3d> f, std::vector<Vec3d>& direction, const Comm& comm) const;

  private:
    struct Pair {
        std::vector<Vec3d> step, change;
        double inverse_curvature = 0.0;  // 1 / step.change
        double scale = 0.0;              // step.change / change.change
    };
    std::vector<Pair> pairs_;  // a ring, the newest at newest_
    std::size_t size_ = 0, newest_ = 0;

    const Pair& pair(std::size_t age) const { return pairs_[(newest_ + most - age) % most]; }
};

}  // namespace mdsim
