// SPDX-License-Identifier: Apache-2.0
#include "system/energies.h"

#include <algorithm>

namespace mdsim {

Mat3d EnergySums::virial() const {
    Mat3d w;
    for (std::size_t a = 0; a < 3; ++a) {
        w[a] = {virial_[3 * a].value(), virial_[3 * a + 1].value(), virial_[3 * a + 2].value()};
    }
    return w;
}

void EnergySums::add(const EnergySums& other) {
    for (std::size_t i = 0; i < terms_.size(); ++i) terms_[i].add(other.terms_[i]);
    for (std::size_t i = 0; i < virial_.size(); ++i) virial_[i].add(other.virial_[i]);
    clipped_ = clipped_ || other.clipped_;
}

double EnergySums::potential() const {
    fixed::EnergySum sum;
    for (const fixed::EnergySum& term : terms_) sum.add(term);
    return sum.value();
}

bool EnergySums::out_of_range() const {
    const auto bad = [](const fixed::EnergySum& s) { return s.out_of_range(); };
    return clipped_ || std::any_of(terms_.begin(), terms_.end(), bad) ||
           std::any_of(virial_.begin(), virial_.end(), bad);
}

}  // namespace mdsim
