// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/mesh/wave_kernels.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#include "core/fixed_point.h"
#include "forces/mesh/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace mdsim::mesh::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

template <class Real>
HWY_INLINE V load_as_double(D d, const Real* p) {
    if constexpr (sizeof(Real) == 8) {
        return hn::LoadU(d, p);
    } else {
        const hn::Rebind<float, D> df;
        return hn::PromoteTo(d, hn::LoadU(df, p));
    }
}

template <class Real>
HWY_INLINE void store_from_double(D d, V v, Real* p) {
    if constexpr (sizeof(Real) == 8) {
        hn::StoreU(v, d, p);
    } else {
        const hn::Rebind<float, D> df;
        hn::StoreU(hn::DemoteTo(df, v), df, p);
    }
}

/// A split for vectors of wave vectors.
struct GaussianWaves {
    D d;
    V scale;

    explicit GaussianWaves(const GaussianSplit& split) : scale(hn::Set(d, split.exponent_scale())) {}
    HWY_INLINE V gamma(V k2) const { return hn::Exp(d, hn::Mul(scale, k2)); }
    /// g of split.h. inverse: 1 / k^2, zero at k = 0.
    HWY_INLINE V strain(V, V inverse) const {
        const V two = hn::Set(d, 2.0);
        return hn::NegMulAdd(two, scale, hn::Mul(two, inverse));
    }
};
HWY_INLINE GaussianWaves waves_of(const GaussianSplit& split) {
    return GaussianWaves(split);
}

struct ProlateWaves {
    D d;
    V largest, scale;
    const double* terms;

    explicit ProlateWaves(const ProlateSplit& split)
        : largest(hn::Set(d, split.largest_k2)), scale(hn::Set(d, 2.0 / split.largest_k2)), terms(split.gamma.data()) {}

    HWY_INLINE V gamma(V k2) const {
        V value, slope;
        evaluate(k2, value, slope);
        return hn::IfThenElseZero(hn::Le(k2, largest), value);
    }
    HWY_INLINE V strain(V k2, V inverse) const {
        V value, slope;
        evaluate(k2, value, slope);
        // k gamma' = 2 k^2 d gamma / d k^2. Where the mesh has no energy, gamma may be zero.
        const V ratio = hn::Div(hn::Mul(hn::Mul(hn::Set(d, 2.0), hn::Mul(scale, k2)), slope), value);
        const V inside = hn::IfThenElseZero(hn::Ne(value, hn::Zero(d)), ratio);
        return hn::Mul(hn::Sub(hn::Set(d, 2.0), inside), inverse);
    }

  private:
    /// gamma and its derivative by y.
    HWY_INLINE void evaluate(V k2, V& value, V& slope) const {
        const V y = hn::MulSub(scale, hn::Min(k2, largest), hn::Set(d, 1.0));
        value = slope = hn::Set(d, terms[prolate_terms - 1]);
        value = hn::MulAdd(value, y, hn::Set(d, terms[prolate_terms - 2]));
        for (int k = prolate_terms - 3; k >= 0; --k) {
            slope = hn::MulAdd(slope, y, value);
            value = hn::MulAdd(value, y, hn::Set(d, terms[k]));
        }
    }
};
HWY_INLINE ProlateWaves waves_of(const ProlateSplit& split) {
    return ProlateWaves(split);
}

/// Of one row of constant (kx, ky): k_x and k_y [1/nm] and what k_z is without its share of mz.
struct WaveRow {
    double x, y, z;
};

HWY_INLINE WaveRow wave_row(const WavePlane& p, int ky) {
    const double my = p.my[ky];
    const std::array<double, 6>& r = p.reciprocal;
    return {r[0] * p.mx, r[1] * p.mx + r[2] * my, r[3] * p.mx + r[4] * my};
}

template <class Real, class Waves>
void fill(const WavePlane& p, const Waves& waves, double scale, const double* wy, const double* wz, Real* influence) {
    const D d;
    const V along = hn::Set(d, p.reciprocal[5]);
    for (int ky = 0; ky < p.n[1]; ++ky) {
        const WaveRow k = wave_row(p, ky);
        const V kxy2 = hn::Set(d, k.x * k.x + k.y * k.y);
        const V row_scale = hn::Set(d, scale * wy[ky]);
        Real* out = influence + static_cast<std::ptrdiff_t>(ky) * p.pitch;
        for (int kz = 0; kz < p.pitch; kz += static_cast<int>(hn::Lanes(d))) {
            const V z = hn::MulAdd(hn::LoadU(d, p.mz + kz), along, hn::Set(d, k.z));
            const V k2 = hn::MulAdd(z, z, kxy2);
            const V gamma = waves.gamma(k2);
            const V weight = hn::Mul(row_scale, hn::LoadU(d, wz + kz));
            // k = 0 gets zero, and so does what is negligible, before it can become a denormal float.
            const auto counts = hn::And(hn::Gt(k2, hn::Zero(d)), hn::Gt(hn::Abs(gamma), hn::Set(d, 1e-24)));
            const V inverse = hn::IfThenElseZero(counts, hn::Div(hn::Set(d, 1.0), k2));
            store_from_double(d, hn::Mul(hn::Mul(gamma, inverse), weight), out + kz);
        }
    }
}

