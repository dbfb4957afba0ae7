// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "forces/short_range/pair_kernels.h"
#include "system/energies.h"

namespace mdsim {

/// The virial of all pairs without a loop over pairs. With X the unwrapped lattice coordinates of a cluster, the
/// difference of a pair that meets through image n is X_i - X_j - n, so that
/// sum over pairs of f (X_i - X_j - n) = sum over atoms of F X - sum over images of n (sum of f on the i side).
/// All in integers, hence exactly the sum over pairs, whatever clusters and images are.
class PairVirial {
  public:
    /// The total force on place k of a cluster.
    void add_atom(const Vec3l& f, const ClusterPoints& p, std::size_t k, const std::array<std::uint32_t, 3>& center) {
        const Vec3l x{std::int64_t{center[0]} + lattice_difference(p.x[k], center[0]),
                      std::int64_t{center[1]} + lattice_difference(p.y[k], center[1]),
                      std::int64_t{center[2]} + lattice_difference(p.z[k], center[2])};
        add_product(f, x);
    }
    /// Extent: shift_count.
    void subtract_shifts(std::span<const Vec3l> forces) {
        for (int code = 0; code < shift_count; ++code) {
            const Vec3l& f = forces[static_cast<std::size_t>(code)];
            const Vec3<int> n = shift_of(code);
            constexpr std::int64_t box = std::int64_t{1} << 32;
            if (!(f == Vec3l{})) add_product(f, {-n.x * box, -n.y * box, -n.z * box});
        }
    }
    void add(const PairVirial& other) {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) sums_[a][b] += other.sums_[a][b];
        }
    }
    /// Forces are in 2^unit of those of EnergySums::pair_virial.
    void deliver(int unit, EnergySums& energies) const {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) energies.pair_virial(a, b).add_wide(sums_[a][b] * (Wide{1} << unit));
        }
    }

  private:
    using Wide = fixed::EnergySum::Wide;
    Wide sums_[3][3] = {};  // force along a times lattice coordinate b

    void add_product(const Vec3l& f, const Vec3l& x) {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) sums_[a][b] += static_cast<Wide>(f[a]) * x[b];
        }
    }
};

/// Makes the virial of pairs one of the cell [kJ/mol], rounded once, and sets their sums to zero. After the sum over
/// threads and ranks.
inline void resolve_pair_virial(const Box& cell, EnergySums& energies) {
    const LatticeMetric<double> m(cell);
    const auto take = [&](int a, int b) {
        const auto sum = static_cast<double>(energies.pair_virial(a, b).units());
        energies.pair_virial(a, b) = {};
        return sum / fixed::force_scale;
    };
    for (int a = 0; a < 3; ++a) {
        const double sx = take(a, 0), sy = take(a, 1), sz = take(a, 2);
        energies.virial(a, 0).add(sx * m.xx + sy * m.yx + sz * m.zx);
        energies.virial(a, 1).add(sy * m.yy + sz * m.zy);
        energies.virial(a, 2).add(sz * m.zz);
    }
}

}  // namespace mdsim
