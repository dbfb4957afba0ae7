// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "forces/force_term.h"
#include "forces/short_range/pair_kernels.h"
#include "pairs/pair_lists.h"
#include "system/force_field.h"
#include "system/nonbonded.h"

namespace mdsim {

/// What ShortRange is made from. Extent of types and charges: atoms.
struct ShortRangeSystem {
    const ForceField& force_field;
    std::span<const int> types;
    std::span<const double> scaled_charges;  ///< [(kJ nm/mol)^(1/2)]
    std::span<const Exclusion> exclusions;   ///< i < j
    NonbondedSettings settings;
};

/// Where the atoms are, for pair lists.
PairPositions positions_of(const Evaluation& evaluation);

/// Single-precision pairs with 32-bit sums, or double precision with 64-bit sums.
enum class PairPrecision { mixed, double_ };

/// Non-bonded pairs within the cutoff: Lennard-Jones (lj_sr) and the direct part of Coulomb (coulomb_real), by vector
/// kernels over pair lists of clusters. Keeps its own lists and brings them up to date whenever they have expired.
///
/// Where sums of single-precision forces might not fit into 32 bits they are made again in 64 bits. A pair that reaches
/// mixed_force_limit is noted (EnergySums::note_strong_pair), and no forces are added: the evaluation is to be repeated
/// with StepPlan::overlaps, in double precision; that depends on positions only. Forces of a pair cancel exactly, and
/// sums do not depend on lists or threads.
class ShortRange final : public HostTerm {
  public:
    /// Throws an input error where the splitting is too large for mixed precision (MD455). The cutoff is checked
    /// against the box at every search (MD506).
    ShortRange(const ShortRangeSystem& system, PairPrecision precision, PairListSettings lists = {});

    Part part() const override { return Part::short_range; }
    /// Whether the pair list could lack a pair at these positions.
    bool expired(const Evaluation& evaluation) override;
    /// Prunes the list or searches for it anew, as needed; searches where nothing was needed.
    void rebuild(const Evaluation& evaluation) override;
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

    const PairLists& lists() const { return lists_; }

  private:
    template <class Forces>
    struct Output {
        std::vector<std::unique_ptr<Forces[]>> forces;  // of each part of the list; only touched chunks are in use
        std::vector<std::vector<Vec3l>> shift_forces;   // of each part; extent: shift_count
        std::vector<PairEnergySums> energies;
        std::size_t clusters = 0;
    };

    std::vector<int> types_;
    std::vector<double> charges_;
    LjCombination lj_;
    PairForm form_;
    PairPrecision precision_;
    PairLists lists_;
    std::vector<MixedParameters> mixed_parameters_;
    std::vector<DoubleParameters> double_parameters_;
    std::vector<float> mixed_six_c6_, mixed_twelve_c12_;  // with a type without parameters for padding
    std::vector<double> double_six_c6_, double_twelve_c12_;
    Output<MixedForces> mixed_;
    Output<DoubleForces> wide_;  // of double precision, or 64-bit sums of mixed forces
    std::vector<std::vector<std::uint32_t>> scratch_;
    std::int64_t mixed_searches_ = -1, double_searches_ = -1;  // when the parameters were set

    void fill_tables();
    void set_mixed_parameters();
    void set_double_parameters();
    enum class Sums { of_32_bits, of_64_bits_with_energies };
    bool compute_mixed(const Evaluation& evaluation, Sums sums);
    void compute_double(const Evaluation& evaluation);
    template <class Forces>
    void prepare(Output<Forces>& output);
    /// Forces come in 2^unit of those of the sink.
    template <class Forces>
    void deliver(const Evaluation& evaluation, const Output<Forces>& output, int unit, ForceSink& sink) const;
};

}  // namespace mdsim
