// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/wide_dot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/fixed_point.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Largest absolute component; infinite where one is not finite. A maximum has no rounding, hence no order.
double largest_component(std::span<const Vec3d> a) {
    std::vector<double> partial(static_cast<std::size_t>(thread_count()), 0.0);
    parallel_ranges(a.size(), [&](int thread, std::size_t begin, std::size_t end) {
        double most = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                const double size = std::abs(a[i][axis]);
                most = size <= std::numeric_limits<double>::max() ? std::max(most, size) : infinite;
            }
        }
        partial[static_cast<std::size_t>(thread)] = most;
    });
    return *std::max_element(partial.begin(), partial.end());
}

}  // namespace

double wide_dot(std::span<const Vec3d> a, std::span<const Vec3d> b) {
    MDSIM_EXPECT(a.size() == b.size());
    const double most_a = largest_component(a), most_b = largest_component(b);
    if (most_a == 0.0 || most_b == 0.0) return 0.0;
    if (most_a == infinite || most_b == infinite) return std::numeric_limits<double>::quiet_NaN();
    // |a.b| < 3 * 2^(ea + eb + 2), so with this scale every addend is below 2^62. The scale goes onto a first, in two
    // steps that can neither overflow nor lose bits that matter.
    const int exponent_a = std::ilogb(most_a), exponent_b = std::ilogb(most_b);
    const double scale_a = std::ldexp(1.0, 28 - exponent_a), scale_b = std::ldexp(1.0, 28 - exponent_b);
    std::vector<fixed::EnergySum> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(a.size(), [&](int thread, std::size_t begin, std::size_t end) {
        fixed::EnergySum sum;
        for (std::size_t i = begin; i < end; ++i) {
            sum.add_units(fixed::round_to_int64(dot(scale_a * a[i], scale_b * b[i])));
        }
        partial[static_cast<std::size_t>(thread)] = sum;
    });
    fixed::EnergySum total;
    for (const fixed::EnergySum& p : partial) total.add(p);
    return std::ldexp(total.value() * fixed::energy_scale, exponent_a + exponent_b - 56);
}

Longest longest(std::span<const Vec3d> a) {
    std::vector<Longest> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(a.size(), [&](int thread, std::size_t begin, std::size_t end) {
        Longest most;
        for (std::size_t i = begin; i < end; ++i) {
            const double square = norm2(a[i]);
            const double length = square <= std::numeric_limits<double>::max() ? std::sqrt(square) : infinite;
            if (length > most.length) most = {length, static_cast<std::int64_t>(i)};
        }
        partial[static_cast<std::size_t>(thread)] = most;
    });
    Longest total;
    for (const Longest& p : partial) {
        if (p.length > total.length) total = p;
    }
    return total;
}

}  // namespace mdsim
