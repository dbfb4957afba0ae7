// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "io/topology/gromacs/force_field/tables.h"

namespace mdsim::gromacs {

// GROMACS Reference Manual 2022, section "Parameter files", "Non-bonded parameters", eqs. for combination rules 1 to 3;
// c6 = 4 epsilon sigma^6, c12 = 4 epsilon sigma^12.

LjParameters Tables::convert(const VanDerWaals& given) const {
    if (!defaults_ || defaults_->combination_rule == 1) return {given.v, given.w};
    const double s3 = given.v * given.v * given.v;
    const double s6 = s3 * s3;
    // A negative sigma stands for a repulsion without attraction.
    return {given.v < 0.0 ? 0.0 : 4.0 * given.w * s6, 4.0 * given.w * s6 * s6};
}

VanDerWaals Tables::combine(const VanDerWaals& a, const VanDerWaals& b) const {
    const int rule = defaults_ ? defaults_->combination_rule : 1;
    const double w = std::sqrt(a.w * b.w);
    if (rule == 1) return {std::sqrt(a.v * b.v), w};
    const double mean = rule == 2 ? (std::abs(a.v) + std::abs(b.v)) / 2.0 : std::sqrt(std::abs(a.v * b.v));
    return {a.v < 0.0 || b.v < 0.0 ? -mean : mean, w};
}

LjParameters Tables::lennard_jones(int a, int b) const {
    const auto override_of = nonbonded_.find({std::min(a, b), std::max(a, b)});
    if (override_of != nonbonded_.end()) return convert(override_of->second);
    const VanDerWaals& first = atom_types_[static_cast<std::size_t>(a)].lj;
    const VanDerWaals& second = atom_types_[static_cast<std::size_t>(b)].lj;
    // The square root of a square rounds; a type with itself keeps the digits of the file.
    return convert(first == second ? first : combine(first, second));
}

std::optional<LjParameters> Tables::pair14(int a, int b) const {
    const auto own = pairs_.find({std::min(a, b), std::max(a, b)});
    if (own != pairs_.end()) return convert(own->second);
    if (!defaults_ || !defaults_->generate_pairs) return std::nullopt;
    const LjParameters full = lennard_jones(a, b);
    return LjParameters{defaults_->fudge_lj * full.c6, defaults_->fudge_lj * full.c12};
}

}  // namespace mdsim::gromacs
