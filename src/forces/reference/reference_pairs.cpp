// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/reference_pairs.h"

#include <algorithm>

#include "core/error.h"
#include "forces/pair_settings.h"
#include "forces/reference/pair_search.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {
using Ops = physics::ScalarOps<double>;
}

ReferencePairs::ReferencePairs(const ForceField& force_field, std::vector<int> types,
                               std::vector<double> scaled_charges, const std::vector<Exclusion>& exclusions,
                               const NonbondedSettings& settings)
    : lj_(force_field.lj),
      type_count_(static_cast<std::size_t>(force_field.types())),
      types_(std::move(types)),
      charges_(std::move(scaled_charges)),
      first_excluded_(types_.size() + 1, 0),
      excluded_(exclusions.size()),
      settings_(settings) {
    MDSIM_EXPECT(charges_.size() == types_.size());
    for (LjParameters& p : lj_) p = {6.0 * p.c6, 12.0 * p.c12};
    // Sorted by the upper atom: count, sum, fill. The list is sorted by i, so partners come in ascending order.
    for (const Exclusion& e : exclusions) ++first_excluded_[static_cast<std::size_t>(e.j) + 1];
    for (std::size_t n = 1; n < first_excluded_.size(); ++n) first_excluded_[n] += first_excluded_[n - 1];
    std::vector<std::size_t> next(first_excluded_.begin(), first_excluded_.end() - 1);
    for (const Exclusion& e : exclusions) excluded_[next[static_cast<std::size_t>(e.j)]++] = e.i;
}

bool ReferencePairs::excluded(int i, int j) const {
    const auto begin = excluded_.begin();
    const auto first = static_cast<std::ptrdiff_t>(first_excluded_[static_cast<std::size_t>(i)]);
    const auto last = static_cast<std::ptrdiff_t>(first_excluded_[static_cast<std::size_t>(i) + 1]);
    return std::binary_search(begin + first, begin + last, j);
}

void ReferencePairs::compute(const Evaluation& evaluation, ForceSink& sink) {
    with_lj_formula<Ops>(settings_, [&](auto lj) {
        if (settings_.electrostatics == Electrostatics::esp) {
            compute_with<decltype(lj), physics::CoulombProlate<Ops>>(evaluation, sink);
        } else if (has_reciprocal_part(settings_.electrostatics)) {
            compute_with<decltype(lj), physics::CoulombEwaldExact<Ops>>(evaluation, sink);
        } else {
            compute_with<decltype(lj), physics::CoulombReactionField<Ops>>(evaluation, sink);
        }
    });
}

template <class Lj, class Coulomb>
void ReferencePairs::compute_with(const Evaluation& evaluation, ForceSink& sink) const {
    const bool all_pairs = settings_.electrostatics == Electrostatics::none;
    const Box box = all_pairs ? Box{} : evaluation.box;
    const double cutoff2 = all_pairs ? 1e300 : settings_.cutoff * settings_.cutoff;
    MDSIM_EXPECT(all_pairs || !box.periodic() || 2.0 * settings_.cutoff <= box.smallest_height() * (1.0 + 1e-9));
    const PairSearch search(box, evaluation.x, all_pairs ? 0.0 : settings_.cutoff);
    const auto lj_tail = make_lj_tail(settings_);
    const auto coulomb_tail = make_coulomb_tail(settings_);
    const auto one_atom = [&](ForceSink::Slot& slot, std::size_t i) {
        search.for_each_candidate(static_cast<int>(i), [&](int lower) {
            const auto j = static_cast<std::size_t>(lower);
            const Vec3d d = box.minimum_image(evaluation.x[i] - evaluation.x[j]);
            const double r2 = norm2(d);
            if (!(r2 < cutoff2) || excluded(static_cast<int>(i), lower)) return;
            const double inverse_r = Ops::inverse_sqrt(r2), qq = charges_[i] * charges_[j];
            const LjParameters& p =
                lj_[static_cast<std::size_t>(types_[i]) * type_count_ + static_cast<std::size_t>(types_[j])];
            const Vec3d force = (Lj::force_over_r(lj_tail, r2, inverse_r, p.c6, p.c12) +
                                 Coulomb::force_over_r(coulomb_tail, r2, inverse_r, qq)) *
                                d;
            slot.add_pair(i, j, force);
            if (evaluation.plan.energies == Need::yes) {
                slot.energies()[Term::lj_sr].add(Lj::energy(lj_tail, r2, inverse_r, p.c6, p.c12));
                slot.energies()[Term::coulomb_real].add(Coulomb::energy(coulomb_tail, r2, inverse_r, qq));
            }
            if (evaluation.plan.virial == Need::yes) slot.energies().add_virial(force, d);
        });
    };
    // Atoms by turns: without cells the work of atom i grows with i.
    parallel_ranges(static_cast<std::size_t>(thread_count()), [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            const auto parts = static_cast<std::size_t>(thread_count());
            for (std::size_t i = part; i < types_.size(); i += parts) one_atom(sink.slot(thread), i);
        }
    });
}

}  // namespace mdsim
