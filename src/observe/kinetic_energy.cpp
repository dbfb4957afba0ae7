// SPDX-License-Identifier: Apache-2.0
#include "observe/kinetic_energy.h"

#include <array>
#include <vector>

#include "core/error.h"
#include "core/fixed_point.h"
#include "core/units.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// xx, yy, zz, xy, xz, yz of the half steps, then the on-step energy.
struct KineticSums {
    std::array<fixed::EnergySum, 7> sums;

    void add_atom(double mass, const Vec3d& before, const Vec3d& after) {
        const double quarter = 0.25 * mass;
        const auto half = [&](int a, int b) { return quarter * (before[a] * before[b] + after[a] * after[b]); };
        sums[0].add(half(0, 0));
        sums[1].add(half(1, 1));
        sums[2].add(half(2, 2));
        sums[3].add(half(0, 1));
        sums[4].add(half(0, 2));
        sums[5].add(half(1, 2));
        sums[6].add(0.125 * mass * norm2(before + after));
    }
    void add(const KineticSums& other) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(other.sums[i]);
    }
};

template <class Sums, class F>
Sums sum_over_atoms(std::size_t atoms, F&& f) {
    std::vector<Sums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(atoms, [&](int thread, std::size_t begin, std::size_t end) {
        Sums sums{};
        for (std::size_t i = begin; i < end; ++i) f(i, sums);
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    Sums total{};
    for (const Sums& p : partial) total.add(p);
    return total;
}

}  // namespace

KineticEnergies kinetic_energies(const AtomParameters& atoms, const OnStep& step, const Comm& comm) {
    KineticSums total = sum_over_atoms<KineticSums>(atoms.size(), [&](std::size_t i, KineticSums& sums) {
        sums.add_atom(atoms.mass[i], step.v_before[i], step.v_after[i]);
    });
    comm.sum(total.sums);
    const auto value = [&](std::size_t i) { return total.sums[i].value(); };
    KineticEnergies k;
    k.tensor = {Vec3d{value(0), value(3), value(4)}, Vec3d{value(3), value(1), value(5)},
                Vec3d{value(4), value(5), value(2)}};
    k.half_step = value(0) + value(1) + value(2);
    k.on_step = value(6);
    return k;
}

double kinetic_energy(const AtomParameters& atoms, std::span<const Vec3d> v, const Comm& comm, const Vec3d& drift) {
    auto total = sum_over_atoms<fixed::EnergySum>(atoms.size(), [&](std::size_t i, fixed::EnergySum& sum) {
        if (atoms.inverse_mass[i] != 0.0) sum.add(0.5 * atoms.mass[i] * norm2(v[i] - drift));
    });
    comm.sum(std::span(&total, 1));
    return total.value();
}

double temperature(double kinetic, double degrees) {
    return degrees > 0.0 ? 2.0 * kinetic / (degrees * units::boltzmann) : 0.0;
}

Mat3d pressure_tensor(const Mat3d& kinetic, const Mat3d& virial, double volume, double dispersion_correction) {
    MDSIM_EXPECT(volume > 0.0);
    Mat3d pressure;
    for (int a = 0; a < 3; ++a) {
        const auto row = static_cast<std::size_t>(a);
        pressure[row] = (units::bar_per_pressure_unit / volume) * (2.0 * kinetic[row] + virial[row]);
        pressure[row][a] += dispersion_correction;
    }
    return pressure;
}

double mean_pressure(const Mat3d& tensor) {
    return (tensor[0].x + tensor[1].y + tensor[2].z) / 3.0;
}

}  // namespace mdsim
