// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "parallel/comm.h"
#include "system/restraints/restraint_value.h"

namespace mdsim {

/// What one rank adds to the report of one restraint: integers, so that it does not depend on the ranks.
struct RestraintSums {
    enum class Means { value, rms };
    std::string name, unit;
    Means means = Means::value;
    fixed::EnergySum energy;  ///< [kJ/mol]
    fixed::EnergySum value;   ///< the value itself, from one rank, or squares of displacements [nm^2]
    fixed::EnergySum atoms;   ///< that these are of
};

/// Of all ranks, which give the same restraints in the same order. Collective.
inline std::vector<RestraintValue> sum_over(const Comm& ranks, std::span<const RestraintSums> of_this_rank) {
    std::vector<fixed::EnergySum> sums;
    for (const RestraintSums& r : of_this_rank) sums.insert(sums.end(), {r.energy, r.value, r.atoms});
    if (!sums.empty()) ranks.sum(std::span(sums));
    std::vector<RestraintValue> values;
    for (std::size_t n = 0; n < of_this_rank.size(); ++n) {
        const RestraintSums& r = of_this_rank[n];
        const double value = sums[3 * n + 1].value(), atoms = sums[3 * n + 2].value();
        const bool rms = r.means == RestraintSums::Means::rms;
        values.push_back({r.name, r.unit, rms ? std::sqrt(value / std::max(atoms, 1.0)) : value, sums[3 * n].value()});
    }
    return values;
}

}  // namespace mdsim
