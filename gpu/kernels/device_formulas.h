// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pair formulas of src/physics for kernels, in single precision. Only a .cu includes this.

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
};

}  // namespace mdsim::kernels::MDSIM_BACKEND
