// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/history.h"

#include <array>

#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// a += s b
void add_scaled(std::span<Vec3d> a, double s, std::span<const Vec3d> b) {
    parallel_ranges(a.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) a[i] += s * b[i];
    });
}

void subtract(std::span<const Vec3d> a, std::span<const Vec3d> b, std::vector<Vec3d>& difference) {
    difference.resize(a.size());
    parallel_ranges(a.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) difference[i] = a[i] - b[i];
    });
}

}  // namespace

void History::add(const Visited& before, const Visited& now, const Comm& comm) {
    pairs_.resize(most);
    const std::size_t slot = (newest_ + 1) % most;
    Pair& pair = pairs_[slot];
    subtract(now.x, before.x, pair.step);
    subtract(before.f, now.f, pair.change);
    const double curvature = wide_dot(pair.step, pair.change, comm);
    const double change2 = wide_dot(pair.change, pair.change, comm);
    // Curvature s.y/y.y is the inverse of a stiffness: one of 1e12 kJ/mol/nm^2 and above is rounding, not physics.
    if (!(curvature > 1e-12 * change2) || change2 == 0.0) {
        // The slot was the oldest pair's when the ring was full.
        if (size_ == most) --size_;
        return;
    }
    pair.inverse_curvature = 1.0 / curvature;
    pair.scale = curvature / change2;
    newest_ = slot;
    if (size_ < most) ++size_;
}

void History::apply(std::span<const Vec3d> f, std::vector<Vec3d>& direction, const Comm& comm) const {
    MDSIM_EXPECT(size_ > 0);
    direction.assign(f.begin(), f.end());
    std::array<double, most> alpha{};
    for (std::size_t age = 0; age < size_; ++age) {
        const Pair& p = pair(age);
        alpha[age] = p.inverse_curvature * wide_dot(p.step, direction, comm);
        add_scaled(direction, -alpha[age], p.change);
    }
    const double scale = pair(0).scale;
    parallel_ranges(direction.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) direction[i] *= scale;
    });
    for (std::size_t age = size_; age-- > 0;) {
        const Pair& p = pair(age);
        const double beta = p.inverse_curvature * wide_dot(p.change, direction, comm);
        add_scaled(direction, alpha[age] - beta, p.step);
    }
}

}  // namespace mdsim
