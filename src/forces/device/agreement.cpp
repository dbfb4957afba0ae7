// SPDX-License-Identifier: Apache-2.0
#include "forces/device/agreement.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr double tolerance = 1e-4;    // relative
constexpr double force_floor = 1e-3;  // [kJ/mol/nm]; components are rounded to 2.4e-4
// Of each atom [kJ/mol]. Where energies of opposite signs cancel, as in water that has not turned yet, the errors of
// Ewald's correction in single precision do not: 2e-4 of the energy, and up to 1e-3 of the virial, were seen.
constexpr double energy_floor = 1e-3, virial_floor = 5e-3;

[[noreturn]] void throw_disagreement(const std::string& name, const std::string& what) {
    Problem problem;
    problem.code = "MD707";
    problem.what = fmt::format("{} computes something else than the CPU: {}", name, what);
    problem.why = "the first evaluation of a stage is computed by both, and they should agree to single precision";
    problem.remedy = "run with gpu = \"off\"; then look for a faulty device or driver, or report an error in mdsim";
    throw Error(ExitCode::internal_error, std::move(problem));
}

void compare_forces(const DeviceResult& device, const ForceSink& host, const std::string& name) {
    constexpr double unit = 1.0 / fixed::pair_force_scale;
    double error = 0.0, size = 0.0, worst = 0.0;
    std::size_t worst_atom = 0;
    for (std::size_t i = 0; i < host.size(); ++i) {
        const Vec3d f = host.force(i);
        const kernels::AtomForce& g = device.forces[i];
        const double d =
            norm2(unit * Vec3d{static_cast<double>(g.x), static_cast<double>(g.y), static_cast<double>(g.z)} - f);
        error += d;
        size += norm2(f);
        if (!(d <= worst)) {
            worst = d;
            worst_atom = i;
        }
    }
    const auto atoms = static_cast<double>(host.size());
    if (error <= tolerance * tolerance * size + force_floor * force_floor * atoms) return;
    const auto number = device.ids.empty() ? static_cast<std::int64_t>(worst_atom) : device.ids[worst_atom];
    throw_disagreement(name,
                       fmt::format("the RMS difference of the forces is {:.3g} kJ/mol/nm, of their RMS {:.3g}; the "
                                   "largest, {:.3g}, is on atom {}",
                                   std::sqrt(error / atoms), std::sqrt(size / atoms), std::sqrt(worst), number + 1));
}

bool close(double found, double expected, double floor) {
    return std::abs(found - expected) <= tolerance * std::abs(expected) + floor;
}

void compare_energies(const DeviceResult& device, const ForceSink& host, const std::string& name) {
    const auto atoms = static_cast<double>(device.atoms);
    for (const Term term : {Term::lj_sr, Term::coulomb_real, Term::coulomb_recip}) {
        const double found = device.energies[term].value(), expected = host.energies()[term].value();
        if (close(found, expected, energy_floor * atoms)) continue;
        throw_disagreement(name,
                           fmt::format("{} is {:.8g} kJ/mol, and should be {:.8g}", name_of(term), found, expected));
    }
    const Mat3d found = device.energies.virial(), expected = host.energies().virial();
    for (std::size_t a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            if (close(found[a][b], expected[a][b], virial_floor * atoms)) continue;
            throw_disagreement(name, fmt::format("an element of the virial is {:.8g} kJ/mol, and should be {:.8g}",
                                                 found[a][b], expected[a][b]));
        }
    }
}

}  // namespace

void require_agreement(const DeviceResult& device, const ForceSink& host, const std::string& name) {
    compare_forces(device, host, name);
    compare_energies(device, host, name);
}

}  // namespace mdsim
