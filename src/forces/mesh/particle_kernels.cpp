// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/mesh/particle_kernels.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "forces/mesh/kernels.h"
#include "forces/mesh/window.h"

HWY_BEFORE_NAMESPACE();
namespace mdsim::mesh::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#undef MDSIM_FORMULA
#define MDSIM_FORMULA HWY_INLINE
#include "physics/bspline.inl"
#include "physics/polynomial_window.inl"

/// What the formulas need of a vector.
template <class D>
struct VectorOps {
    using Real = hn::Vec<D>;
    static HWY_INLINE Real set(double value) { return hn::Set(D(), static_cast<hn::TFromD<D>>(value)); }
    static HWY_INLINE Real mul_add(Real a, Real b, Real c) { return hn::MulAdd(a, b, c); }
};

/// Weights of a batch of atoms. Those of x and y are read one number at a time, those of z as a padded row.
template <class Real, int Order>
struct BatchWeights {
    static constexpr int width = row_width(Order);
    alignas(64) Real x[Order][atom_batch], y[Order][atom_batch];
    alignas(64) Real dx[Order][atom_batch], dy[Order][atom_batch];
    alignas(64) Real z[atom_batch][width], dz[atom_batch][width];

    BatchWeights() {
        std::memset(z, 0, sizeof z);
        std::memset(dz, 0, sizeof dz);
    }
};

template <class Window, class Real>
HWY_INLINE void axis_weights(const Window& window, const Real* t, Real (*w)[atom_batch], Real (*dw)[atom_batch]) {
    const hn::CappedTag<Real, atom_batch> d;
    using V = hn::Vec<decltype(d)>;
    for (int i = 0; i < atom_batch; i += static_cast<int>(hn::Lanes(d))) {
        V values[Window::order], slopes[Window::order];
        for (int j = 0; j < Window::order; ++j) values[j] = slopes[j] = hn::Zero(d);
        window.template weights<VectorOps<decltype(d)>>(hn::LoadU(d, t + i), values, slopes);
        for (int j = 0; j < Window::order; ++j) {
            hn::Store(values[j], d, w[j] + i);
            if (dw != nullptr) hn::Store(slopes[j], d, dw[j] + i);
        }
    }
}

template <int Order, int Width, class Real>
HWY_INLINE void transpose_rows(const Real (*w)[atom_batch], Real (*rows)[Width]) {
    for (int i = 0; i < atom_batch; ++i) {
        for (int j = 0; j < Order; ++j) rows[i][j] = w[j][i];
    }
}

/// Rounds to the nearest integer, ties to even.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto nearest_charge(D d, V v) {
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
        return hn::NearestInt(v);
    } else {
        // Adding 1.5 * 2^52 leaves the integer in the low bits: for |v| < 2^51, that is 128 e.
        const hn::RebindToSigned<D> di;
        const V magic = hn::Set(d, 6755399441055744.0);
        return hn::Sub(hn::BitCast(di, hn::Add(v, magic)), hn::BitCast(di, magic));
    }
}

template <class Real, class Window>
void spread_atoms(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<GridInteger<Real>>& mesh) {
    constexpr int order = Window::order, width = row_width(order);
    const hn::CappedTag<Real, width> d;
    const hn::RebindToSigned<decltype(d)> di;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
    const Real unit = static_cast<Real>(std::int64_t{1} << charge_bits<Real>);
    BatchWeights<Real, order> w;
    alignas(64) Real wz[order][atom_batch];
    for (int first = 0; first < atoms.count; first += atom_batch) {
        axis_weights<Window, Real>(window, atoms.tx + first, w.x, nullptr);
        axis_weights<Window, Real>(window, atoms.ty + first, w.y, nullptr);
        axis_weights<Window, Real>(window, atoms.tz + first, wz, nullptr);
        transpose_rows<order, width>(wz, w.z);
        const int last = HWY_MIN(atom_batch, atoms.count - first);
        for (int a = 0; a < last; ++a) {
            const Real q = atoms.q[first + a] * unit;
            GridInteger<Real>* const* planes = mesh.planes + (atoms.x[first + a] - mesh.first_plane);
            const std::int32_t* rows = mesh.rows + atoms.y[first + a];
            const std::int32_t z = atoms.z[first + a];
            hn::Vec<decltype(d)> row_weights[width / lanes];
            for (int s = 0; s < width / lanes; ++s) row_weights[s] = hn::Load(d, w.z[a] + s * lanes);
            for (int i = 0; i < order; ++i) {
                GridInteger<Real>* plane = planes[i] + z;
                const Real qx = q * w.x[i][a];
                for (int j = 0; j < order; ++j) {
                    const auto qxy = hn::Set(d, qx * w.y[j][a]);
                    GridInteger<Real>* row = plane + rows[j];
                    for (int s = 0; s < width / lanes; ++s) {
                        const auto charge = nearest_charge(d, hn::Mul(qxy, row_weights[s]));
                        hn::StoreU(hn::Add(hn::LoadU(di, row + s * lanes), charge), di, row + s * lanes);
                    }
                }
            }
        }
    }
}

