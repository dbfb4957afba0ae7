// SPDX-License-Identifier: Apache-2.0
#include "system/energies.h"

#include <algorithm>

namespace mdsim {

Mat3d EnergySums::virial() const {
    Mat3d w;
    for (std::size_t a = 0; a < 3; ++a) {
        const fixed::EnergySum* const row = &sums_[term_count + 3 * a];
        w[a] = {row[0].value(), row[1].value(), row[2].value()};
    }
    return w;
}

void EnergySums::add(const EnergySums& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].add(other.sums_[i]);
}

double EnergySums::potential() const {
    fixed::EnergySum total;
    for (std::size_t t = 0; t < term_count; ++t) total.add(sums_[t]);
    return total.value();
}

bool EnergySums::out_of_range() const {
    return std::any_of(sums_.begin(), sums_.begin() + notes + 1,
                       [](const fixed::EnergySum& sum) { return sum.out_of_range(); });
}

}  // namespace mdsim
