// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "domain/regions/halo_geometry.h"
#include "run/setup.h"
#include "system/box.h"

namespace mdsim {

/// The mesh of the long-range electrostatics.
struct MeshWork {
    std::array<int, 3> points{};  ///< along each box vector
    int order = 4;                ///< points along an axis that an atom's charge is spread over
    int value_bytes = 4;          ///< of a charge or potential: 4 in mixed precision, 8 in double

    double size() const { return static_cast<double>(points[0]) * points[1] * points[2]; }
};

/// What a stage of dynamics asks of ranks, in numbers.
struct Workload {
    std::int64_t atoms = 0;
    Box cell;                  ///< the box, or in vacuum one round the atoms
    double list_radius = 0.0;  ///< of the outer pair list [nm]
    double unit_radius =
        0.0;  ///< how far an atom may be from the first one of its unit, which says where it belongs [nm]
    std::optional<MeshWork> mesh;
    double farthest_move = 0.0;     ///< of an atom until it is given to another rank [nm]
    double timestep = 0.0;          ///< [ps]
    std::optional<RankGrid> grid;   ///< of regions, where the input says it
    std::optional<int> mesh_ranks;  ///< ranks for the mesh alone, likewise
    double sums_per_step = 0.0;     ///< how often energies or virial are summed over ranks

    double density() const { return static_cast<double>(atoms) / cell.volume(); }  ///< [1/nm^3]
    /// Of the halo [nm].
    double reach() const { return list_radius + unit_radius; }
};

/// x: where all atoms are.
Workload make_workload(const Setup& setup, const StageInput& stage, std::span<const Vec3d> x);

}  // namespace mdsim
