// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pair formulas of src/physics for kernels, in single precision. Only a .cu includes this.

#include <bit>
#include <cstdint>

#include "gpu/api/kernel.h"
#include "physics/ops.h"
#include "physics/pair_tails.h"

#undef MDSIM_FORMULA
#define MDSIM_FORMULA MDSIM_ON_DEVICE

namespace mdsim::kernels::MDSIM_BACKEND {

using physics::CoulombTail;
using physics::LjTail;
#include "physics/pair_formulas.inl"

/// The operations of physics/ops.h.
struct DeviceOps {
    using Real = float;
    using Lane = float;

    static MDSIM_ON_DEVICE float set(double value) { return static_cast<float>(value); }
    static MDSIM_ON_DEVICE float mul_add(float a, float b, float c) { return gpu::fused(a, b, c); }
    static MDSIM_ON_DEVICE float mul_sub(float a, float b, float c) { return gpu::fused(a, b, -c); }
    static MDSIM_ON_DEVICE float neg_mul_add(float a, float b, float c) { return gpu::fused(-a, b, c); }
    /// For b > 0, which the denominators of the formulas are: an exact division costs a device ten times as much.
    static MDSIM_ON_DEVICE float divide(float a, float b) {
        const float y = gpu::inverse_sqrt(b);
        return a * (y * y);
    }
    static MDSIM_ON_DEVICE float max(float a, float b) { return a < b ? b : a; }
    static MDSIM_ON_DEVICE float min(float a, float b) { return b < a ? b : a; }
    static MDSIM_ON_DEVICE float select_less(float a, float b, float yes, float no) { return a < b ? yes : no; }
    static MDSIM_ON_DEVICE float inverse_sqrt(float a) { return gpu::inverse_sqrt(a); }
    /// |a| < 2^22.
    static MDSIM_ON_DEVICE float round(float a) {
        constexpr float magic = 12582912.0f;  // 1.5 * 2^23
        return (a + magic) - magic;
    }
    static MDSIM_ON_DEVICE float scale(float a, float n) {
        const auto power = static_cast<std::uint32_t>(static_cast<std::int32_t>(n)) << 23;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) + power);
    }
};

}  // namespace mdsim::kernels::MDSIM_BACKEND
