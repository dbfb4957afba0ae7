// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

/// Inside mdsim: nm, ps, u, e, kJ/mol, K, bar (docs/units.md). Conversion happens in io/ only.
namespace mdsim::units {

inline constexpr double pi = std::numbers::pi;

/// Gas constant [kJ/mol/K], CODATA 2018: 8.31446261815324 J/mol/K, exact by the definition of the SI.
inline constexpr double boltzmann = 8.31446261815324e-3;

/// 1 kJ/mol/nm^3 in bar: 1e3 J / 6.02214076e23 / 1e-27 m^3 / 1e5 Pa (Avogadro constant exact since 2019).
inline constexpr double bar_per_pressure_unit = 1e25 / 6.02214076e23;

/// 1 u/nm^3 in kg/m^3: 1.66053906660e-27 kg / 1e-27 m^3 (CODATA 2018).
inline constexpr double density_unit = 1.66053906660;

/// 1 kcal in kJ, thermochemical, exact.
inline constexpr double kcal = 4.184;

/// Coulomb constant [kJ nm/mol/e^2] by the source of the force field; they differ by some 1e-5.
/// CODATA 2018: e^2 N_A / (4 pi eps0). AMBER: 18.2223^2 kcal A/mol/e^2. CHARMM: 332.0716 kcal A/mol/e^2.
/// GROMACS 2022: 138.935458 (api/legacy/include/gromacs/math/units.h works from CODATA 2018 constants).
inline constexpr double coulomb_codata2018 = 138.935457644;
inline constexpr double coulomb_amber = 18.2223 * 18.2223 * kcal / 10.0;
inline constexpr double coulomb_charmm = 332.0716 * kcal / 10.0;

}  // namespace mdsim::units
