// SPDX-License-Identifier: Apache-2.0
#include "forces/exclusion_kernel.h"

#include "physics/ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/exclusion_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#undef MDSIM_FORMULA
#define MDSIM_FORMULA HWY_INLINE

HWY_BEFORE_NAMESPACE();
namespace mdsim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using physics::CoulombTail;
using physics::LjTail;
#include "physics/pair_formulas.inl"

struct Ops {
    using Tag = hn::ScalableTag<double>;
    using Real = hn::Vec<Tag>;
    using Lane = double;
    static HWY_INLINE Real set(double value) { return hn::Set(Tag(), value); }
    static HWY_INLINE Real mul_add(Real a, Real b, Real c) { return hn::MulAdd(a, b, c); }
    static HWY_INLINE Real mul_sub(Real a, Real b, Real c) { return hn::MulSub(a, b, c); }
    static HWY_INLINE Real divide(Real a, Real b) { return hn::Div(a, b); }
};

template <class Formula>
HWY_INLINE void compute(const CoulombTail<double>& constants, bool energies, ExclusionBlock& block) {
    const Ops::Tag tag;
    const auto tail = spread<Ops>(constants);
    for (std::size_t n = 0; n < exclusion_block; n += hn::Lanes(tag)) {
        const auto r2 = hn::Load(tag, block.r2 + n), qq = hn::Load(tag, block.qq + n);
        hn::Store(Formula::force_over_r(tail, r2, qq), tag, block.force + n);
        if (energies) hn::Store(Formula::energy(tail, r2, qq), tag, block.energy + n);
    }
}

void exclusions(const CoulombTail<double>& constants, bool energies, ExclusionBlock& block) {
    if (physics::is_prolate(constants)) return compute<CoulombProlateExclusion<Ops>>(constants, energies, block);
    compute<CoulombEwaldExclusion<Ops>>(constants, energies, block);
}

}  // namespace mdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(exclusions);

void ewald_exclusions(const physics::CoulombTail<double>& tail, bool energies, ExclusionBlock& block) {
    HWY_DYNAMIC_DISPATCH(exclusions)(tail, energies, block);
}

}  // namespace mdsim
#endif
