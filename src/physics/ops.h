// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// What a formula function is declared as. Defined beforehand by those who include the formulas for a device
// (__host__ __device__ inline) or for one instruction set (always inlined).
#ifndef MDSIM_FORMULA
#define MDSIM_FORMULA inline
#endif

namespace mdsim::physics {

/// The operations that a formula may use, beside + - * on Real: here for one number at a time. SIMD kernels bring a
/// class with the same members for their vectors. All but `scale` exist for every Real; `scale` and `round` are needed
/// only by exp_minus.
template <class T>
struct ScalarOps {
    using Real = T;
    using Lane = T;  ///< the type of one number in Real

    static MDSIM_FORMULA Real set(double value) { return static_cast<T>(value); }
    /// a b + c; fused or not is up to the class, but the same everywhere in a kernel. Here not: a fused operation
    /// without its instruction is a call of the C library, whose bits depend on the machine.
    static MDSIM_FORMULA Real mul_add(Real a, Real b, Real c) { return a * b + c; }
    /// a b - c
    static MDSIM_FORMULA Real mul_sub(Real a, Real b, Real c) { return a * b - c; }
    /// c - a b
    static MDSIM_FORMULA Real neg_mul_add(Real a, Real b, Real c) { return c - a * b; }
    static MDSIM_FORMULA Real divide(Real a, Real b) { return a / b; }
    static MDSIM_FORMULA Real max(Real a, Real b) { return a < b ? b : a; }
    static MDSIM_FORMULA Real min(Real a, Real b) { return b < a ? b : a; }
    /// a < b ? yes : no
    static MDSIM_FORMULA Real select_less(Real a, Real b, Real yes, Real no) { return a < b ? yes : no; }
    /// To the nearest whole number, |a| < 2^51.
    static MDSIM_FORMULA Real round(Real a) {
        constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
        return static_cast<T>((static_cast<double>(a) + magic) - magic);
    }
    /// a 2^n for a normal result; n holds a whole number.
    static MDSIM_FORMULA Real scale(Real a, Real n) {
        const auto bits = std::bit_cast<std::int64_t>(static_cast<double>(a));
        return static_cast<T>(std::bit_cast<double>(bits + (static_cast<std::int64_t>(n) << 52)));
    }
    static MDSIM_FORMULA Real inverse_sqrt(Real a) { return T(1) / std::sqrt(a); }
};

}  // namespace mdsim::physics
