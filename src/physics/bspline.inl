// SPDX-License-Identifier: Apache-2.0
// How a charge is spread over the mesh, once for all kernels. A fragment without namespace and include guard, used as
// pair_formulas.inl is.

/// Cardinal B-spline M_order, centred. Essmann, Perera, Berkowitz, Darden, Lee & Pedersen, J. Chem. Phys. 103 (1995)
/// 8577, eqs. 4.1 and 4.2.
template <int Order>
struct BSplineWindow {
    static constexpr int order = Order;

    /// w[j] = M_Order(t + Order - 1 - j) and its derivative dw[j] by t, j = 0 ... Order - 1. Of Ops, `set` is needed.
    template <class Ops>
    static MDSIM_FORMULA void weights(typename Ops::Real t, typename Ops::Real* w, typename Ops::Real* dw) {
        w[0] = Ops::set(1.0) - t;
        w[1] = t;
        for (int n = 3; n <= Order; ++n) {
            // w holds order n - 1, which the derivative of order n is made of (eq. 4.2).
            if (n == Order) {
                dw[n - 1] = w[n - 2];
                for (int j = n - 2; j > 0; --j) dw[j] = w[j - 1] - w[j];
                dw[0] = Ops::set(0.0) - w[0];
            }
            const typename Ops::Real scale = Ops::set(1.0 / (n - 1));
            w[n - 1] = scale * t * w[n - 2];
            for (int j = n - 2; j > 0; --j) {
                w[j] = scale * ((t + Ops::set(n - 1 - j)) * w[j - 1] + (Ops::set(j + 1) - t) * w[j]);
            }
            w[0] = scale * (Ops::set(1.0) - t) * w[0];
        }
    }
};
