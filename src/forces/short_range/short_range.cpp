// SPDX-License-Identifier: Apache-2.0
#include "forces/short_range/short_range.h"

#include <algorithm>
#include <bit>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "forces/pair_settings.h"
#include "forces/short_range/pair_virial.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// So many clusters before its turn an atom is fetched for its force: memory takes as long as some clusters.
constexpr std::size_t clusters_ahead = 4;
// Of the pairs; between them messages of other terms are passed on. The mesh has three to five turns.
constexpr std::size_t slices_between_messages = 5;

PairForm make_form(const NonbondedSettings& s, LjSource source) {
    PairForm form;
    form.lennard_jones = lj_form(s);
    form.ewald = has_reciprocal_part(s.electrostatics);
    form.source = source;
    form.lj = make_lj_tail(s);
    form.coulomb = make_kernel_coulomb_tail(s);
    form.cutoff2 = squared_cutoff(s);
    // A little below the limit of a pair, so that rounding does not matter. Ewald kernels take |F/r| for the strength.
    form.sum_limit = 0.99 * mixed_force_limit / (form.ewald ? std::max(1.0, s.cutoff) : 1.0);
    return form;
}

bool switched(LennardJones lj) {
    return lj != LennardJones::cut && lj != LennardJones::shift;
}

// Switched forms have no kernels for the geometric rule; the table holds for every rule.
LjCombination combination_of(const ShortRangeSystem& system) {
    LjCombination lj = find_lj_combination(system.force_field, system.types);
    if (switched(system.settings.lennard_jones) && lj.source == LjSource::geometric) lj.source = LjSource::table;
    return lj;
}

// None where atoms come later.
std::vector<int> types_of_atoms(const ShortRangeSystem& system) {
    if (system.scaled_charges.empty()) return {};
    MDSIM_EXPECT(system.types.size() == system.scaled_charges.size());
    return {system.types.begin(), system.types.end()};
}

bool run_mixed_kernel(const MixedArguments& a) {
    const bool lorentz = a.form.source == LjSource::lorentz_berthelot;
    if (switched(a.form.lennard_jones)) {
        return lorentz ? compute_mixed_switched_lorentz(a) : compute_mixed_switched(a);
    }
    return lorentz ? compute_mixed_lorentz(a) : compute_mixed_plain(a);
}

}  // namespace

PairPositions positions_of(const Evaluation& e) {
    return {e.lattice.cell(), e.box.periodic(), e.points};
}

AtomZones zones_of(const LocalAtoms& atoms) {
    AtomZones zones;
    zones.home = atoms.home;
    zones.all = atoms.all;
    zones.shared = atoms.split_axes != 0;
    if (!zones.shared) return zones;
    zones.above.reserve(atoms.size());
    for (const Zone& zone : atoms.zones) zones.above.push_back(zone.above);
    zones.places = atoms.places;
    return zones;
}

ShortRange::ShortRange(const ShortRangeSystem& system, PairPrecision precision, PairListSettings lists)
    : settings_(system.settings),
      types_(types_of_atoms(system)),
      charges_(system.scaled_charges.begin(), system.scaled_charges.end()),
      lj_(combination_of(system)),
      form_(make_form(system.settings, lj_.source)),
      precision_(precision),
      lists_(with_cutoff(lists, system.settings), ExclusionMap(types_.size(), system.exclusions),
             atoms_with_lj(lj_, types_)) {
    if (precision == PairPrecision::mixed) require_splitting_for_mixed(system.settings);
    fill_tables();
}

void ShortRange::fill_tables() {
    const std::size_t n = lj_.has_lj.size();
    double_six_c6_.assign((n + 1) * (n + 1), 0.0);
    double_twelve_c12_ = double_six_c6_;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double_six_c6_[i * (n + 1) + j] = lj_.six_c6[i * n + j];
            double_twelve_c12_[i * (n + 1) + j] = lj_.twelve_c12[i * n + j];
        }
    }
    for (const double c : double_six_c6_) mixed_six_c6_.push_back(static_cast<float>(c * fixed::pair_force_scale));
    for (const double c : double_twelve_c12_) {
        mixed_twelve_c12_.push_back(static_cast<float>(c * fixed::pair_force_scale));
    }
}

void ShortRange::assign(const LocalSystem& system) {
    types_ = system.parameters.type;
    charges_ = scaled_charges(system.parameters.charge, settings_);
    lists_.assign(ExclusionMap(types_.size(), system.terms.exclusions), atoms_with_lj(lj_, types_),
                  zones_of(system.atoms));
}

bool ShortRange::expired(const Evaluation& evaluation) {
    return lists_.expired(positions_of(evaluation));
}

void ShortRange::rebuild(const Evaluation& evaluation) {
    const PairPositions now = positions_of(evaluation);
    if (lists_.shared() || !lists_.update(now)) lists_.search_anew(now);
}

