// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/ewald_parameters.h"

#include <cmath>

namespace mdsim {

namespace {

constexpr double splitting_step = 0.01;  // splittings are multiples of it [1/nm], so that they can be read and typed

/// Where a function that falls from `low` to `high` comes down to `level`.
template <class F>
double falls_to(double level, double low, double high, F&& f) {
    for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        (f(middle) > level ? low : high) = middle;
    }
    return high;
}

}  // namespace

double EwaldParameters::force_error() const {
    return std::hypot(direct_error, reciprocal_error);
}

EwaldParameters choose_ewald(const EwaldRequest& request, const Box& box, const mesh::ChargeStatistics& charges,
                             double coulomb_constant) {
    const double rc = request.cutoff;
    EwaldParameters chosen;
    chosen.splitting = request.splitting.value_or(4.05 / rc);
    if (!(charges.sum_squares > 0.0)) return chosen;
    const double force = mesh::expected_force(box, charges, coulomb_constant);
    const auto direct = [&](double beta) {
        return mesh::direct_force_error(beta, rc, box, charges, coulomb_constant) / force;
    };
    if (request.splitting) {
        chosen.direct_error = direct(chosen.splitting);
        return chosen;
    }
    const double wanted = 0.9 * request.force_error;
    const double beta = falls_to(wanted * std::sqrt(0.5), 0.5 / rc, 6.0 / rc, direct);
    chosen.splitting = std::ceil(beta / splitting_step) * splitting_step;
    chosen.direct_error = direct(chosen.splitting);
    const double atoms = static_cast<double>(charges.atoms);
    const double scale = coulomb_constant * charges.sum_squares / atoms * chosen.splitting *
                         std::sqrt(8.0 * atoms / box.volume()) / force;
    const auto reciprocal = [&](double k) {
        return scale / std::sqrt(k) * std::exp(-k * k / (4.0 * chosen.splitting * chosen.splitting));
    };
    const double k = falls_to(wanted * std::sqrt(0.5), 0.1 * chosen.splitting, 12.0 * chosen.splitting, reciprocal);
    chosen.largest_k2 = k * k;
    chosen.reciprocal_error = reciprocal(k);
    return chosen;
}

}  // namespace mdsim
