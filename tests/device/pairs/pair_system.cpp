// SPDX-License-Identifier: Apache-2.0
#include "tests/device/pairs/pair_system.h"

#include <cmath>

#include "core/fixed_point.h"
#include "forces/device/pair_parameters.h"
#include "forces/pair_settings.h"
#include "forces/reference/reference_pairs.h"
#include "forces/short_range/short_range.h"
#include "tests/device/kernels/atoms.h"
#include "tests/unit/short_range/evaluate_terms.h"

namespace mdsim::test {

using namespace mdsim::kernels;

namespace {

std::vector<LatticePoint> points_of(const Lattice& lattice, const std::vector<Vec3d>& x) {
    std::vector<LatticePoint> points(x.size());
    lattice.points(x, points);
    return points;
}

}  // namespace

double PairResult::sum(PairSums::Index i) const {
    return (static_cast<double>(sums.high[i]) * 4294967296.0 + static_cast<double>(sums.low[i])) / fixed::energy_scale;
}

PairSystem::PairSystem(const PairAtoms& atoms, const NonbondedSettings& settings)
    : atoms_(atoms),
      settings_(settings),
      lattice_(atoms.box, atoms.x),
      points_(points_of(lattice_, atoms.x)),
      lj_(find_lj_combination(atoms.force_field, atoms.types)),
      lists_(with_cutoff({}, settings), ExclusionMap(atoms.x.size(), atoms.exclusions),
             atoms_with_lj(lj_, atoms.types)) {
    lists_.update({lattice_.cell(), atoms.box.periodic(), points_});
    make_tile_list(lists_, PairSet::home, outer_);
}

PairResult PairSystem::run(const Case& c, const PairRun& wanted) const {
    const gpu::Device device(c.info, c.settings);
    gpu::Stream stream(device);
    const Clusters& clusters = lists_.clusters();
    const auto rows = on_device<TileRow>(device, stream, outer_.rows),
               kept_rows = on_device<TileRow>(device, stream, outer_.rows);
    const auto entries = on_device<std::uint32_t>(device, stream, outer_.entries);
    const auto masks = on_device<std::uint64_t>(device, stream, outer_.masks);
    const auto points = on_device<ClusterPoints>(device, stream, clusters.points());
    const auto parameters = on_device<ClusterParameters>(
        device, stream, cluster_parameters(clusters, lj_, atoms_.types, scaled_charges(atoms_.charges, settings_)));
    const auto types = on_device<PairTypes>(device, stream, pair_type_table(lj_));
    gpu::Buffer<std::uint32_t> kept_entries(device, {});
    gpu::Buffer<std::uint64_t> kept_masks(device, {});
    gpu::Buffer<ClusterForces> forces(device, {}), high(device, {});
    gpu::Buffer<PairSums> sums(device, {});
    gpu::Buffer<ForceFlags> flags(device, {});
    kept_entries.resize(entries.size());
    kept_masks.resize(masks.size());
    forces.resize(clusters.size());
    sums.resize(pair_sum_parts);
    flags.resize(1);
    high.resize(clusters.size());
    high.zero(stream);
    forces.zero(stream);
    sums.zero(stream);
    flags.zero(stream);

    const LatticeMetric<float> metric(lattice_.cell());
    const auto row_count = static_cast<unsigned>(outer_.rows.size());
    const TilePairs outer{rows.data(), entries.data(), masks.data()};
    const TilePairs kept{kept_rows.data(), kept_entries.data(), kept_masks.data()};
    const double radius = lists_.inner_radius() * 1.000001;
    const float radius2 = lists_.all_pairs() ? 1e30f : static_cast<float>(radius * radius);
    prune_pairs(stream, {outer, kept, row_count, points.data(), metric, radius2});
    PairForcesArgs args{.pairs = wanted.pruned ? kept : outer,
                        .row_count = row_count,
                        .points = points.data(),
                        .parameters = parameters.data(),
                        .types = types.data(),
                        .type_count = static_cast<int>(lj_.has_lj.size() + 1),
                        .metric = metric};
    set_pair_form(settings_, args);
    args.everything = wanted.everything;
    args.forces = forces.data();
    args.sums = sums.data();
    args.flags = flags.data();
    args.high = high.data();
    args.high_shift = high_shift_for(outer_.most_additions);
    wanted.launch(stream, args);

    PairResult result;
    for (const PairSums& part : from_device(stream, sums)) {
        for (int i = 0; i < PairSums::count; ++i) {
            result.sums.low[i] += part.low[i];
            result.sums.high[i] += part.high[i];
        }
    }
    result.flags = from_device(stream, flags)[0];
    result.kept.rows = from_device(stream, kept_rows);
    result.kept.entries = from_device(stream, kept_entries);
    result.kept.masks = from_device(stream, kept_masks);
    const std::vector<ClusterForces> low = from_device(stream, forces), rest = from_device(stream, high);
    stream.finish();
    for (const std::uint32_t slot : clusters.slots()) {
        const ClusterForces &f = low[slot / cluster_size], &g = rest[slot / cluster_size];
        const std::uint32_t k = slot % cluster_size;
        const std::int64_t unit = std::int64_t{1} << args.high_shift;
        result.second_words = result.second_words || g.x[k] != 0 || g.y[k] != 0 || g.z[k] != 0;
        result.forces.push_back({f.x[k] + unit * g.x[k], f.y[k] + unit * g.y[k], f.z[k] + unit * g.z[k]});
    }
    return result;
}

Expected PairSystem::evaluate(HostTerm& term) const {
    const ForceSink sink = evaluate_term(term, {atoms_.box, lattice_, atoms_.x, points_, {0, Need::yes, Need::yes}});
    return {{sink.forces().begin(), sink.forces().end()}, sink.energies()};
}

Expected PairSystem::reference() const {
    ReferencePairs term(atoms_.force_field, atoms_.types, scaled_charges(atoms_.charges, settings_), atoms_.exclusions,
                        settings_);
    return evaluate(term);
}

Expected PairSystem::cpu() const {
    const std::vector<double> charges = scaled_charges(atoms_.charges, settings_);
    ShortRange term({atoms_.force_field, atoms_.types, charges, atoms_.exclusions, settings_}, PairPrecision::mixed);
    return evaluate(term);
}

}  // namespace mdsim::test