template <class Real, class Window>
void gather_atoms(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<const Real>& mesh,
                  std::array<Real*, 3> gradient) {
    constexpr int order = Window::order, width = row_width(order);
    const hn::CappedTag<Real, width> d;
    using V = hn::Vec<decltype(d)>;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(d)), parts = width / lanes;
    BatchWeights<Real, order> w;
    alignas(64) Real wz[order][atom_batch], dwz[order][atom_batch];
    for (int first = 0; first < atoms.count; first += atom_batch) {
        axis_weights<Window, Real>(window, atoms.tx + first, w.x, w.dx);
        axis_weights<Window, Real>(window, atoms.ty + first, w.y, w.dy);
        axis_weights<Window, Real>(window, atoms.tz + first, wz, dwz);
        transpose_rows<order, width>(wz, w.z);
        transpose_rows<order, width>(dwz, w.dz);
        const int last = HWY_MIN(atom_batch, atoms.count - first);
        for (int a = 0; a < last; ++a) {
            const Real* const* planes = mesh.planes + (atoms.x[first + a] - mesh.first_plane);
            const std::int32_t* rows = mesh.rows + atoms.y[first + a];
            const std::int32_t z = atoms.z[first + a];
            // Along z the sums are kept apart: of value times (dwx wy), (wx dwy) and (wx wy).
            V along_x[parts], along_y[parts], along_z[parts];
            for (int s = 0; s < parts; ++s) along_x[s] = along_y[s] = along_z[s] = hn::Zero(d);
            for (int i = 0; i < order; ++i) {
                const Real* plane = planes[i] + z;
                V values[parts], slopes[parts];
                for (int s = 0; s < parts; ++s) values[s] = slopes[s] = hn::Zero(d);
                for (int j = 0; j < order; ++j) {
                    const Real* row = plane + rows[j];
                    const V wy = hn::Set(d, w.y[j][a]), dwy = hn::Set(d, w.dy[j][a]);
                    for (int s = 0; s < parts; ++s) {
                        const V potential = hn::LoadU(d, row + s * lanes);
                        values[s] = hn::MulAdd(potential, wy, values[s]);
                        slopes[s] = hn::MulAdd(potential, dwy, slopes[s]);
                    }
                }
                const V wx = hn::Set(d, w.x[i][a]), dwx = hn::Set(d, w.dx[i][a]);
                for (int s = 0; s < parts; ++s) {
                    along_x[s] = hn::MulAdd(values[s], dwx, along_x[s]);
                    along_y[s] = hn::MulAdd(slopes[s], wx, along_y[s]);
                    along_z[s] = hn::MulAdd(values[s], wx, along_z[s]);
                }
            }
            V gx = hn::Zero(d), gy = hn::Zero(d), gz = hn::Zero(d);
            for (int s = 0; s < parts; ++s) {
                const V z0 = hn::Load(d, w.z[a] + s * lanes), dz0 = hn::Load(d, w.dz[a] + s * lanes);
                gx = hn::MulAdd(along_x[s], z0, gx);
                gy = hn::MulAdd(along_y[s], z0, gy);
                gz = hn::MulAdd(along_z[s], dz0, gz);
            }
            gradient[0][first + a] = hn::GetLane(hn::SumOfLanes(d, gx));
            gradient[1][first + a] = hn::GetLane(hn::SumOfLanes(d, gy));
            gradient[2][first + a] = hn::GetLane(hn::SumOfLanes(d, gz));
        }
    }
}

