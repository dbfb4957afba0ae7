// SPDX-License-Identifier: Apache-2.0
// What the mixed kernel is made of: a fragment, included inside the namespace of each instruction set.

namespace hn = hwy::HWY_NAMESPACE;
using physics::CoulombTail;
using physics::LjTail;
#undef MDSIM_FORMULA
#define MDSIM_FORMULA HWY_INLINE
#include "pairs/cluster_simd.inl"
#include "physics/pair_formulas.inl"
// After the formulas, whose templates it completes.
#include "forces/short_range/simd_ops.inl"
#include "forces/short_range/mixed_kernel.inl"
