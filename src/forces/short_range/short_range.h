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

/// What ShortRange is made from. Extent of types and charges: atoms. Where the atoms come by `assign` charges and
/// exclusions may be left out, and the types are those of the whole system, each at least once.
struct ShortRangeSystem {
    const ForceField& force_field;
    std::span<const int> types;
    std::span<const double> scaled_charges;  ///< [(kJ nm/mol)^(1/2)]
    std::span<const Exclusion> exclusions;   ///< i < j
    NonbondedSettings settings;
};

/// Where the atoms are, for pair lists.
PairPositions positions_of(const Evaluation& evaluation);
/// Where they come from.
AtomZones zones_of(const LocalAtoms& atoms);

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
    double reach(const Box& cell) const override { return lists_.reach(cell); }
    double farthest_move(const Box& cell) const override { return lists_.farthest_move(cell); }
    void assign(const LocalSystem& system) override;
    /// Whether the pair list could lack a pair at these positions. On several ranks that is a matter of the cell alone:
    /// compute prunes the list where it has to, and holds as long as atoms keep to farthest_move.
    bool expired(const Evaluation& evaluation) override;
    /// Prunes the list or searches for it anew, as needed; searches where nothing was needed, and on several ranks.
    void rebuild(const Evaluation& evaluation) override;
    /// Pairs of home atoms.
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    /// Pairs with atoms of the halo; compute_home has come before.
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

    NonbondedSettings settings_;
    std::vector<int> types_;
    std::vector<double> charges_;  // scaled
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
    void compute_set(PairSet set, const Evaluation& evaluation, ForceSink& sink);
    MixedArguments mixed_arguments(const PairList& list, std::size_t part, const Evaluation& evaluation, bool exact);
    bool compute_mixed(const PairList& list, const Evaluation& evaluation, Sums sums);
    void compute_double(const PairList& list, const Evaluation& evaluation);
    template <class Forces>
    void prepare(const PairList& list, Output<Forces>& output);
    /// What kernels need beside forces and parameters.
    template <class Arguments>
    Arguments arguments_of(const PairList& list, std::size_t part, const Box& cell) const;
    /// Forces come in 2^unit of those of the sink.
    template <class Forces>
    void deliver(const PairList& list, const Output<Forces>& output, int unit, StepPlan plan, ForceSink& sink) const;
};

}  // namespace mdsim
