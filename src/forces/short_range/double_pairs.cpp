// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/short_range/double_pairs.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "core/fixed_point.h"
#include "forces/short_range/pair_kernels.h"
#include "physics/ops.h"

HWY_BEFORE_NAMESPACE();
namespace mdsim::HWY_NAMESPACE {
// clang-format off
#include "forces/short_range/double_kernel.inl"
// clang-format on

void compute_double_pairs(const DoubleArguments& a) {
    switch (a.form.lennard_jones) {
        case LennardJones::cut:
        case LennardJones::shift:
            return run_double<LjPlain>(a);
        case LennardJones::potential_switch:
            return run_double<LjPotentialSwitch>(a);
        case LennardJones::force_switch:
            return run_double<LjForceSwitch>(a);
        case LennardJones::charmm_force_switch:
            return run_double<LjCharmmForceSwitch>(a);
    }
}

}  // namespace mdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(compute_double_pairs);

void compute_double_pairs(const DoubleArguments& arguments) {
    HWY_DYNAMIC_DISPATCH(compute_double_pairs)(arguments);
}

}  // namespace mdsim
#endif
