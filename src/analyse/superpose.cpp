// SPDX-License-Identifier: Apache-2.0
#include "analyse/superpose.h"

#include <array>
#include <cmath>

#include "core/error.h"

namespace mdsim::analyse {

namespace {

using Mat4 = std::array<std::array<double, 4>, 4>;
using Vec4 = std::array<double, 4>;

// The matrix N of Horn's eq. 26 from S_ab = sum w a_i b_j.
Mat4 horn_matrix(const Mat3d& s) {
    return {{{s[0].x + s[1].y + s[2].z, s[1].z - s[2].y, s[2].x - s[0].z, s[0].y - s[1].x},
             {s[1].z - s[2].y, s[0].x - s[1].y - s[2].z, s[0].y + s[1].x, s[2].x + s[0].z},
             {s[2].x - s[0].z, s[0].y + s[1].x, s[1].y - s[0].x - s[2].z, s[1].z + s[2].y},
             {s[0].y - s[1].x, s[2].x + s[0].z, s[1].z + s[2].y, s[2].z - s[0].x - s[1].y}}};
}

// Turns rows and columns p, q so that m[p][q] is zero, and the columns of v with them.
void turn(Mat4& m, Mat4& v, std::size_t p, std::size_t q) {
    if (m[p][q] == 0.0) return;
    const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        const double e = v[k][p], f = v[k][q];
        v[k][p] = c * e - s * f;
        v[k][q] = s * e + c * f;
    }
}

// Jacobi's method: ten sweeps are more than a matrix of four rows ever needs.
Vec4 top_eigenvector(Mat4 m) {
    Mat4 v{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    for (int sweep = 0; sweep < 10; ++sweep) {
        for (std::size_t p = 0; p < 4; ++p) {
            for (std::size_t q = p + 1; q < 4; ++q) turn(m, v, p, q);
        }
    }
    std::size_t top = 0;
    for (std::size_t k = 1; k < 4; ++k) {
        if (m[k][k] > m[top][top]) top = k;
    }
    return {v[0][top], v[1][top], v[2][top], v[3][top]};
}

Mat3d rotation_of(const Vec4& q) {
    const auto [w, x, y, z] = q;
    return {Vec3d{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
            Vec3d{2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
            Vec3d{2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
}

}  // namespace

Vec3d weighted_mean(std::span<const Vec3d> x, std::span<const double> weights) {
    Vec3d sum{};
    double total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += weights[i] * x[i];
        total += weights[i];
    }
    return sum * (1.0 / total);
}

RigidMotion superpose(std::span<const Vec3d> x, std::span<const Vec3d> reference, std::span<const double> weights) {
    MDSIM_EXPECT(x.size() == reference.size() && x.size() == weights.size());
    const Vec3d from = weighted_mean(x, weights), to = weighted_mean(reference, weights);
    Mat3d s{};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3d a = weights[i] * (x[i] - from), b = reference[i] - to;
        s[0] += a.x * b;
        s[1] += a.y * b;
        s[2] += a.z * b;
    }
    return {rotation_of(top_eigenvector(horn_matrix(s))), from, to};
}

}  // namespace mdsim::analyse