void ShortRange::set_mixed_parameters() {
    if (mixed_searches_ == lists_.searches()) return;
    mixed_searches_ = lists_.searches();
    const Clusters& clusters = lists_.clusters();
    resize_tightly(mixed_parameters_, clusters.size());
    parallel_ranges(clusters.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin * cluster_size; slot < end * cluster_size; ++slot) {
            MixedParameters& p = mixed_parameters_[slot / cluster_size];
            const std::size_t k = slot % cluster_size, atom = clusters.atoms()[slot];
            const bool real = clusters.real(slot);
            const auto type = real ? static_cast<std::size_t>(types_[atom]) : lj_.has_lj.size();
            p.q[k] = real ? static_cast<float>(charges_[atom]) : 0.0f;
            if (lj_.source == LjSource::table) {
                p.a[k] = std::bit_cast<float>(static_cast<std::int32_t>(type));
                p.b[k] = 0.0f;
            } else {
                p.a[k] = real ? static_cast<float>(lj_.a[type]) : 0.0f;
                p.b[k] = real ? static_cast<float>(lj_.b[type]) : 0.0f;
            }
        }
    });
}

void ShortRange::set_double_parameters() {
    if (double_searches_ == lists_.searches()) return;
    double_searches_ = lists_.searches();
    const Clusters& clusters = lists_.clusters();
    resize_tightly(double_parameters_, clusters.size());
    parallel_ranges(clusters.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin * cluster_size; slot < end * cluster_size; ++slot) {
            DoubleParameters& p = double_parameters_[slot / cluster_size];
            const std::size_t k = slot % cluster_size, atom = clusters.atoms()[slot];
            const bool real = clusters.real(slot);
            p.type[k] = real ? types_[atom] : static_cast<std::int32_t>(lj_.has_lj.size());
            p.q[k] = real ? charges_[atom] : 0.0;
        }
    });
}

// Room for the forces of every part, and zeros where its rows will add something.
template <class Forces>
void ShortRange::prepare(const PairList& list, Output<Forces>& output) {
    const std::size_t parts = list.parts.size() - 1, clusters = lists_.clusters().size();
    if (output.forces.size() != parts || output.clusters < clusters) {
        output.clusters = clusters + clusters / 16;
        output.forces.clear();
        for (std::size_t p = 0; p < parts; ++p) {
            output.forces.push_back(std::make_unique_for_overwrite<Forces[]>(output.clusters));
        }
    }
    output.shift_forces.resize(parts);
    output.energies.assign(parts, {});
    scratch_.resize(parts);
    parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            output.shift_forces[p].assign(shift_count, {});
            const std::vector<unsigned char>& touched = list.touched[p];
            for (std::size_t chunk = 0; chunk < touched.size(); ++chunk) {
                if (!touched[chunk]) continue;
                const std::size_t last = list.clusters.first_in(chunk + 1);
                for (std::size_t m = list.clusters.first_in(chunk); m < last; ++m) {
                    output.forces[p][list.clusters[m]] = Forces{};
                }
            }
        }
    });
}

template <class Arguments>
Arguments ShortRange::arguments_of(const PairList& list, std::size_t part, const Box& cell) const {
    Arguments a;
    a.form = form_;
    a.form.rectangular = cell.rectangular();
    a.metric = decltype(a.metric)(cell);
    a.chunks = std::span(list.chunks).subspan(list.parts[part], list.parts[part + 1] - list.parts[part]);
    a.points = lists_.clusters().points().data();
    a.shells = list.shells.data();
    a.types = static_cast<std::int32_t>(lj_.has_lj.size() + 1);
    return a;
}

MixedArguments ShortRange::mixed_arguments(const PairList& list, std::size_t part, const Evaluation& evaluation,
                                           bool exact) {
    auto a = arguments_of<MixedArguments>(list, part, evaluation.lattice.cell());
    a.form.energies = exact;
    a.parameters = mixed_parameters_.data();
    a.lj_rows = lists_.clusters().lj_rows().data();
    a.six_c6 = mixed_six_c6_.data();
    a.twelve_c12 = mixed_twelve_c12_.data();
    if (exact) {
        a.exact_forces = wide_.forces[part].get();
    } else {
        a.forces = mixed_.forces[part].get();
    }
    a.shift_forces = (exact ? wide_.shift_forces : mixed_.shift_forces)[part].data();
    a.energies = &(exact ? wide_.energies : mixed_.energies)[part];
    a.scratch = &scratch_[part];
    return a;
}

bool ShortRange::compute_mixed(const PairList& list, const Evaluation& evaluation, Sums sums) {
    const bool exact = sums == Sums::of_64_bits_with_energies;
    set_mixed_parameters();
    exact ? prepare(list, wide_) : prepare(list, mixed_);
    const std::size_t parts = list.parts.size() - 1;
    const std::size_t slices = lists_.shared() && evaluation.pass_on ? slices_between_messages : 1;
    std::vector<unsigned char> in_range(parts, 1);
    for (std::size_t slice = 0; slice < slices; ++slice) {
        if (slice > 0) evaluation.pass_on();
        parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t p = begin; p < end; ++p) {
                MixedArguments a = mixed_arguments(list, p, evaluation, exact);
                const std::size_t first = a.chunks.size() * slice / slices;
                a.chunks = a.chunks.subspan(first, a.chunks.size() * (slice + 1) / slices - first);
                if (!run_mixed_kernel(a)) in_range[p] = 0;
            }
        });
    }
    return std::all_of(in_range.begin(), in_range.end(), [](unsigned char flag) { return flag != 0; });
}

