// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <random>
#include <vector>

#include "domain/local/local_atoms.h"
#include "system/lattice.h"

/// Systems cut into regions in one process, every rank's local atoms found by looking at all atoms.
namespace mdsim::test {

struct System {
    Topology topology;
    Box box;
    std::vector<Vec3d> x;
};

/// Bounds of regions along the three axes as shares of the box, from 0 to 1; extent of each: regions + 1.
using Bounds = std::array<std::vector<double>, 3>;
Bounds uniform(const std::array<int, 3>& grid);

/// The same shares of the middle part of the box only: what is in its outer parts belongs to the first and last region.
Bounds squeezed(Bounds bounds, double part);

struct CutSystem {
    std::vector<Vec3d> x;           ///< positions now: atoms have moved since they were given to regions
    std::vector<LocalAtoms> ranks;  ///< extent: regions
};

/// Units are given to regions, then all atoms move by up to 0.05 nm along each axis, then each region gets what lies
/// above it nearer than `reach` [nm], in any order.
CutSystem cut(const System& system, const Bounds& bounds, double reach, unsigned seed);

/// Every molecule moved by whole box vectors, up to `boxes` each way.
void scatter_images(System& system, int boxes, unsigned seed);

/// Ubiquitin in water (inputs/), in a dodecahedron, bonds to hydrogen and water rigid, some atoms held in place.
System ubiquitin();
/// The protein alone, without a box.
System ubiquitin_in_vacuum();
/// Crooked chains with every kind of term, larger than a third of their triclinic box.
System chains();

}  // namespace mdsim::test
