// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "forces/mesh/pme_parameters.h"
#include "system/box.h"

namespace mdsim::mesh {

/// What is wanted; what is given here is kept, the rest is chosen.
struct EspRequest {
    double cutoff = 0.9;                     ///< [nm]
    double force_error = 5e-4;               ///< RMS error over RMS total electrostatic force after exclusions
    std::optional<double> spacing;           ///< largest distance of mesh points along a box vector [nm]
    std::optional<std::array<int, 3>> mesh;  ///< points along each box vector
    std::optional<int> order;                ///< 5 to 8
};

/// Of Ewald summation with prolates.
struct EspParameters {
    double split_bandwidth = 0.0;   ///< c of the split, ShiftedProlate
    double window_bandwidth = 0.0;  ///< c of the window
    std::array<int, 3> mesh{};      ///< points along each box vector
    int order = 5;                  ///< nodes of the window along an axis
    double force_error = 0.0;       ///< expected, relative
};

/// The cheapest measured set (validation/esp_accuracy) whose error, the largest of the systems that it was measured in,
/// is the request or less; where mesh or spacing are given the most accurate one that suits them. Depends on box and
/// charges alone, not on positions, so that a continued run gets the same. Refuses what cannot be computed (MD454).
EspParameters choose_esp(const EspRequest& request, const Box& box, const ChargeStatistics& charges);

}  // namespace mdsim::mesh
