// SPDX-License-Identifier: Apache-2.0
// The operations of physics/ops.h for vectors: a fragment, included inside the namespace of each instruction set.

/// One vector of float.
struct OneOps {
    using D = hn::ScalableTag<float>;
    using Real = hn::Vec<D>;
    using Lane = float;

    static HWY_INLINE Real set(double value) { return hn::Set(D(), static_cast<float>(value)); }
    static HWY_INLINE Real mul_add(Real a, Real b, Real c) { return hn::MulAdd(a, b, c); }
    static HWY_INLINE Real mul_sub(Real a, Real b, Real c) { return hn::MulSub(a, b, c); }
    static HWY_INLINE Real neg_mul_add(Real a, Real b, Real c) { return hn::NegMulAdd(a, b, c); }
    static HWY_INLINE Real divide(Real a, Real b) {
#if HWY_TARGET == HWY_SCALAR
        return hn::Div(a, b);
#else
        const Real r = hn::ApproximateReciprocal(b);
        return a * (r * hn::NegMulAdd(b, r, set(2.0)));  // one Newton step
#endif
    }
    static HWY_INLINE Real max(Real a, Real b) { return hn::Max(a, b); }
    static HWY_INLINE Real min(Real a, Real b) { return hn::Min(a, b); }
    static HWY_INLINE Real select_less(Real a, Real b, Real yes, Real no) {
        return hn::IfThenElse(hn::Lt(a, b), yes, no);
    }
    static HWY_INLINE Real inverse_sqrt(Real a) {
#if HWY_TARGET == HWY_SCALAR
        return hn::Div(set(1.0), hn::Sqrt(a));
#else
        const Real y = hn::ApproximateReciprocalSqrt(a);
        return (y * set(0.5)) * hn::NegMulAdd(a * y, y, set(3.0));  // one Newton step
#endif
    }
};

/// Two vectors side by side, so that the chains of dependent operations of both are in flight at the same time.
template <class V>
struct Two {
    V a, b;
    friend HWY_INLINE Two operator+(Two s, Two t) { return {s.a + t.a, s.b + t.b}; }
    friend HWY_INLINE Two operator-(Two s, Two t) { return {s.a - t.a, s.b - t.b}; }
    friend HWY_INLINE Two operator*(Two s, Two t) { return {s.a * t.a, s.b * t.b}; }
};

struct TwoOps {
    using Real = Two<OneOps::Real>;
    using Lane = float;

    static HWY_INLINE Real set(double value) { return {OneOps::set(value), OneOps::set(value)}; }
    static HWY_INLINE Real mul_add(Real a, Real b, Real c) {
        return {OneOps::mul_add(a.a, b.a, c.a), OneOps::mul_add(a.b, b.b, c.b)};
    }
    static HWY_INLINE Real mul_sub(Real a, Real b, Real c) {
        return {OneOps::mul_sub(a.a, b.a, c.a), OneOps::mul_sub(a.b, b.b, c.b)};
    }
    static HWY_INLINE Real neg_mul_add(Real a, Real b, Real c) {
        return {OneOps::neg_mul_add(a.a, b.a, c.a), OneOps::neg_mul_add(a.b, b.b, c.b)};
    }
    static HWY_INLINE Real divide(Real a, Real b) { return {OneOps::divide(a.a, b.a), OneOps::divide(a.b, b.b)}; }
    static HWY_INLINE Real max(Real a, Real b) { return {OneOps::max(a.a, b.a), OneOps::max(a.b, b.b)}; }
    static HWY_INLINE Real min(Real a, Real b) { return {OneOps::min(a.a, b.a), OneOps::min(a.b, b.b)}; }
    static HWY_INLINE Real select_less(Real a, Real b, Real yes, Real no) {
        return {OneOps::select_less(a.a, b.a, yes.a, no.a), OneOps::select_less(a.b, b.b, yes.b, no.b)};
    }
    static HWY_INLINE Real inverse_sqrt(Real a) {
        return {OneOps::inverse_sqrt(a.a), OneOps::inverse_sqrt(a.b)};
    }
};
