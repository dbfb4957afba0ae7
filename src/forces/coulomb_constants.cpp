// SPDX-License-Identifier: Apache-2.0
#include "forces/coulomb_constants.h"

#include <cmath>
#include <numbers>

#include "core/units.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "forces/pair_settings.h"

namespace mdsim {

namespace {

class CoulombConstants final : public HostTerm {
  public:
    CoulombConstants(double self_energy, double background_times_volume)
        : self_energy_(self_energy), background_times_volume_(background_times_volume) {}

    Part part() const override { return Part::bonded; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation&, ForceSink&) override {}
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override {
        EnergySums& sums = sink.slot(0).energies();
        const double background = evaluation.box.periodic() ? background_times_volume_ / evaluation.box.volume() : 0.0;
        if (evaluation.plan.energies == Need::yes) {
            sums[Term::coulomb_self].add(self_energy_);
            sums[Term::coulomb_net_charge_background].add(background);
        }
        if (evaluation.plan.virial == Need::yes) {
            for (int a = 0; a < 3; ++a) sums.virial(a, a).add(background);
        }
    }

  private:
    double self_energy_;              ///< [kJ/mol]
    double background_times_volume_;  ///< [kJ/mol nm^3]
};

}  // namespace

std::unique_ptr<HostTerm> make_coulomb_constants(const Topology& topology, const NonbondedSettings& settings) {
    // Once a stage, in the order of atoms, which no number of ranks changes.
    const double root = std::sqrt(settings.coulomb_constant);
    double sum = 0.0, squares = 0.0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
        for (const Atom& atom : type.atoms) {
            const double q = root * atom.charge;
            sum += q;
            squares += q * q;
        }
    });
    if (settings.electrostatics == Electrostatics::esp) {
        const mesh::ShiftedProlate split(settings.prolate_bandwidth);
        const double cutoff = settings.cutoff;
        return std::make_unique<CoulombConstants>(-0.5 * split.chi(0.0) / cutoff * squares,
                                                  -units::pi * cutoff * cutoff * split.second_moment() * sum * sum);
    }
    if (has_reciprocal_part(settings.electrostatics)) {
        const double beta = settings.ewald_splitting;
        return std::make_unique<CoulombConstants>(-beta * std::numbers::inv_sqrtpi * squares,
                                                  -units::pi * sum * sum / (2.0 * beta * beta));
    }
    if (settings.electrostatics == Electrostatics::reaction_field) {
        return std::make_unique<CoulombConstants>(-0.5 * make_coulomb_tail(settings).c_rf * squares, 0.0);
    }
    return nullptr;
}

}  // namespace mdsim
