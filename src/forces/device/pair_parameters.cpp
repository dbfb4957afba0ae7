// SPDX-License-Identifier: Apache-2.0
#include "forces/device/pair_parameters.h"

#include "core/fixed_point.h"
#include "forces/pair_settings.h"
#include "parallel/threads.h"

namespace mdsim {

using namespace kernels;

std::vector<ClusterParameters> cluster_parameters(const Clusters& clusters, const LjCombination& lj,
                                                  std::span<const int> types, std::span<const double> scaled_charges) {
    std::vector<ClusterParameters> parameters(clusters.size());
    parallel_ranges(clusters.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin * cluster_size; slot < end * cluster_size; ++slot) {
            const std::size_t k = slot % cluster_size, atom = clusters.atoms()[slot];
            const auto type = static_cast<std::size_t>(types[atom]);
            const bool real = clusters.real(slot), with_lj = real && lj.has_lj[type] != 0;
            ClusterParameters& p = parameters[slot / cluster_size];
            p.q[k] = real ? static_cast<float>(scaled_charges[atom]) : 0.0f;
            p.type[k] = static_cast<std::int32_t>(with_lj ? type : lj.has_lj.size());
        }
    });
    return parameters;
}

std::vector<PairTypes> pair_type_table(const LjCombination& lj) {
    const std::size_t n = lj.has_lj.size();
    std::vector<PairTypes> table((n + 1) * (n + 1), {0.0f, 0.0f});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            table[i * (n + 1) + j] = {static_cast<float>(lj.six_c6[i * n + j] * fixed::pair_force_scale),
                                      static_cast<float>(lj.twelve_c12[i * n + j] * fixed::pair_force_scale)};
        }
    }
    return table;
}

void set_pair_form(const NonbondedSettings& settings, PairForcesArgs& args) {
    using Ops = physics::ScalarOps<float>;
    const physics::CoulombTail<double> coulomb = make_kernel_coulomb_tail(settings);
    args.lennard_jones = lj_form(settings);
    args.coulomb_form = !has_reciprocal_part(settings.electrostatics) ? CoulombForm::reaction_field
                        : coulomb.fit_scale > 0.0                     ? CoulombForm::ewald_polynomial
                                                                      : CoulombForm::ewald_rational;
    args.lj = physics::spread<Ops>(make_lj_tail(settings));
    args.coulomb = physics::spread<Ops>(coulomb);
    args.cutoff2 = static_cast<float>(squared_cutoff(settings));
}

}  // namespace mdsim
