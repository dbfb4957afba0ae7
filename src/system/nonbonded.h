// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim {

/// How Lennard-Jones ends at the cutoff. shift: the energy of each pair is shifted to zero there, the force is that of
/// cut. The switches start at switch_from; GROMACS' and CHARMM's force switches are different functions.
enum class LennardJones { cut, shift, potential_switch, force_switch, charmm_force_switch };

/// none: plain Coulomb between all pairs, no cutoff, no box (vacuum).
enum class Electrostatics { esp, pme, ewald, reaction_field, cutoff, none };

/// What a pair within the cutoff feels. One struct for references, SIMD and device kernels.
struct NonbondedSettings {
    double cutoff = 0.9;  ///< [nm], for Lennard-Jones and the direct part of Coulomb; unused with Electrostatics::none
    LennardJones lennard_jones = LennardJones::shift;
    double switch_from = 0.0;  ///< [nm], for the switched forms
    Electrostatics electrostatics = Electrostatics::pme;
    double ewald_splitting = 0.0;              ///< beta [1/nm], for pme and ewald
    double prolate_bandwidth = 0.0;            ///< c of the split, for esp
    double reaction_field_permittivity = 0.0;  ///< of the surroundings; 0 stands for infinity
    double coulomb_constant = 0.0;             ///< [kJ nm/mol/e^2]
};

/// A split with a sum over wave vectors: pairs have its short-ranged part, excluded pairs need a correction.
constexpr bool has_reciprocal_part(Electrostatics e) {
    return e == Electrostatics::pme || e == Electrostatics::ewald || e == Electrostatics::esp;
}
/// That sum by a mesh.
constexpr bool has_mesh(Electrostatics e) {
    return e == Electrostatics::pme || e == Electrostatics::esp;
}

}  // namespace mdsim
