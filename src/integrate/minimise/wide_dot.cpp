// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/wide_dot.h"

#include <algorithm>
#include <array>
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

double wide_dot(std::span<const Vec3d> a, std::span<const Vec3d> b, const Comm& comm) {
    MDSIM_EXPECT(a.size() == b.size());
    std::array<double, 2> most{largest_component(a), largest_component(b)};
    comm.max(most);
    const auto [most_a, most_b] = most;
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
    comm.sum(std::span(&total, 1));
    return std::ldexp(total.value() * fixed::energy_scale, exponent_a + exponent_b - 56);
}

Longest longest(std::span<const Vec3d> a, std::span<const std::int64_t> ids, const Comm& comm) {
    MDSIM_EXPECT(a.size() == ids.size());
    std::vector<Longest> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(a.size(), [&](int thread, std::size_t begin, std::size_t end) {
        Longest most;
        for (std::size_t i = begin; i < end; ++i) {
            const double square = norm2(a[i]);
            const double length = square <= std::numeric_limits<double>::max() ? std::sqrt(square) : infinite;
            if (length > most.length) most = {length, ids[i]};
        }
        partial[static_cast<std::size_t>(thread)] = most;
    });
    Longest total;
    for (const Longest& p : partial) {
        if (p.length > total.length) total = p;
    }
    double length = total.length;
    comm.max(std::span(&length, 1));
    // The largest negative number is that of the lowest atom.
    std::int64_t atom = length > 0.0 && total.length == length ? -total.atom : std::numeric_limits<std::int64_t>::min();
    comm.max(std::span(&atom, 1));
    return {length, length > 0.0 ? -atom : -1};
}

}  // namespace mdsim
