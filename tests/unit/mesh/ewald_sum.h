// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "core/units.h"
#include "core/vec3.h"
#include "system/box.h"

namespace mdsim::test {

struct EwaldResult {
    double energy = 0.0;       ///< [kJ/mol]
    Mat3d virial{};            ///< -dE/d strain [kJ/mol]
    std::vector<Vec3d> force;  ///< [kJ/mol/nm]
};

/// The sum over wave vectors of Ewald's method, written down as it stands in textbooks (Frenkel & Smit, 2nd ed.,
/// eq. 12.1.25), for |m| <= most along each axis.
inline EwaldResult ewald_reciprocal(const Box& box, const std::vector<Vec3d>& x, const std::vector<double>& q,
                                    double beta, double ke, int most) {
    EwaldResult result;
    result.force.assign(x.size(), Vec3d{});
    const Mat3d& h = box.rows();
    const double v = box.volume();
    const Vec3d ra = cross(h[1], h[2]) * (2 * units::pi / v), rb = cross(h[2], h[0]) * (2 * units::pi / v),
                rc = cross(h[0], h[1]) * (2 * units::pi / v);
    std::vector<std::complex<double>> wave(x.size());
    for (int a = -most; a <= most; ++a) {
        for (int b = -most; b <= most; ++b) {
            for (int c = -most; c <= most; ++c) {
                if (a == 0 && b == 0 && c == 0) continue;
                const Vec3d k = double(a) * ra + double(b) * rb + double(c) * rc;
                const double k2 = norm2(k);
                const double factor = ke * 2 * units::pi / v * std::exp(-k2 / (4 * beta * beta)) / k2;
                std::complex<double> rho = 0;
                for (std::size_t i = 0; i < x.size(); ++i) rho += q[i] * (wave[i] = std::polar(1.0, dot(k, x[i])));
                const double e = factor * std::norm(rho);
                result.energy += e;
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j) {
                        result.virial[std::size_t(i)][j] +=
                            e * ((i == j ? 1.0 : 0.0) - k[i] * k[j] * (2 / k2 + 0.5 / (beta * beta)));
                    }
                }
                for (std::size_t i = 0; i < x.size(); ++i) {
                    result.force[i] += (2 * factor * q[i] * std::imag(std::conj(rho) * wave[i])) * k;
                }
            }
        }
    }
    return result;
}

/// `count` charges of alternating sign (the last one makes the sum `net`), scattered by a fixed recipe.
struct Charges {
    std::vector<Vec3d> x;
    std::vector<double> q;
};

inline Charges scattered_charges(const Box& box, int count, double net = 0.0) {
    Charges out;
    std::uint64_t state = 12345;
    const auto uniform = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        // Outside the cell as well: images must not matter.
        out.x.push_back(box.to_cartesian({3 * uniform() - 1, 3 * uniform() - 1, 3 * uniform() - 1}));
        out.q.push_back((i % 2 == 0 ? 1.0 : -1.0) * (0.2 + 0.6 * uniform()));
        sum += out.q.back();
    }
    out.q.back() += net - sum;
    return out;
}

}  // namespace mdsim::test
