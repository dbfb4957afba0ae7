// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "system/box.h"
#include "system/topology.h"

namespace mdsim::mesh {

/// What the error of an Ewald sum depends on besides the box.
struct ChargeStatistics {
    std::int64_t atoms = 0;
    double sum_squares = 0.0;   ///< of all charges [e^2]
    double free_squares = 0.0;  ///< of those of atoms without excluded neighbours: monatomic ions [e^2]
};
ChargeStatistics charge_statistics(const Topology& topology);

/// Expected RMS electrostatic force [kJ/mol/nm].
double expected_force(const Box& box, const ChargeStatistics& charges, double coulomb_constant);
/// Expected RMS force error [kJ/mol/nm] of ending the direct sum of splitting `beta` [1/nm] at `cutoff` [nm].
double direct_force_error(double beta, double cutoff, const Box& box, const ChargeStatistics& charges,
                          double coulomb_constant);

/// What is wanted; what is given here is kept, the rest is chosen.
struct PmeRequest {
    double cutoff = 0.9;                     ///< of the direct sum [nm]
    double force_error = 5e-4;               ///< RMS error over RMS total electrostatic force after exclusions
    std::optional<double> splitting;         ///< beta [1/nm]
    std::optional<double> spacing;           ///< largest distance of mesh points along a box vector [nm]
    std::optional<std::array<int, 3>> mesh;  ///< points along each box vector
    std::optional<int> order;                ///< 4, 5 or 6
};

struct PmeParameters {
    double splitting = 0.0;     ///< beta [1/nm]
    std::array<int, 3> mesh{};  ///< points along each box vector
    int order = 4;
    double force_scale = 0.0;    ///< expected RMS electrostatic force [kJ/mol/nm]
    double direct_error = 0.0;   ///< expected RMS force error of the direct sum's cutoff, over force_scale
    double mesh_error = 0.0;     ///< that of the mesh
    double force_error() const;  ///< both together
};

/// The cheapest splitting, mesh and order whose expected error is 0.9 times the request or less, or the most accurate
/// ones where nothing reaches it (compare force_error() with the request). Depends on box and charges alone, not on
/// positions, so that a continued run gets the same. Refuses what cannot be computed (MD454). The estimates are
/// measured and explained in validation/pme_accuracy.
PmeParameters choose_pme(const PmeRequest& request, const Box& box, const ChargeStatistics& charges,
                         double coulomb_constant);

/// The smallest product of 2, 3, 5 and 7 that is not less than n.
int transform_size(int n);

}  // namespace mdsim::mesh
