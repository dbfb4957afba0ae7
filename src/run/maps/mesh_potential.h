// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "forces/mesh/charge_grid.h"
#include "forces/mesh/influence.h"
#include "forces/mesh/transform/fft3d.h"
#include "system/box.h"
#include "system/lattice.h"

namespace mdsim {

/// The smooth part of the electrostatic potential of an Ewald sum, by the solver that computes its forces (smooth PME,
/// docs/theory/pme.md): that of charges that are Gaussians of density exp(-(beta r)^2), in a uniform background which
/// makes the mean potential zero. As a map of a trajectory this is the "PMEPot" of Aksimentiev & Schulten, Biophys. J.
/// 88 (2005) 3745.
class MeshPotential {
  public:
    struct Settings {
        double spacing;           ///< most between nodes of the mesh in the first box [nm]; 0.05/beta at least is taken
        double splitting;         ///< beta [1/nm]
        double coulomb_constant;  ///< [kJ nm/mol/e^2]
    };
    MeshPotential(const Settings& settings, const Box& box, std::span<const double> charges);

    /// Of charges at x. Error MD501 where they lie on top of each other.
    void solve(const Box& box, std::span<const Vec3d> x);
    /// After solve, anywhere [kJ/mol/e].
    double at(const Vec3d& x) const;

  private:
    static constexpr int order = 6;
    std::array<int, 3> mesh_;
    mesh::ChargeGrid<double> grid_;
    mesh::Fft3d<double> fft_;
    mesh::Influence<double> influence_;
    std::vector<LatticePoint> points_;
    std::unique_ptr<Lattice> lattice_;
    std::vector<const double*> rows_;  ///< of the potential, [x][y]
};

}  // namespace mdsim