void ShortRange::compute_double(const PairList& list, const Evaluation& evaluation) {
    set_double_parameters();
    prepare(list, wide_);
    parallel_ranges(wide_.forces.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            auto a = arguments_of<DoubleArguments>(list, p, evaluation.lattice.cell());
            a.form.energies = evaluation.plan.energies == Need::yes;
            a.parameters = double_parameters_.data();
            a.six_c6 = double_six_c6_.data();
            a.twelve_c12 = double_twelve_c12_.data();
            a.forces = wide_.forces[p].get();
            a.shift_forces = wide_.shift_forces[p].data();
            a.energies = &wide_.energies[p];
            compute_double_pairs(a);
        }
    });
}

void ShortRange::compute_home(const Evaluation& evaluation, ForceSink& sink) {
    compute_set(PairSet::home, evaluation, sink);
}

void ShortRange::compute(const Evaluation& evaluation, ForceSink& sink) {
    if (lists_.has_halo()) compute_set(PairSet::halo, evaluation, sink);
}

void ShortRange::compute_set(PairSet set, const Evaluation& evaluation, ForceSink& sink) {
    lists_.update(set, positions_of(evaluation));
    lists_.gather(set, positions_of(evaluation));
    const PairList& list = lists_.list(set);
    const StepPlan& plan = evaluation.plan;
    const bool mixed = precision_ == PairPrecision::mixed && plan.overlaps == Need::no;
    constexpr int mixed_unit = fixed::pair_to_force_shift;
    if (mixed && plan.energies == Need::no && compute_mixed(list, evaluation, Sums::of_32_bits)) {
        deliver(list, mixed_, mixed_unit, plan, sink);
    } else if (mixed && compute_mixed(list, evaluation, Sums::of_64_bits_with_energies)) {
        deliver(list, wide_, mixed_unit, plan, sink);
    } else if (mixed) {
        sink.slot(0).energies().note_strong_pair();
    } else {
        compute_double(list, evaluation);
        deliver(list, wide_, 0, plan, sink);
    }
}

// Sums the parts atom by atom; the virial comes out of the same sums (pair_virial.h).
template <class Forces>
void ShortRange::deliver(const PairList& list, const Output<Forces>& output, int unit, StepPlan plan,
                         ForceSink& sink) const {
    const Clusters& clusters = lists_.clusters();
    const std::size_t parts = output.forces.size();
    const std::int64_t scale = std::int64_t{1} << unit;
    const bool with_virial = plan.virial == Need::yes;
    std::vector<PairVirial> virials(static_cast<std::size_t>(thread_count()));
    parallel_ranges(list.chunks.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        std::vector<const Forces*> sources;
        for (std::size_t chunk = begin; chunk < end; ++chunk) {
            sources.clear();
            for (std::size_t p = 0; p < parts; ++p) {
                if (list.touched[p][chunk]) sources.push_back(output.forces[p].get());
            }
            if (sources.empty()) continue;
            const std::size_t last = list.clusters.first_in(chunk + 1);
            for (std::size_t m = list.clusters.first_in(chunk); m < last; ++m) {
                const std::size_t c = list.clusters[m];
                const std::size_t soon = list.clusters[std::min(m + clusters_ahead, list.clusters.count - 1)];
                for (std::size_t k = 0; k < cluster_size; ++k) slot.expect(clusters.atoms()[soon * cluster_size + k]);
                for (std::size_t k = 0; k < cluster_size; ++k) {
                    Vec3l f{};
                    for (const Forces* source : sources) f += Vec3l{source[c].x[k], source[c].y[k], source[c].z[k]};
                    if (f == Vec3l{}) continue;  // padding among others
                    slot.add_units(clusters.atoms()[c * cluster_size + k], {f.x * scale, f.y * scale, f.z * scale});
                    if (with_virial) {
                        virials[static_cast<std::size_t>(thread)].add_atom(f, clusters.points()[c], k,
                                                                           clusters.bounds()[c].center);
                    }
                }
            }
        }
    });
    EnergySums& energies = sink.slot(0).energies();
    // 64-bit sums bring energies that nobody may have asked for.
    for (const PairEnergySums& e : output.energies) {
        if (e.clipped) energies.note_clipped();
    }
    for (const PairEnergySums& e : output.energies) {
        if (plan.energies == Need::no) break;
        energies[Term::lj_sr].add_wide(e.lj);
        energies[Term::coulomb_real].add_wide(e.coulomb);
    }
    if (!with_virial) return;
    for (std::size_t t = 1; t < virials.size(); ++t) virials[0].add(virials[t]);
    for (const auto& shifts : output.shift_forces) virials[0].subtract_shifts(shifts);
    virials[0].deliver(unit, energies);
}

}  // namespace mdsim
