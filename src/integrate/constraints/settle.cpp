// SPDX-License-Identifier: Apache-2.0
#include "integrate/constraints/settle.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "integrate/constraints/settle.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mdsim {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;

struct V3 {
    V x, y, z;
};

HWY_INLINE V3 load(const double (*lanes)[SettleBatch::size], std::size_t atom, std::size_t first) {
    const Tag d;
    return {hn::Load(d, lanes[3 * atom] + first), hn::Load(d, lanes[3 * atom + 1] + first),
            hn::Load(d, lanes[3 * atom + 2] + first)};
}
HWY_INLINE void store(const V3& a, double (*lanes)[SettleBatch::size], std::size_t atom, std::size_t first) {
    const Tag d;
    hn::Store(a.x, d, lanes[3 * atom] + first);
    hn::Store(a.y, d, lanes[3 * atom + 1] + first);
    hn::Store(a.z, d, lanes[3 * atom + 2] + first);
}
HWY_INLINE V3 add(const V3& a, const V3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE V3 sub(const V3& a, const V3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
HWY_INLINE V3 scale(V s, const V3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
HWY_INLINE V inner(const V3& a, const V3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
HWY_INLINE V3 outer(const V3& a, const V3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE V3 unit(const V3& a) {
    const Tag d;
    return scale(hn::Set(d, 1.0) / hn::Sqrt(inner(a, a)), a);
}

// The letters are those of the paper, section "Analytical solution" and its appendix: the triangle is turned by phi,
// psi and theta in the frame X'Y'Z' whose Z' is normal to the old plane.
HWY_INLINE void settle_lanes(const SettleGeometry& g, SettleBatch& batch, std::size_t first) {
    const Tag d;
    const V one = hn::Set(d, 1.0), ra = hn::Set(d, g.ra), rb = hn::Set(d, g.rb), rc = hn::Set(d, g.rc);
    const double total = g.mass_o + 2.0 * g.mass_h;
    const V share_h = hn::Set(d, g.mass_h / total);
    const V3 o0 = load(batch.reference, 0, first);
    const V3 b0 = sub(load(batch.reference, 1, first), o0), c0 = sub(load(batch.reference, 2, first), o0);
    const V3 o1 = load(batch.value, 0, first);
    const V3 ob = sub(load(batch.value, 1, first), o1), oc = sub(load(batch.value, 2, first), o1);
    // New positions from the new centre of mass: a1 is the oxygen, b1 and c1 the hydrogens.
    const V3 com = scale(share_h, add(ob, oc));
    const V3 a1 = sub(V3{hn::Zero(d), hn::Zero(d), hn::Zero(d)}, com), b1 = sub(ob, com), c1 = sub(oc, com);

    const V3 normal = outer(b0, c0);
    const V3 along = outer(a1, normal);
    const V3 ex = unit(along), ey = unit(outer(normal, along)), ez = unit(normal);

    const V xb0 = inner(ex, b0), yb0 = inner(ey, b0), xc0 = inner(ex, c0), yc0 = inner(ey, c0);
    const V za1 = inner(ez, a1);
    const V xb1 = inner(ex, b1), yb1 = inner(ey, b1), zb1 = inner(ez, b1);
    const V xc1 = inner(ex, c1), yc1 = inner(ey, c1), zc1 = inner(ez, c1);

    const V sin_phi = za1 / ra;
    const V cos_phi = hn::Sqrt(one - sin_phi * sin_phi);
    const V sin_psi = (zb1 - zc1) / (hn::Set(d, 2.0) * rc * cos_phi);
    const V cos_psi = hn::Sqrt(one - sin_psi * sin_psi);
    const V ya2 = ra * cos_phi;
    const V xb2 = hn::Neg(rc * cos_psi);
    const V shared = rb * cos_phi, tilt = rc * sin_psi * sin_phi;
    const V yb2 = hn::Neg(shared) - tilt, yc2 = tilt - shared;

    const V alpha = xb2 * (xb0 - xc0) + yb0 * yb2 + yc0 * yc2;
    const V beta = xb2 * (yc0 - yb0) + xb0 * yb2 + xc0 * yc2;
    const V gamma = xb0 * yb1 - xb1 * yb0 + xc0 * yc1 - xc1 * yc0;
    const V square = alpha * alpha + beta * beta;
    const V sin_theta = (alpha * gamma - beta * hn::Sqrt(square - gamma * gamma)) / square;
    const V cos_theta = hn::Sqrt(one - sin_theta * sin_theta);

    const V xa3 = hn::Neg(ya2 * sin_theta), ya3 = ya2 * cos_theta;
    const V xb3 = xb2 * cos_theta - yb2 * sin_theta, yb3 = xb2 * sin_theta + yb2 * cos_theta;
    const V xc3 = hn::Neg(xb2 * cos_theta) - yc2 * sin_theta, yc3 = yc2 * cos_theta - xb2 * sin_theta;

    const V3 origin = add(o1, com);
    const V3 a3 = add(add(scale(xa3, ex), scale(ya3, ey)), scale(za1, ez));
    const V3 b3 = add(add(scale(xb3, ex), scale(yb3, ey)), scale(zb1, ez));
    const V3 c3 = add(add(scale(xc3, ex), scale(yc3, ey)), scale(zc1, ez));
    store(add(origin, a3), batch.value, 0, first);
    store(add(origin, b3), batch.value, 1, first);
    store(add(origin, c3), batch.value, 2, first);
}

// Multipliers l of the three bonds from A l = -r.v, A_cd = sum_i s_ci s_di / m_i (r_c . r_d); solved by cofactors.
// Bonds: p = b - o, q = c - o, s = c - b.
HWY_INLINE void settle_velocity_lanes(const SettleGeometry& g, SettleBatch& batch, std::size_t first) {
    const Tag d;
    const V wo = hn::Set(d, 1.0 / g.mass_o), wh = hn::Set(d, 1.0 / g.mass_h);
    const V3 o0 = load(batch.reference, 0, first), b0 = load(batch.reference, 1, first),
             c0 = load(batch.reference, 2, first);
    const V3 vo = load(batch.value, 0, first), vb = load(batch.value, 1, first), vc = load(batch.value, 2, first);
    const V3 p = sub(b0, o0), q = sub(c0, o0), s = sub(c0, b0);
    const V a11 = (wo + wh) * inner(p, p), a22 = (wo + wh) * inner(q, q), a33 = (wh + wh) * inner(s, s);
    const V a12 = wo * inner(p, q), a13 = hn::Neg(wh * inner(p, s)), a23 = wh * inner(q, s);
    const V r1 = inner(p, sub(vb, vo)), r2 = inner(q, sub(vc, vo)), r3 = inner(s, sub(vc, vb));
    const V c11 = a22 * a33 - a23 * a23, c12 = a13 * a23 - a12 * a33, c13 = a12 * a23 - a13 * a22;
    const V c22 = a11 * a33 - a13 * a13, c23 = a12 * a13 - a11 * a23, c33 = a11 * a22 - a12 * a12;
    const V factor = hn::Set(d, -1.0) / (a11 * c11 + a12 * c12 + a13 * c13);
    const V l1 = factor * (c11 * r1 + c12 * r2 + c13 * r3);
    const V l2 = factor * (c12 * r1 + c22 * r2 + c23 * r3);
    const V l3 = factor * (c13 * r1 + c23 * r2 + c33 * r3);
    const V3 fp = scale(l1, p), fq = scale(l2, q), fs = scale(l3, s);
    store(sub(vo, scale(wo, add(fp, fq))), batch.value, 0, first);
    store(add(vb, scale(wh, sub(fp, fs))), batch.value, 1, first);
    store(add(vc, scale(wh, add(fq, fs))), batch.value, 2, first);
}

void positions_of(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count) {
    for (std::size_t first = 0; first < count; first += hn::Lanes(Tag())) settle_lanes(geometry, batch, first);
}

void velocities_of(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count) {
    for (std::size_t first = 0; first < count; first += hn::Lanes(Tag())) settle_velocity_lanes(geometry, batch, first);
}

}  // namespace HWY_NAMESPACE
}  // namespace mdsim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(positions_of);
HWY_EXPORT(velocities_of);

SettleGeometry::SettleGeometry(double oh_, double hh_, double mass_o_, double mass_h_)
    : oh(oh_), hh(hh_), mass_o(mass_o_), mass_h(mass_h_) {
    const double height = std::sqrt(oh * oh - 0.25 * hh * hh);
    ra = 2.0 * mass_h / (mass_o + 2.0 * mass_h) * height;
    rb = height - ra;
    rc = 0.5 * hh;
}

void settle_positions(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(positions_of)(geometry, batch, count);
}

void settle_velocities(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count) {
    HWY_DYNAMIC_DISPATCH(velocities_of)(geometry, batch, count);
}

}  // namespace mdsim
#endif
