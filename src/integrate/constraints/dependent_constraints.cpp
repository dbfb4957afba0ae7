// SPDX-License-Identifier: Apache-2.0
#include "integrate/constraints/dependent_constraints.h"

#include <cmath>
#include <vector>

namespace mdsim {

namespace {

// What is left of a row of length 1 when all others are taken off, where it depends on them: rounding, or an atom out
// of line by so many bond lengths.
constexpr double nothing_left = 1e-7;

using Row = std::vector<double>;

double product(const Row& a, const Row& b) {
    double sum = 0.0;
    for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
    return sum;
}

Row row_of(const GroupConstraint& c, std::span<const Vec3d> positions) {
    Row row(3 * positions.size());
    const auto i = static_cast<std::size_t>(c.i), j = static_cast<std::size_t>(c.j);
    const Vec3d bond = positions[i] - positions[j];
    const double scale = 1.0 / std::sqrt(2.0 * norm2(bond));
    for (int a = 0; a < 3; ++a) {
        row[3 * i + static_cast<std::size_t>(a)] = scale * bond[a];
        row[3 * j + static_cast<std::size_t>(a)] = -scale * bond[a];
    }
    return row;
}

}  // namespace

std::optional<std::size_t> dependent_constraint(std::span<const GroupConstraint> constraints,
                                                std::span<const Vec3d> positions) {
    std::vector<Row> basis;  // orthonormal
    for (std::size_t c = 0; c < constraints.size(); ++c) {
        Row row = row_of(constraints[c], positions);
        // Twice: what rounding leaves the first time is taken off the second time.
        for (int pass = 0; pass < 2; ++pass) {
            for (const Row& one : basis) {
                const double share = product(row, one);
                for (std::size_t n = 0; n < row.size(); ++n) row[n] -= share * one[n];
            }
        }
        const double left = std::sqrt(product(row, row));
        if (left <= nothing_left) return c;
        for (double& component : row) component /= left;
        basis.push_back(std::move(row));
    }
    return std::nullopt;
}

// Positions without any regularity: fractions of multiples of square roots.
std::optional<std::size_t> dependent_constraint(std::span<const GroupConstraint> constraints, std::size_t atoms) {
    const auto fraction = [](double x) { return x - std::floor(x); };
    std::vector<Vec3d> positions;
    for (std::size_t i = 1; i <= atoms; ++i) {
        const auto n = static_cast<double>(i);
        positions.push_back(
            {fraction(n * std::sqrt(2.0)), fraction(n * n * std::sqrt(3.0)), fraction(n * n * n * std::sqrt(5.0))});
    }
    return dependent_constraint(constraints, positions);
}

}  // namespace mdsim
