// SPDX-License-Identifier: Apache-2.0
// A fragment without namespace and include guard, used as pair_formulas.inl is.

/// A window that is a polynomial of Terms coefficients for each node, as mesh::WindowPieces holds them.
template <int Order, int Terms, class Number>
struct PolynomialWindow {
    static constexpr int order = Order;
    Number pieces[Order][Terms];

    /// w[j] and its derivative dw[j] by t, that of the same polynomial. Of Ops, `set` and `mul_add` are needed.
    template <class Ops>
    MDSIM_FORMULA void weights(typename Ops::Real t, typename Ops::Real* w, typename Ops::Real* dw) const {
        const auto z = t + t - Ops::set(1.0);
        for (int j = 0; j < Order; ++j) {
            auto value = Ops::set(pieces[j][Terms - 1]), slope = value;
            value = Ops::mul_add(value, z, Ops::set(pieces[j][Terms - 2]));
            for (int k = Terms - 3; k >= 0; --k) {
                slope = Ops::mul_add(slope, z, value);
                value = Ops::mul_add(value, z, Ops::set(pieces[j][k]));
            }
            w[j] = value;
            dw[j] = slope + slope;
        }
    }
};
