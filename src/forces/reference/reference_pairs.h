// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "domain/local/local_terms.h"
#include "forces/force_term.h"
#include "system/force_field.h"
#include "system/nonbonded.h"

namespace mdsim {

/// Non-bonded pairs within the cutoff in double precision and plain loops: Lennard-Jones (lj_sr) and the direct part of
/// Coulomb (coulomb_real) of every form, against which the fast kernels are tested. With Electrostatics::none all
/// pairs, without cutoff or images. The cutoff must not exceed half the smallest height of the box.
class ReferencePairs final : public HostTerm {
  public:
    /// exclusions: i < j, sorted. scaled_charges [(kJ nm/mol)^(1/2)] and types, extent: atoms.
    ReferencePairs(const ForceField& force_field, std::vector<int> types, std::vector<double> scaled_charges,
                   const std::vector<Exclusion>& exclusions, const NonbondedSettings& settings);

    Part part() const override { return Part::short_range; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

  private:
    template <class Lj, class Coulomb>
    void compute_with(const Evaluation& evaluation, ForceSink& sink) const;
    bool excluded(int i, int j) const;

    std::vector<LjParameters> lj_;  ///< 6 c6 and 12 c12; extent: types * types
    std::size_t type_count_;
    std::vector<int> types_;
    std::vector<double> charges_;
    std::vector<std::size_t> first_excluded_;  ///< into excluded_, of each atom; extent: atoms + 1
    std::vector<int> excluded_;                ///< partners below the atom, ascending
    NonbondedSettings settings_;
};

}  // namespace mdsim
