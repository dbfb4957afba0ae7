// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/short_range/mixed_switched_lorentz.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <type_traits>

#include "core/fixed_point.h"
#include "forces/short_range/pair_kernels.h"
#include "physics/ops.h"

HWY_BEFORE_NAMESPACE();
namespace mdsim::HWY_NAMESPACE {
// clang-format off
#include "forces/short_range/mixed_kernel.inl"
// clang-format on

bool compute_mixed_switched_lorentz(const MixedArguments& a) {
    constexpr auto source = LjSource::lorentz_berthelot;
    switch (a.form.lennard_jones) {
        case LennardJones::potential_switch:
            return run_coulomb<LjPotentialSwitch, source>(a);
        case LennardJones::force_switch:
            return run_coulomb<LjForceSwitch, source>(a);
        default:
            return run_coulomb<LjCharmmForceSwitch, source>(a);
    }
}

}  // namespace mdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(compute_mixed_switched_lorentz);

bool compute_mixed_switched_lorentz(const MixedArguments& arguments) {
    return HWY_DYNAMIC_DISPATCH(compute_mixed_switched_lorentz)(arguments);
}

}  // namespace mdsim
#endif
