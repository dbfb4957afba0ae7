// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_pairs.h"

#include "forces/device/pair_parameters.h"
#include "forces/pair_settings.h"
#include "gpu/kernels/pair_pruning.h"

namespace mdsim {

using kernels::PairSums;

namespace {

constexpr const char* physics_of_pairs = "short-range forces";

PairListSettings on_device(PairListSettings lists, const NonbondedSettings& settings) {
    lists.pruning = Pruning::on_device;
    return with_cutoff(lists, settings);
}

}  // namespace

DevicePairs::DevicePairs(const gpu::Device& device, const ShortRangeSystem& system, PairListSettings lists)
    : types_(system.types.begin(), system.types.end()),
      charges_(system.scaled_charges.begin(), system.scaled_charges.end()),
      lj_(find_lj_combination(system.force_field, types_)),
      lists_(on_device(lists, system.settings), ExclusionMap(types_.size(), system.exclusions),
             atoms_with_lj(lj_, types_)),
      rows_(device, {"rows of the pair list", physics_of_pairs}),
      kept_rows_(device, {"pruned rows of the pair list", physics_of_pairs}),
      entries_(device, {"entries of the pair list", physics_of_pairs}),
      kept_entries_(device, {"pruned entries of the pair list", physics_of_pairs}),
      masks_(device, {"exclusions of the pair list", physics_of_pairs}),
      kept_masks_(device, {"pruned exclusions of the pair list", physics_of_pairs}),
      parameters_(device, {"parameters of atoms", physics_of_pairs}),
      pair_types_(device, {"parameters of pairs of types", physics_of_pairs}),
      sums_(device, {"energies of pairs", physics_of_pairs}),
      sums_down_(device, {"energies of pairs", physics_of_pairs}) {
    require_splitting_for_mixed(system.settings);
    set_pair_form(system.settings, args_);
    sums_.resize(kernels::pair_sum_parts);
    sums_down_.resize(kernels::pair_sum_parts);
}

bool DevicePairs::expired(const Evaluation& evaluation) const {
    return lists_.expired(positions_of(evaluation));
}

bool DevicePairs::rebuild(const Evaluation& evaluation, gpu::Stream& stream) {
    const std::int64_t searches = lists_.searches();
    if (!lists_.update(positions_of(evaluation))) lists_.search_anew(positions_of(evaluation));
    pruning_due_ = true;
    if (lists_.searches() == searches) return false;
    upload_list(stream);
    return true;
}

void DevicePairs::upload_list(gpu::Stream& stream) {
    if (pair_types_.size() == 0) pair_types_.fill(stream, pair_type_table(lj_));
    make_tile_list(lists_, outer_);
    rows_.fill(stream, outer_.rows);
    entries_.fill(stream, outer_.entries);
    masks_.fill(stream, outer_.masks);
    kept_rows_.resize(outer_.rows.size());
    kept_entries_.resize(outer_.entries.size());
    kept_masks_.resize(outer_.masks.size());
    parameters_.fill(stream, cluster_parameters(clusters(), lj_, types_, charges_));
    outer_pairs_ = {rows_.data(), entries_.data(), masks_.data()};
    args_.pairs = {kept_rows_.data(), kept_entries_.data(), kept_masks_.data()};
    args_.row_count = static_cast<unsigned>(outer_.rows.size());
    args_.parameters = parameters_.data();
    args_.types = pair_types_.data();
    args_.type_count = static_cast<int>(lj_.has_lj.size() + 1);
    args_.sums = sums_.data();
    args_.high_shift = kernels::high_shift_for(outer_.most_additions);
}

void DevicePairs::prune(const DeviceSums& sums, gpu::Stream& stream) {
    // Distances in single precision are good to 1e-6 of the radius.
    const double radius = lists_.inner_radius() * 1.000001;
    kernels::prune_pairs(stream, {.outer = outer_pairs_,
                                  .kept = args_.pairs,
                                  .row_count = args_.row_count,
                                  .points = sums.points,
                                  .metric = args_.metric,
                                  .radius2 = lists_.all_pairs() ? 1e30f : static_cast<float>(radius * radius)});
    pruning_due_ = false;
}

void DevicePairs::launch(const Evaluation& evaluation, const DeviceSums& sums, bool everything, gpu::Stream& stream) {
    args_.metric = LatticeMetric<float>(evaluation.lattice.cell());
    args_.points = sums.points;
    args_.forces = sums.forces;
    args_.high = sums.high;
    args_.flags = sums.flags;
    args_.everything = everything;
    if (pruning_due_) prune(sums, stream);
    if (everything) sums_.zero(stream);
    kernels::add_pair_forces(stream, args_);
    if (everything) sums_.download(stream, sums_down_);
}

void DevicePairs::report(Need energies, EnergySums& to) const {
    const auto sum = [&](PairSums::Index i) {
        fixed::EnergySum::Wide total = 0;
        for (const PairSums& part : sums_down_.span()) {
            total += (fixed::EnergySum::Wide{part.high[i]} << 32) + part.low[i];
        }
        return total;
    };
    if (energies == Need::yes) {
        to[Term::lj_sr].add_wide(sum(PairSums::lj));
        to[Term::coulomb_real].add_wide(sum(PairSums::coulomb));
    }
    constexpr PairSums::Index rows[3][3] = {{PairSums::xx, PairSums::xy, PairSums::xz},
                                            {PairSums::xy, PairSums::yy, PairSums::yz},
                                            {PairSums::xz, PairSums::yz, PairSums::zz}};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) to.virial(a, b).add_wide(sum(rows[a][b]));
    }
}

}  // namespace mdsim