// Complex numbers as they lie in memory: each influence value twice.
template <class Real>
HWY_INLINE void multiply_row(int pitch, const Real* influence, Real* spectrum) {
    const hn::CappedTag<Real, 8> d;
    for (int kz = 0; kz < pitch; kz += static_cast<int>(hn::Lanes(d))) {
        const auto g = hn::LoadU(d, influence + kz);
        hn::Vec<decltype(d)> re, im;
        hn::LoadInterleaved2(d, spectrum + 2 * kz, re, im);
        hn::StoreInterleaved2(hn::Mul(re, g), hn::Mul(im, g), d, spectrum + 2 * kz);
    }
}

template <class Real>
void multiply_plane(const WavePlane& p, const Real* influence, Real* spectrum) {
    for (int ky = 0; ky < p.n[1]; ++ky) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(ky) * p.pitch;
        multiply_row(p.pitch, influence + row, spectrum + 2 * row);
    }
}

/// Adds rounded energies lane by lane; a row has too few to overflow as long as each is below the limit.
class LaneSums {
  public:
    LaneSums() {
        for (auto& s : sums_) s = hn::Zero(di_);
    }
    HWY_INLINE void add(int i, V energy) {
        const D d;
        largest_ = hn::Max(largest_, hn::Abs(energy));
        const V units = hn::Round(hn::Mul(energy, hn::Set(d, fixed::energy_scale)));
        sums_[i] = hn::Add(sums_[i], hn::ConvertTo(di_, units));
    }
    HWY_INLINE void flush(WaveSums& sums) {
        alignas(64) std::int64_t lanes[hn::MaxLanes(D())];
        alignas(64) double most[hn::MaxLanes(D())];
        for (std::size_t i = 0; i < sums.sums.size(); ++i) {
            hn::Store(sums_[i], di_, lanes);
            for (std::size_t l = 0; l < hn::Lanes(di_); ++l) sums.sums[i].add_units(lanes[l]);
        }
        hn::Store(largest_, D(), most);
        for (std::size_t l = 0; l < hn::Lanes(di_); ++l) {
            if (!(most[l] < limit)) sums.sums[0].add_units(INT64_MAX);  // marks it as out of range
        }
    }

  private:
    // 2^20 kJ/mol are 2^52 units, of which 2^11 fit.
    static constexpr double limit = 1048576.0;
    hn::RebindToSigned<D> di_;
    hn::Vec<hn::RebindToSigned<D>> sums_[7];
    V largest_ = hn::Zero(D());
};

template <class Real, class Waves>
HWY_INLINE void add_row(const WavePlane& p, const WaveRow& k, const Waves& waves, double energy_scale,
                        const Real* influence, const Real* spectrum, LaneSums& sums) {
    const D d;
    const V along = hn::Set(d, p.reciprocal[5]), one = hn::Set(d, 1.0);
    const V kx = hn::Set(d, k.x), ky = hn::Set(d, k.y), kxy2 = hn::Set(d, k.x * k.x + k.y * k.y);
    alignas(64) Real parts[2][8];
    const hn::CappedTag<Real, 8> dr;
    for (int kz = 0; kz < p.pitch; kz += 8) {
        for (int i = 0; i < 8; i += static_cast<int>(hn::Lanes(dr))) {
            hn::Vec<decltype(dr)> re, im;
            hn::LoadInterleaved2(dr, spectrum + 2 * (kz + i), re, im);
            hn::Store(re, dr, parts[0] + i);
            hn::Store(im, dr, parts[1] + i);
        }
        for (int i = 0; i < 8; i += static_cast<int>(hn::Lanes(d))) {
            const V re = load_as_double(d, parts[0] + i), im = load_as_double(d, parts[1] + i);
            const V square = hn::MulAdd(re, re, hn::Mul(im, im));
            const V g = hn::Mul(load_as_double(d, influence + kz + i), hn::Set(d, energy_scale));
            const V energy = hn::IfThenElseZero(hn::Ne(g, hn::Zero(d)), hn::Mul(g, square));
            const V z = hn::MulAdd(hn::LoadU(d, p.mz + kz + i), along, hn::Set(d, k.z));
            const V k2 = hn::MulAdd(z, z, kxy2);
            const V inverse = hn::IfThenElseZero(hn::Gt(k2, hn::Zero(d)), hn::Div(one, k2));
            const V strain = hn::Mul(energy, waves.strain(k2, inverse));
            const V sx = hn::Mul(strain, kx), sy = hn::Mul(strain, ky), sz = hn::Mul(strain, z);
            sums.add(0, energy);
            sums.add(1, hn::NegMulAdd(sx, kx, energy));
            sums.add(2, hn::Neg(hn::Mul(sx, ky)));
            sums.add(3, hn::NegMulAdd(sy, ky, energy));
            sums.add(4, hn::Neg(hn::Mul(sx, z)));
            sums.add(5, hn::Neg(hn::Mul(sy, z)));
            sums.add(6, hn::NegMulAdd(sz, z, energy));
        }
    }
}

