// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"

/// Between a whole mesh, periodic along each axis, and a box of its nodes as it travels: one row along z behind the
/// other.
namespace mdsim::kernels {

/// Consecutive nodes along each axis, which may go on from its beginning at its end. Not more than there are.
struct NodeRange {
    int first[3], count[3], mesh[3];

    constexpr unsigned nodes() const {
        return static_cast<unsigned>(count[0]) * static_cast<unsigned>(count[1]) * static_cast<unsigned>(count[2]);
    }
};

/// Charges of a box, which are zero in the mesh afterwards.
struct PackChargesArgs {
    std::int32_t* grid = nullptr;  ///< [nx][ny][nz] [2^-24 e]
    NodeRange box{};
    std::int32_t* message = nullptr;  ///< out, [box.nodes()]
};
MDSIM_LAUNCH_FUNCTION(pack_charges, PackChargesArgs);

struct AddChargesArgs {
    std::int32_t* grid = nullptr;  ///< [nx][ny][nz], added to [2^-24 e]
    NodeRange box{};
    const std::int32_t* message = nullptr;  ///< [box.nodes()]
};
MDSIM_LAUNCH_FUNCTION(add_charges, AddChargesArgs);

struct PackPotentialArgs {
    const float* potential = nullptr;  ///< [row_pairs(nx ny)][nz][2], as gather_forces takes it [kJ/mol/e]
    NodeRange box{};
    float* message = nullptr;  ///< out, [box.nodes()]
};
MDSIM_LAUNCH_FUNCTION(pack_potential, PackPotentialArgs);

struct PlacePotentialArgs {
    float* potential = nullptr;  ///< out where the box is: [row_pairs(nx ny)][nz][2], as gather_forces takes it
    NodeRange box{};
    const float* message = nullptr;  ///< [box.nodes()] [kJ/mol/e]
};
MDSIM_LAUNCH_FUNCTION(place_potential, PlacePotentialArgs);

}  // namespace mdsim::kernels
