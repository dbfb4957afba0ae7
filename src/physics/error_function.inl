// SPDX-License-Identifier: Apache-2.0
// The functions that Ewald's splitting needs, without the C library (its bits depend on the machine). A fragment:
// included inside a namespace, see pair_formulas.inl. The coefficients are rational approximations fitted here by
// iteratively reweighted least squares in 60 digits; errors stated are maxima over the range.

/// c0 + c1 y + c2 y^2 + ... by Horner's rule.
template <class Ops, class... C>
MDSIM_FORMULA typename Ops::Real horner(typename Ops::Real y, double c0, C... rest) {
    if constexpr (sizeof...(rest) == 0) {
        return Ops::set(c0);
    } else {
        return Ops::mul_add(horner<Ops>(y, rest...), y, Ops::set(c0));
    }
}

/// (erf(z)/z - 2/sqrt(pi) exp(-z^2)) / z^2 of y = z^2, for 0 <= z <= 4.1: what Ewald's splitting takes off 1/z^3.
/// Single precision: error of the fit 5.4e-8 (z^3 times the error; 2.3e-7 with rounding). Double: 6e-16 of the value.
template <class Ops>
MDSIM_FORMULA typename Ops::Real ewald_force_correction(typename Ops::Real y) {
    if constexpr (sizeof(typename Ops::Lane) == 4) {
        const auto n =
            horner<Ops>(y, 0.7522538407928719, -0.027282691444503602, 0.017754324913235926, 3.1369031158886553e-06,
                        4.966050777954304e-05, -9.136682325293778e-07, 9.083399216173528e-09);
        const auto d = horner<Ops>(y, 1.0, 0.5637483434465819, 0.1475096484596542, 0.023352172349923674,
                                   0.002337373911187849, 0.0001640609680579037);
        return Ops::divide(n, d);
    } else {
        const auto n =
            horner<Ops>(y, 0.7522527780636749, -0.031157405113145298, 0.0219883281643985, -0.00016296277112115196,
                        0.00015202315008967614, 1.2184759946245822e-06, 3.5375069080793705e-07, 4.326864862860513e-09,
                        2.472166429401009e-10, 5.771815794783019e-13, 8.097527838349173e-16);
        const auto d =
            horner<Ops>(y, 1.0, 0.5585812029922166, 0.1500929802073664, 0.025698738615255245, 0.0031272049055172855,
                        0.0002851322971006106, 1.995680307489798e-05, 1.0754387558873426e-06, 4.3685966973614074e-08,
                        1.2526436809895026e-09, 2.103991138244068e-11);
        return Ops::divide(n, d);
    }
}

/// erf(z)/z of y = z^2, for 0 <= z <= 4.1. Single precision: error of the fit 3.2e-8 (z times the error); double:
/// 5.4e-16 of the value.
template <class Ops>
MDSIM_FORMULA typename Ops::Real ewald_energy_correction(typename Ops::Real y) {
    if constexpr (sizeof(typename Ops::Lane) == 4) {
        const auto n = horner<Ops>(y, 1.128378988880446, 0.2001216790282177, 0.053924419088842115, 0.004152729075061243,
                                   0.0002884874116297535, 1.9084651039915196e-06);
        const auto d = horner<Ops>(y, 1.0, 0.5106842116906082, 0.11802645295833224, 0.015747765464986286,
                                   0.001246927286007474, 3.6812749553091455e-05);
        return Ops::divide(n, d);
    } else {
        const auto n =
            horner<Ops>(y, 1.1283791670955128, 0.20386725940045208, 0.06172983384044194, 0.005709995438164845,
                        0.0006894722383772091, 3.8277638232077505e-05, 2.3449613629267703e-06, 7.262521793326292e-08,
                        2.0594835124186444e-09, 1.3860140078176944e-11);
        const auto d =
            horner<Ops>(y, 1.0, 0.5140059878322836, 0.12604197013044344, 0.019483266771895363, 0.002109862280381164,
                        0.00016780112177313308, 9.946176618666477e-06, 4.3283750560264637e-07, 1.300058190001535e-08,
                        2.2310787601854485e-10, 3.714916107884976e-13);
        return Ops::divide(n, d);
    }
}

/// exp(-y) for y >= 0; relative error in double below 3e-16 (1 + y/10), and exp(-690) for all beyond; in single
/// precision below 1e-7, and exp(-87). Reduction by ln 2 in two parts (Cody and Waite, Software Manual for the
/// Elementary Functions, 1980) and the Taylor series.
template <class Ops>
MDSIM_FORMULA typename Ops::Real exp_minus(typename Ops::Real y) {
    if constexpr (sizeof(typename Ops::Lane) == 4) {
        const auto x = Ops::min(y, Ops::set(87.0));
        const auto n = Ops::round(x * Ops::set(-1.4426950408889634));
        auto r = Ops::neg_mul_add(n, Ops::set(0x1.63p-1), Ops::set(0.0) - x);
        r = Ops::neg_mul_add(n, Ops::set(-0x1.bd0105c610ca8p-13), r);
        const auto p =
            horner<Ops>(r, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040);
        return Ops::scale(p, n);
    }
    const auto x = Ops::min(y, Ops::set(690.0));
    const auto n = Ops::round(x * Ops::set(-1.4426950408889634));
    auto r = Ops::neg_mul_add(n, Ops::set(0x1.62e42fee00000p-1), Ops::set(0.0) - x);
    r = Ops::neg_mul_add(n, Ops::set(0x1.a39ef35793c76p-33), r);
    const auto p = horner<Ops>(r, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                               1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0);
    return Ops::scale(p, n);
}

/// exp(z^2) erfc(z) for z >= 0, in double: 7e-16 of the value up to z = 10, beyond that of no use (erfc < 1e-44).
template <class Ops>
MDSIM_FORMULA typename Ops::Real scaled_erfc(typename Ops::Real z) {
    const auto n = horner<Ops>(z, 1.0, 2.0895700669638835, 2.171906639505009, 1.4346150362201362, 0.6559487392109568,
                               0.21413598165526648, 0.04984265999071904, 0.00799130983231028, 0.0008050335106408672,
                               3.921197500822872e-05);
    const auto d = horner<Ops>(z, 1.0, 3.2179492340593954, 4.8029735159886195, 4.388493835776912, 2.72557149343492,
                               1.2060969020266092, 0.38659353967962734, 0.08905725531403867, 0.014198978659811146,
                               0.0014268847444431222, 6.950141612334678e-05);
    return Ops::divide(n, d);
}