template <class Real, class Waves>
void multiply_and_sum(const WavePlane& p, const Waves& waves, double energy_scale, const Real* influence,
                      Real* spectrum, WaveSums& sums) {
    for (int ky = 0; ky < p.n[1]; ++ky) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(ky) * p.pitch;
        LaneSums lanes;
        add_row(p, wave_row(p, ky), waves, energy_scale, influence + row, spectrum + 2 * row, lanes);
        lanes.flush(sums);
        multiply_row(p.pitch, influence + row, spectrum + 2 * row);
    }
}

void fill_float(const WavePlane& p, const Split& split, double scale, const double* wy, const double* wz,
                float* influence) {
    std::visit([&](const auto& s) { fill<float>(p, waves_of(s), scale, wy, wz, influence); }, split);
}
void fill_double(const WavePlane& p, const Split& split, double scale, const double* wy, const double* wz,
                 double* influence) {
    std::visit([&](const auto& s) { fill<double>(p, waves_of(s), scale, wy, wz, influence); }, split);
}
void multiply_float(const WavePlane& p, const float* influence, float* spectrum) {
    multiply_plane<float>(p, influence, spectrum);
}
void multiply_double(const WavePlane& p, const double* influence, double* spectrum) {
    multiply_plane<double>(p, influence, spectrum);
}
void sum_float(const WavePlane& p, const Split& split, double energy_scale, const float* influence, float* spectrum,
               WaveSums& sums) {
    std::visit([&](const auto& s) { multiply_and_sum<float>(p, waves_of(s), energy_scale, influence, spectrum, sums); },
               split);
}
void sum_double(const WavePlane& p, const Split& split, double energy_scale, const double* influence, double* spectrum,
                WaveSums& sums) {
    std::visit(
        [&](const auto& s) { multiply_and_sum<double>(p, waves_of(s), energy_scale, influence, spectrum, sums); },
        split);
}

}  // namespace mdsim::mesh::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim::mesh {

HWY_EXPORT(fill_float);
HWY_EXPORT(fill_double);
HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
HWY_EXPORT(sum_float);
HWY_EXPORT(sum_double);

template <>
void fill_influence<float>(const WavePlane& plane, const Split& split, double scale, const double* wy, const double* wz,
                           float* influence) {
    HWY_DYNAMIC_DISPATCH(fill_float)(plane, split, scale, wy, wz, influence);
}
template <>
void fill_influence<double>(const WavePlane& plane, const Split& split, double scale, const double* wy,
                            const double* wz, double* influence) {
    HWY_DYNAMIC_DISPATCH(fill_double)(plane, split, scale, wy, wz, influence);
}
template <>
void multiply<float>(const WavePlane& plane, const float* influence, std::complex<float>* spectrum) {
    HWY_DYNAMIC_DISPATCH(multiply_float)(plane, influence, reinterpret_cast<float*>(spectrum));
}
template <>
void multiply<double>(const WavePlane& plane, const double* influence, std::complex<double>* spectrum) {
    HWY_DYNAMIC_DISPATCH(multiply_double)(plane, influence, reinterpret_cast<double*>(spectrum));
}
template <>
void multiply_with_energy<float>(const WavePlane& plane, const Split& split, double energy_scale,
                                 const float* influence, std::complex<float>* spectrum, WaveSums& sums) {
    HWY_DYNAMIC_DISPATCH(sum_float)(plane, split, energy_scale, influence, reinterpret_cast<float*>(spectrum), sums);
}
template <>
void multiply_with_energy<double>(const WavePlane& plane, const Split& split, double energy_scale,
                                  const double* influence, std::complex<double>* spectrum, WaveSums& sums) {
    HWY_DYNAMIC_DISPATCH(sum_double)(plane, split, energy_scale, influence, reinterpret_cast<double*>(spectrum), sums);
}

}  // namespace mdsim::mesh
#endif
