// SPDX-License-Identifier: Apache-2.0
#include "forces/dispersion_correction.h"

#include <array>

#include "core/units.h"
#include "forces/pair_settings.h"

namespace mdsim {

namespace {

/// Gauss-Legendre, five points a piece (Abramowitz and Stegun, table 25.4), 64 pieces.
template <class F>
double integral(double from, double to, F&& f) {
    constexpr std::array<double, 3> node{0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr std::array<double, 3> weight{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    constexpr int pieces = 64;
    const double half = 0.5 * (to - from) / pieces;
    double sum = 0.0;
    for (int n = 0; n < pieces; ++n) {
        const double middle = from + (2 * n + 1) * half;
        sum += weight[0] * f(middle);
        for (std::size_t k = 1; k < 3; ++k) {
            sum += weight[k] * (f(middle - node[k] * half) + f(middle + node[k] * half));
        }
    }
    return sum * half;
}

bool switched(LennardJones form) {
    return form != LennardJones::cut && form != LennardJones::shift;
}

}  // namespace

double average_c6(const Topology& topology) {
    const ForceField& force_field = topology.force_field;
    const auto types = static_cast<std::size_t>(force_field.types());
    std::vector<double> count(types, 0.0);
    double pairs = 0.5 * static_cast<double>(topology.atoms()) * static_cast<double>(topology.atoms() - 1);
    double sum = 0.0;
    for (const MoleculeBlock& block : topology.blocks) {
        const MoleculeType& molecule = topology.types[static_cast<std::size_t>(block.type)];
        const auto copies = static_cast<double>(block.count);
        for (const Atom& atom : molecule.atoms) count[static_cast<std::size_t>(atom.type)] += copies;
        for (const Exclusion& e : molecule.exclusions) {
            sum -= copies * force_field
                                .pair(molecule.atoms[static_cast<std::size_t>(e.i)].type,
                                      molecule.atoms[static_cast<std::size_t>(e.j)].type)
                                .c6;
            pairs -= copies;
        }
    }
    for (std::size_t a = 0; a < types; ++a) {
        sum += 0.5 * count[a] * (count[a] - 1.0) * force_field.pair(static_cast<int>(a), static_cast<int>(a)).c6;
        for (std::size_t b = a + 1; b < types; ++b) {
            sum += count[a] * count[b] * force_field.pair(static_cast<int>(a), static_cast<int>(b)).c6;
        }
    }
    return pairs > 0.0 ? sum / pairs : 0.0;
}

DispersionConstants dispersion_constants(const NonbondedSettings& settings) {
    using Ops = physics::ScalarOps<double>;
    const double rc = settings.cutoff;
    const double rs = switched(settings.lennard_jones) ? settings.switch_from : rc;
    const auto tail = make_lj_tail(settings);
    DispersionConstants c{};
    // Beyond the cutoff: -r^-6 as a whole.
    c.energy = -4.0 * units::pi / (3.0 * rc * rc * rc);
    c.virial = -8.0 * units::pi / (3.0 * rc * rc * rc);
    // Before the switch: the shift alone, without a force.
    c.self = -6.0 * tail.shift6;
    c.energy += 4.0 / 3.0 * units::pi * rs * rs * rs * c.self;
    if (rs == rc) return c;
    with_lj_formula<Ops>(settings, [&](auto formula) {
        using Used = decltype(formula);
        using Plain = physics::LjPlain<Ops>;
        const auto plain = physics::lj_tail_cut();
        c.energy += 4.0 * units::pi * integral(rs, rc, [&](double r) {
                        const double missing = Plain::energy(plain, r * r, 1.0 / r, 6.0, 0.0) -
                                               Used::energy(tail, r * r, 1.0 / r, 6.0, 0.0);
                        return r * r * missing;
                    });
        c.virial += 4.0 / 3.0 * units::pi * integral(rs, rc, [&](double r) {
                        const double missing = Plain::force_over_r(plain, r * r, 1.0 / r, 6.0, 0.0) -
                                               Used::force_over_r(tail, r * r, 1.0 / r, 6.0, 0.0);
                        return r * r * r * r * missing;
                    });
    });
    return c;
}

DispersionCorrection::DispersionCorrection(double atoms, double average_c6, const NonbondedSettings& settings)
    : atoms_(atoms), average_c6_(average_c6), constants_(dispersion_constants(settings)) {}

double DispersionCorrection::energy(double volume) const {
    return 0.5 * atoms_ * average_c6_ * (atoms_ / volume * constants_.energy - constants_.self);
}

double DispersionCorrection::virial(double volume) const {
    return 0.5 * atoms_ * average_c6_ * (atoms_ / volume * constants_.virial);
}

void DispersionCorrection::compute_home(const Evaluation& evaluation, ForceSink& sink) {
    if (!evaluation.box.periodic()) return;
    const double volume = evaluation.box.volume();
    EnergySums& sums = sink.slot(0).energies();
    if (evaluation.plan.energies == Need::yes) sums[Term::dispersion_correction].add(energy(volume));
    if (evaluation.plan.virial == Need::yes) {
        for (int a = 0; a < 3; ++a) sums.virial(a, a).add(virial(volume));
    }
}

std::unique_ptr<DispersionCorrection> make_dispersion_correction(const Topology& topology,
                                                                 const NonbondedSettings& settings) {
    if (settings.electrostatics == Electrostatics::none) return nullptr;
    return std::make_unique<DispersionCorrection>(static_cast<double>(topology.atoms()), average_c6(topology),
                                                  settings);
}

}  // namespace mdsim
