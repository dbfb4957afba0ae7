// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/vec3.h"
#include "forces/mesh/pme_parameters.h"
#include "forces/mesh/prolate/esp_parameters.h"
#include "system/box.h"
#include "system/structure.h"
#include "system/topology.h"

namespace mdsim::test {

/// Point charges in a box, with the pairs that do not interact.
struct ChargedSystem {
    std::string name;
    Box box;
    std::vector<Vec3d> x;
    std::vector<double> q;
    std::vector<Exclusion> exclusions;
    mesh::ChargeStatistics statistics;
};

ChargedSystem charged_system(std::string name, const Topology& topology, const Structure& structure);
/// Rigid three-site water as a .gro file holds it, with the charges of oxygen and hydrogen.
ChargedSystem water_system(std::string name, const Structure& structure, double oxygen, double hydrogen);
/// As many ions of charge 1 as of charge -1, the former first.
ChargedSystem salt_system(std::string name, const Structure& structure);
/// A rock salt lattice of the density of the melt, every ion displaced by normal deviates of 0.055 nm an axis.
ChargedSystem disturbed_lattice();
/// A thousand charges of +-1 e at random places, at the density of water.
ChargedSystem random_charges();

/// Those of the mesh alone, in double precision [kJ/mol/nm].
std::vector<Vec3d> mesh_forces(const ChargedSystem& system, const mesh::PmeParameters& parameters);
/// Every electrostatic force [kJ/mol/nm]: pairs within the cutoff by plain loops, the rest by a mesh in double
/// precision.
std::vector<Vec3d> electrostatic_forces(const ChargedSystem& system, const mesh::PmeParameters& parameters,
                                        double cutoff);
std::vector<Vec3d> electrostatic_forces(const ChargedSystem& system, const mesh::EspParameters& parameters,
                                        double cutoff);
/// The same by an Ewald sum that is exact to some 1e-8 of the force: real and reciprocal parts converged.
std::vector<Vec3d> exact_forces(const ChargedSystem& system);

double root_mean_square(const std::vector<Vec3d>& f);
double root_mean_square_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b);

/// small: those that take a moment.
enum class Extent { small, all };

/// Whatever of these is there: bundled systems always, reference data where they are found.
std::vector<ChargedSystem> bundled_systems();
std::vector<ChargedSystem> reference_systems(Extent extent);

}  // namespace mdsim::test
