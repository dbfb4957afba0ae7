// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_pairs.h"

#include "forces/device/pair_parameters.h"
#include "forces/pair_settings.h"
#include "gpu/kernels/pair_list/pair_pruning.h"

namespace mdsim {

using kernels::PairSums;

namespace {

constexpr const char* physics_of_pairs = "short-range forces";

// None where atoms come later.
std::vector<int> types_of_atoms(const ShortRangeSystem& system) {
    if (system.scaled_charges.empty()) return {};
    return {system.types.begin(), system.types.end()};
}

PairListSettings on_device(PairListSettings lists, const NonbondedSettings& settings) {
    lists.pruning = Pruning::on_device;
    return with_cutoff(lists, settings);
}

}  // namespace

DevicePairs::OnDevice::OnDevice(const gpu::Device& device)
    : rows(device, {"rows of the pair list", physics_of_pairs}),
      kept_rows(device, {"pruned rows of the pair list", physics_of_pairs}),
      entries(device, {"entries of the pair list", physics_of_pairs}),
      kept_entries(device, {"pruned entries of the pair list", physics_of_pairs}),
      masks(device, {"exclusions of the pair list", physics_of_pairs}),
      kept_masks(device, {"pruned exclusions of the pair list", physics_of_pairs}),
      pruned_points(device, {"positions at the last pruning", physics_of_pairs}),
      largest_move(device, {"the largest move", physics_of_pairs}) {
    largest_move.resize(1);
}

DevicePairs::DevicePairs(const gpu::Device& device, const ShortRangeSystem& system, PairListSettings lists,
                         Watching watching)
    : settings_(system.settings),
      types_(types_of_atoms(system)),
      charges_(system.scaled_charges.begin(), system.scaled_charges.end()),
      lj_(find_lj_combination(system.force_field, system.types)),
      lists_(on_device(lists, system.settings), ExclusionMap(types_.size(), system.exclusions),
             atoms_with_lj(lj_, types_)),
      watching_(watching),
      home_(device),
      halo_(device),
      parameters_(device, {"parameters of atoms", physics_of_pairs}),
      pair_types_(device, {"parameters of pairs of types", physics_of_pairs}),
      sums_(device, {"energies of pairs", physics_of_pairs}),
      sums_down_(device, {"energies of pairs", physics_of_pairs}) {
    require_splitting_for_mixed(system.settings);
    set_pair_form(system.settings, args_);
    sums_.resize(kernels::pair_sum_parts);
    sums_down_.resize(kernels::pair_sum_parts);
}

void DevicePairs::assign(const LocalSystem& system) {
    types_ = system.parameters.type;
    charges_ = scaled_charges(system.parameters.charge, settings_);
    lists_.assign(ExclusionMap(types_.size(), system.terms.exclusions), atoms_with_lj(lj_, types_),
                  zones_of(system.atoms));
}

bool DevicePairs::expired(const Evaluation& evaluation) const {
    return lists_.expired(positions_of(evaluation));
}

bool DevicePairs::rebuild(const Evaluation& evaluation, gpu::Stream& stream) {
    const std::int64_t searches = lists_.searches();
    const bool by_device = watching_ == Watching::by_device;
    if (by_device || !lists_.update(positions_of(evaluation))) lists_.search_anew(positions_of(evaluation));
    home_.pruned_cell.reset();
    if (lists_.searches() == searches) return false;
    upload_lists(stream);
    return true;
}

void DevicePairs::upload(OnDevice& to, PairSet set, gpu::Stream& stream) {
    make_tile_list(lists_, set, to.outer);
    to.rows.fill(stream, to.outer.rows);
    to.entries.fill(stream, to.outer.entries);
    to.masks.fill(stream, to.outer.masks);
    to.kept_rows.resize(to.outer.rows.size());
    to.kept_entries.resize(to.outer.entries.size());
    to.kept_masks.resize(to.outer.masks.size());
    to.row_count = static_cast<unsigned>(to.outer.rows.size());
    to.atoms = static_cast<unsigned>(lists_.atoms_of(set));
    if (watching_ == Watching::by_device) to.pruned_points.resize(to.atoms);
    to.pruned_cell.reset();
}

void DevicePairs::upload_lists(gpu::Stream& stream) {
    if (pair_types_.size() == 0) pair_types_.fill(stream, pair_type_table(lj_));
    upload(home_, PairSet::home, stream);
    upload(halo_, PairSet::halo, stream);
    parameters_.fill(stream, cluster_parameters(clusters(), lj_, types_, charges_));
    args_.parameters = parameters_.data();
    args_.types = pair_types_.data();
    args_.type_count = static_cast<int>(lj_.has_lj.size() + 1);
    args_.sums = sums_.data();
    args_.high_shift = kernels::high_shift_for(home_.outer.most_additions + halo_.outer.most_additions);
}

// A pair beyond the inner radius at the last pruning has come no nearer than that less twice the largest move.
kernels::MoveLimit DevicePairs::find_moves(OnDevice& set, const Run& run, gpu::Stream& stream) {
    set.largest_move.zero(stream);
    kernels::find_moves(stream, {.points = run.sums.atom_points,
                                 .before = set.pruned_points.data(),
                                 .count = set.atoms,
                                 .metric = args_.metric,
                                 .largest = set.largest_move.data()});
    // Rounding in single precision, here and in the kernels: 1e-6 of the radius covers it.
    const double room = 0.5 * (lists_.inner_radius() * (1.0 - 2e-6) - settings_.cutoff);
    return {.largest = set.largest_move.data(), .square = room > 0.0 ? static_cast<float>(room * room) : -1.0f};
}

void DevicePairs::prune(OnDevice& set, const Run& run, gpu::Stream& stream) {
    const bool by_device = watching_ == Watching::by_device;
    const bool certain = !set.pruned_cell || (by_device && !(*set.pruned_cell == run.cell));
    if (!certain && (!by_device || lists_.all_pairs())) return;
    const kernels::MoveLimit due = certain ? kernels::MoveLimit{} : find_moves(set, run, stream);
    // Distances in single precision are good to 1e-6 of the radius.
    const double radius = lists_.inner_radius() * 1.000001;
    kernels::prune_pairs(stream, {.outer = {set.rows.data(), set.entries.data(), set.masks.data()},
                                  .kept = args_.pairs,
                                  .row_count = set.row_count,
                                  .points = run.sums.points,
                                  .metric = args_.metric,
                                  .radius2 = lists_.all_pairs() ? 1e30f : static_cast<float>(radius * radius),
                                  .due = due});
    set.pruned_cell = run.cell;
    if (!by_device) return;
    kernels::keep_points(
        stream, {.points = run.sums.atom_points, .kept = set.pruned_points.data(), .count = set.atoms, .due = due});
}

void DevicePairs::launch(OnDevice& set, const Run& run, gpu::Stream& stream) {
    args_.pairs = {set.kept_rows.data(), set.kept_entries.data(), set.kept_masks.data()};
    args_.row_count = set.row_count;
    if (set.row_count == 0) return;
    prune(set, run, stream);
    kernels::add_pair_forces(stream, args_);
}

void DevicePairs::launch_home(const Run& run, gpu::Stream& stream) {
    args_.metric = LatticeMetric<float>(run.cell);
    args_.points = run.sums.points;
    args_.forces = run.sums.forces;
    args_.high = run.sums.high;
    args_.flags = run.sums.flags;
    args_.everything = run.everything;
    if (run.everything) sums_.zero(stream);
    launch(home_, run, stream);
    if (run.everything && halo_.row_count == 0) sums_.download(stream, sums_down_);
}

void DevicePairs::launch_halo(const Run& run, gpu::Stream& stream) {
    launch(halo_, run, stream);
    if (run.everything && halo_.row_count > 0) sums_.download(stream, sums_down_);
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
