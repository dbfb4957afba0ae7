// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/prolate/prolate_window.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/error.h"
#include "forces/mesh/prolate/gauss_legendre.h"
#include "forces/mesh/prolate/prolate.h"
#include "physics/chebyshev_fit.h"

namespace mdsim::mesh {

WindowPieces prolate_pieces(int order, double bandwidth) {
    MDSIM_EXPECT(order >= smallest_prolate_order && order <= largest_prolate_order);
    const Prolate psi(bandwidth);
    const double scale = 1.0 / (order * psi.integral(1.0));
    WindowPieces pieces{};
    for (int j = 0; j < order; ++j) {
        double fit[window_terms];
        physics::fit_by_powers(fit, [&](double z) {
            const double u = 0.5 * (z + 1.0) + 0.5 * order - 1 - j;
            return scale * psi.value(2.0 * u / order);
        });
        std::copy_n(fit, window_terms, pieces[static_cast<std::size_t>(j)].begin());
    }
    return pieces;
}

double transform_of_pieces(const WindowPieces& pieces, int order, double theta) {
    static const GaussLegendre<16> rule;
    double sum = 0.0;
    for (int j = 0; j < order; ++j) {
        sum += rule.integral([&](double t) {
            double weight = 0.0;
            for (std::size_t k = window_terms; k-- > 0;) {
                weight = weight * (2.0 * t - 1.0) + pieces[static_cast<std::size_t>(j)][k];
            }
            return weight * std::cos(theta * (t + 0.5 * order - 1 - j));
        });
    }
    return sum;
}

}  // namespace mdsim::mesh
