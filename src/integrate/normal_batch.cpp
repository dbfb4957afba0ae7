// SPDX-License-Identifier: Apache-2.0
#include "integrate/normal_batch.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/philox.h"
#include "core/units.h"

// The mathematics must come after foreach_target.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrate/normal_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace mdsim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Reals = hn::CappedTag<double, 8>;
using Words = hn::Rebind<std::uint64_t, Reals>;
using V = hn::Vec<Reals>;
using W = hn::Vec<Words>;

// Four 32-bit numbers per lane, each in the low half of 64 bits.
struct Block {
    W w0, w1, w2, w3;
};

// philox4x32 of core/philox.cpp, one counter per lane.
HWY_INLINE Block philox(Block c, const RandomOrigin& origin) {
    const Words d;
    const W low = hn::Set(d, 0xFFFFFFFFULL);
    std::uint32_t key0 = origin.key[0], key1 = origin.key[1];
    for (int round = 0; round < 10; ++round) {
        const W p0 = hn::Mul(hn::Set(d, 0xD2511F53ULL), c.w0), p1 = hn::Mul(hn::Set(d, 0xCD9E8D57ULL), c.w2);
        c = {hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c.w1), hn::Set(d, std::uint64_t{key0})), hn::And(p1, low),
             hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c.w3), hn::Set(d, std::uint64_t{key1})), hn::And(p0, low)};
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return c;
}

// (bits >> 12 + 1/2) 2^-52: the bits become the mantissa of a number in [1, 2).
HWY_INLINE V uniform(W low, W high) {
    const Words d;
    const Reals r;
    const W bits = hn::ShiftRight<12>(hn::Or(hn::ShiftLeft<32>(high), low));
    const V from_one = hn::BitCast(r, hn::Or(bits, hn::Set(d, 0x3FF0000000000000ULL)));
    return from_one - hn::Set(r, 1.0) + hn::Set(r, 0x1p-53);
}

HWY_INLINE V radius_of(const Block& block) {
    const Reals r;
    return hn::Sqrt(hn::Set(r, -2.0) * hn::CallLog(r, uniform(block.w0, block.w1)));
}

HWY_INLINE V angle_of(const Block& block) {
    return hn::Set(Reals(), 2.0 * units::pi) * uniform(block.w2, block.w3);
}

// `ids`: aligned, whole vectors of them.
void normals_of(std::uint64_t seed, std::uint64_t step, const std::uint64_t* ids, std::size_t count,
                NormalBatch& batch) {
    const Words d;
    const Reals r;
    const RandomOrigin origin = random_origin(seed, RandomPurpose::langevin, step, 0);
    for (std::size_t lane = 0; lane < count; lane += hn::Lanes(r)) {
        const W atom = hn::Load(d, ids + lane);
        const auto word = [&](int i) HWY_ATTR {
            return hn::Set(d, std::uint64_t{origin.counter[static_cast<std::size_t>(i)]});
        };
        Block counter{word(0), hn::And(atom, hn::Set(d, 0xFFFFFFFFULL)), word(2),
                      hn::Xor(word(3), hn::ShiftRight<32>(atom))};
        const Block first = philox(counter, origin);
        counter.w0 = hn::Set(d, 1ULL);
        const Block second = philox(counter, origin);
        const V radius = radius_of(first), angle = angle_of(first);
        hn::Store(radius * hn::CallCos(r, angle), r, batch.value[0] + lane);
        hn::Store(radius * hn::CallSin(r, angle), r, batch.value[1] + lane);
        hn::Store(radius_of(second) * hn::CallCos(r, angle_of(second)), r, batch.value[2] + lane);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace mdsim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(normals_of);

void draw_normals(std::uint64_t seed, std::uint64_t step, std::span<const std::int64_t> ids, NormalBatch& batch) {
    MDSIM_EXPECT(ids.size() <= NormalBatch::size);
    alignas(64) std::uint64_t padded[NormalBatch::size];
    std::fill(std::copy(ids.begin(), ids.end(), padded), std::end(padded), 0);
    HWY_DYNAMIC_DISPATCH(normals_of)(seed, step, padded, ids.size(), batch);
}

}  // namespace mdsim
#endif