template <class Real, int Order>
PolynomialWindow<Order, window_terms, Real> polynomial_window(const WindowPieces& from) {
    PolynomialWindow<Order, window_terms, Real> window;
    for (int j = 0; j < Order; ++j) {
        for (int k = 0; k < window_terms; ++k) {
            window.pieces[j][k] = static_cast<Real>(from[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)]);
        }
    }
    return window;
}

/// Calls f with the window, whose order is a constant of its type.
template <class Real, class F>
HWY_INLINE void with_window(const Window& window, F&& f) {
    if (window.shape == WindowShape::prolate) {
        if (window.order == 5) return f(polynomial_window<Real, 5>(window.pieces));
        if (window.order == 6) return f(polynomial_window<Real, 6>(window.pieces));
        if (window.order == 7) return f(polynomial_window<Real, 7>(window.pieces));
        return f(polynomial_window<Real, 8>(window.pieces));
    }
    if (window.order == 4) return f(BSplineWindow<4>());
    if (window.order == 5) return f(BSplineWindow<5>());
    f(BSplineWindow<6>());
}

template <class Real>
void spread_window(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<GridInteger<Real>>& mesh) {
    with_window<Real>(window, [&](const auto& w) { spread_atoms<Real>(w, atoms, mesh); });
}

template <class Real>
void gather_window(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<const Real>& mesh,
                   std::array<Real*, 3> gradient) {
    with_window<Real>(window, [&](const auto& w) { gather_atoms<Real>(w, atoms, mesh, gradient); });
}

void spread_float(const Window& window, const MeshAtoms<float>& atoms, const MeshRows<std::int32_t>& mesh) {
    spread_window<float>(window, atoms, mesh);
}
void spread_double(const Window& window, const MeshAtoms<double>& atoms, const MeshRows<std::int64_t>& mesh) {
    spread_window<double>(window, atoms, mesh);
}
void gather_float(const Window& window, const MeshAtoms<float>& atoms, const MeshRows<const float>& mesh,
                  std::array<float*, 3> gradient) {
    gather_window<float>(window, atoms, mesh, gradient);
}
void gather_double(const Window& window, const MeshAtoms<double>& atoms, const MeshRows<const double>& mesh,
                   std::array<double*, 3> gradient) {
    gather_window<double>(window, atoms, mesh, gradient);
}

}  // namespace mdsim::mesh::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim::mesh {

HWY_EXPORT(spread_float);
HWY_EXPORT(spread_double);
HWY_EXPORT(gather_float);
HWY_EXPORT(gather_double);

template <>
void spread<float>(const Window& window, const MeshAtoms<float>& atoms, const MeshRows<std::int32_t>& mesh) {
    HWY_DYNAMIC_DISPATCH(spread_float)(window, atoms, mesh);
}
template <>
void spread<double>(const Window& window, const MeshAtoms<double>& atoms, const MeshRows<std::int64_t>& mesh) {
    HWY_DYNAMIC_DISPATCH(spread_double)(window, atoms, mesh);
}
template <>
void gather<float>(const Window& window, const MeshAtoms<float>& atoms, const MeshRows<const float>& mesh,
                   std::array<float*, 3> gradient) {
    HWY_DYNAMIC_DISPATCH(gather_float)(window, atoms, mesh, gradient);
}
template <>
void gather<double>(const Window& window, const MeshAtoms<double>& atoms, const MeshRows<const double>& mesh,
                    std::array<double*, 3> gradient) {
    HWY_DYNAMIC_DISPATCH(gather_double)(window, atoms, mesh, gradient);
}

}  // namespace mdsim::mesh
#endif
