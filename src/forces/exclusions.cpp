// SPDX-License-Identifier: Apache-2.0
#include "forces/exclusions.h"

#include <algorithm>
#include <array>

#include "forces/exclusion_kernel.h"
#include "forces/pair_settings.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

using Ops = physics::ScalarOps<double>;

struct ExcludedPair {
    int i, j;
    double qq;  ///< [kJ nm/mol]
};

std::vector<ExcludedPair> charged_pairs(const LocalSystem& system, const NonbondedSettings& settings) {
    const std::vector<double> charges = scaled_charges(system.parameters.charge, settings);
    std::vector<ExcludedPair> pairs;
    pairs.reserve(system.terms.exclusions.size());
    for (const Exclusion& e : system.terms.exclusions) {
        const double qq = charges[static_cast<std::size_t>(e.i)] * charges[static_cast<std::size_t>(e.j)];
        if (qq != 0.0) pairs.push_back({e.i, e.j, qq});
    }
    return pairs;
}

bool has_charged_pairs(const MoleculeType& type) {
    const auto charged = [&](int i) { return type.atoms[static_cast<std::size_t>(i)].charge != 0.0; };
    return std::any_of(type.exclusions.begin(), type.exclusions.end(),
                       [&](const Exclusion& e) { return charged(e.i) && charged(e.j); });
}

void add_pair(const Evaluation& evaluation, ForceSink::Slot& slot, const ExcludedPair& p, const Vec3d& d,
              double force_over_r, double energy) {
    const Vec3d force = force_over_r * d;
    slot.add_pair(static_cast<std::size_t>(p.i), static_cast<std::size_t>(p.j), force);
    if (evaluation.plan.energies == Need::yes) slot.energies()[Term::coulomb_exclusion].add(energy);
    if (evaluation.plan.virial == Need::yes) slot.energies().add_virial(force, d);
}

/// Blocks of pairs: differences are gathered, the kernel works on whole vectors, results are rounded and added pair
/// by pair. A pair is the same in every block and lane.
class EwaldExclusions final : public HostTerm {
  public:
    explicit EwaldExclusions(const NonbondedSettings& settings)
        : settings_(settings),
          tail_(make_coulomb_tail(settings)),
          limit_(physics::is_prolate(tail_) ? settings.cutoff : physics::ewald_rational_limit / tail_.beta) {}

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override { pairs_ = charged_pairs(system, settings_); }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override {
        parallel_ranges(pairs_.size(), exclusion_block, [&](int thread, std::size_t begin, std::size_t end) {
            for (std::size_t first = begin; first < end; first += exclusion_block) {
                const std::size_t count = std::min<std::size_t>(exclusion_block, end - first);
                compute_block(evaluation, sink.slot(thread), std::span(pairs_).subspan(first, count));
            }
        });
    }

  private:
    void compute_block(const Evaluation& evaluation, ForceSink::Slot& slot, std::span<const ExcludedPair> pairs) const {
        ExclusionBlock block{};
        std::array<Vec3d, exclusion_block> differences;
        for (std::size_t n = 0; n < pairs.size(); ++n) {
            const ExcludedPair& p = pairs[n];
            differences[n] = evaluation.x[static_cast<std::size_t>(p.i)] - evaluation.x[static_cast<std::size_t>(p.j)];
            block.r2[n] = norm2(differences[n]);
            block.qq[n] = p.qq;
        }
        ewald_exclusions(tail_, evaluation.plan.energies == Need::yes, block);
        for (std::size_t n = 0; n < pairs.size(); ++n) {
            if (block.r2[n] > limit_ * limit_) correct_far_pair(block, n);
            add_pair(evaluation, slot, pairs[n], differences[n], block.force[n], block.energy[n]);
        }
    }

    // Where the kernel's formula does not hold (rare): the direct part, which prolates do not have there, less plain
    // Coulomb.
    void correct_far_pair(ExclusionBlock& block, std::size_t n) const {
        using Direct = physics::CoulombEwaldExact<Ops>;
        const double r2 = block.r2[n], qq = block.qq[n], inverse_r = Ops::inverse_sqrt(r2);
        block.force[n] = -qq * inverse_r * inverse_r * inverse_r;
        block.energy[n] = -qq * inverse_r;
        if (physics::is_prolate(tail_)) return;
        block.force[n] += Direct::force_over_r(tail_, r2, inverse_r, qq);
        block.energy[n] += Direct::energy(tail_, r2, inverse_r, qq);
    }

    NonbondedSettings settings_;
    physics::CoulombTail<double> tail_;
    double limit_;  ///< distances for which the kernel's formula holds [nm]
    std::vector<ExcludedPair> pairs_;
};

class ReactionFieldExclusions final : public HostTerm {
  public:
    explicit ReactionFieldExclusions(const NonbondedSettings& settings)
        : settings_(settings), tail_(make_coulomb_tail(settings)), cutoff2_(settings.cutoff * settings.cutoff) {}

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override { pairs_ = charged_pairs(system, settings_); }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override {
        parallel_ranges(pairs_.size(), [&](int thread, std::size_t begin, std::size_t end) {
            for (std::size_t n = begin; n < end; ++n) {
                const ExcludedPair& p = pairs_[n];
                const Vec3d d =
                    evaluation.x[static_cast<std::size_t>(p.i)] - evaluation.x[static_cast<std::size_t>(p.j)];
                const double r2 = norm2(d);
                if (r2 >= cutoff2_) continue;
                add_pair(evaluation, sink.slot(thread), p, d, -p.qq * tail_.two_k_rf,
                         p.qq * (tail_.k_rf * r2 - tail_.c_rf));
            }
        });
    }

  private:
    NonbondedSettings settings_;
    physics::CoulombTail<double> tail_;
    double cutoff2_;
    std::vector<ExcludedPair> pairs_;
};

}  // namespace

std::unique_ptr<HostTerm> make_exclusion_term(const Topology& topology, const NonbondedSettings& settings) {
    if (std::none_of(topology.types.begin(), topology.types.end(), has_charged_pairs)) return nullptr;
    if (has_reciprocal_part(settings.electrostatics)) return std::make_unique<EwaldExclusions>(settings);
    if (settings.electrostatics == Electrostatics::reaction_field) {
        return std::make_unique<ReactionFieldExclusions>(settings);
    }
    return nullptr;
}

}  // namespace mdsim
