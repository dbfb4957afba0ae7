// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/vec3.h"
#include "parallel/comm.h"
#include "system/state.h"

namespace mdsim {

/// One step as the update pass leaves it behind. Half-step velocities before and after x(t); the on-step velocity is
/// their mean. `v_before` is after centre-of-mass removal and thermostat scaling, `v_after` before any random kick, so
/// that between the two only forces and constraints acted. Extent of each: atoms.
struct OnStep {
    std::span<const Vec3d> x;         ///< x(t) [nm]
    std::span<const Vec3d> v_before;  ///< v(t - dt/2) [nm/ps]
    std::span<const Vec3d> v_after;   ///< v(t + dt/2) [nm/ps]

    /// v(t) of velocity Verlet [nm/ps].
    Vec3d v(std::size_t atom) const { return 0.5 * (v_before[atom] + v_after[atom]); }
};

/// Kinetic energies of one step [kJ/mol], each addend (an atom's share) rounded once.
/// - on_step, from v(t): that of velocity Verlet. It goes with the potential energy of x(t) into total and conserved
///   energy, whose fluctuation falls with dt^2.
/// - half_step, the mean of the energies at t - dt/2 and t + dt/2, and its tensor: temperature and pressure. For
///   harmonic motion its mean equals that of the potential energy at any stable dt, while on_step lies lower by
///   (omega dt)^2/4; and with the virial of constraint forces, as each integrator gives it, it cancels for rigid bonds,
///   so that pressure has no error of order dt^2 from fast rotation.
struct KineticEnergies {
    double on_step = 0.0;
    double half_step = 0.0;
    Mat3d tensor{};  ///< of half_step, sum of m v_a v_b / 2 [kJ/mol]; its trace is half_step
};

/// Which of them the reported temperature is of: leap-frog and Langevin report half steps, velocity Verlet on step.
enum class TemperatureOf { half_steps, on_step };

/// All of them, of the atoms of all ranks, in one threaded pass. Called by all ranks.
KineticEnergies kinetic_energies(const AtomParameters& atoms, const OnStep& step, const Comm& comm);

/// Sum of m (v - drift)^2 / 2 [kJ/mol] over the atoms of all ranks whose inverse mass is not 0. `drift` [nm/ps]. Called
/// by all ranks.
double kinetic_energy(const AtomParameters& atoms, std::span<const Vec3d> v, const Comm& comm, const Vec3d& drift = {});

/// 2 K / (degrees k) [K]; 0 without degrees of freedom.
double temperature(double kinetic, double degrees);

/// Pressure tensor [bar]: (2 K + W) / V, with the kinetic tensor of the half steps, the virial W of all forces and
/// constraints (system/energies.h) [kJ/mol], volume [nm^3] and the dispersion correction [bar] on the diagonal.
Mat3d pressure_tensor(const Mat3d& kinetic, const Mat3d& virial, double volume, double dispersion_correction);

/// A third of the trace.
double mean_pressure(const Mat3d& tensor);

}  // namespace mdsim
