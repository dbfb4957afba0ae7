// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

/// Sums of integers do not depend on their order. Every addend that crosses atoms is therefore rounded once, by
/// itself, to one of the units below, and summed as an integer (docs/architecture.md, "Determinism").
namespace mdsim::fixed {

/// Pair forces: 32 bits, unit 2^-12 kJ/mol/nm. Where a sum might not fit, the same addends are added up in 64 bits.
inline constexpr double pair_force_scale = 4096.0;

/// All other forces: 64 bits, unit 2^-32 kJ/mol/nm. One pair force unit is 2^20 of these.
inline constexpr double force_scale = 4294967296.0;
inline constexpr int pair_to_force_shift = 20;

/// Energies, virial, kinetic energy: addends in units of 2^-32 kJ/mol, sums in 128 bits.
inline constexpr double energy_scale = 4294967296.0;

/// Rounds to the nearest integer, ties to even. Valid for |value| < 2^51 by a shift of the binary point, beyond
/// that the value is an integer already. (llrint without the call.)
inline std::int64_t round_to_int64(double value) {
    constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
    if (value > -2251799813685248.0 && value < 2251799813685248.0) {
        return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value + magic) -
                                         std::bit_cast<std::uint64_t>(magic));
    }
    if (!(value > -9.2e18)) return INT64_MIN;  // also not-a-number: shows as out of range
    if (value > 9.2e18) return INT64_MAX;
    return static_cast<std::int64_t>(value);
}

inline std::int64_t force(double component) {
    return round_to_int64(component * force_scale);
}

/// A sum of energies in 128 bits; exact, order-free. An addend beyond +-2^31 kJ/mol (an atom on top of another)
/// saturates at +-INT64_MAX units and marks the sum as out of range.
class EnergySum {
  public:
    __extension__ using Wide = __int128;

    void add(double energy) { add_units(round_to_int64(energy * energy_scale)); }
    void add_units(std::int64_t units) {
        if (units == INT64_MIN || units == INT64_MAX) out_of_range_ = true;
        sum_ += units;
    }
    /// A sum of many addends, none of them out of range.
    void add_wide(Wide units) { sum_ += units; }
    void note_out_of_range() { out_of_range_ = true; }
    Wide units() const { return sum_; }
    void add(const EnergySum& other) {
        sum_ += other.sum_;
        out_of_range_ = out_of_range_ || other.out_of_range_;
    }
    /// The sum [kJ/mol].
    double value() const { return static_cast<double>(sum_) / energy_scale; }
    bool out_of_range() const { return out_of_range_; }

  private:
    Wide sum_ = 0;
    bool out_of_range_ = false;
};

}  // namespace mdsim::fixed
