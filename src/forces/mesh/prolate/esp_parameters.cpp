// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/prolate/esp_parameters.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "forces/mesh/prolate/prolate_window.h"

namespace mdsim::mesh {

namespace {

/// Parameters that belong together, and the largest relative force errors that were measured with them in molecular
/// liquids and in salt. All lengths are in cutoffs: with a mesh spacing in proportion, another cutoff changes errors
/// little.
struct MeasuredSet {
    int order;
    double spacing;  ///< largest, over the cutoff
    double split, window;
    double molecules, ions;
};

/// From cheap to accurate; validation/esp_accuracy says how they were measured.
constexpr std::array<MeasuredSet, 7> measured{{{5, 0.38, 9.1, 10.0, 1.9e-3, 2.8e-3},
                                               {5, 0.30, 10.5, 11.0, 1.1e-3, 1.1e-3},
                                               {6, 0.30, 11.0, 12.0, 3.8e-4, 5.1e-4},
                                               {6, 0.25, 12.0, 13.2, 1.6e-4, 3.1e-4},
                                               {7, 0.25, 12.6, 14.0, 7.0e-5, 1.5e-4},
                                               {7, 0.21, 14.3, 15.4, 2.3e-5, 2.6e-5},
                                               {8, 0.21, 15.0, 16.0, 1.1e-5, 1.2e-5}}};

double error_of(const MeasuredSet& set, const ChargeStatistics& charges) {
    const double ions = charges.sum_squares > 0.0 ? charges.free_squares / charges.sum_squares : 0.0;
    return std::sqrt((1.0 - ions) * set.molecules * set.molecules + ions * set.ions * set.ions);
}

[[noreturn]] void refuse(std::string what, std::string remedy) {
    throw_input_error({.code = "MD454",
                       .what = std::move(what),
                       .why = "Ewald summation with prolates cannot be computed with it",
                       .remedy = std::move(remedy)});
}

std::array<int, 3> mesh_of(const Box& box, double spacing) {
    std::array<int, 3> n{};
    for (std::size_t a = 0; a < 3; ++a) {
        // A spacing that divides the edge up to rounding is not exceeded by it.
        n[a] = transform_size(static_cast<int>(std::ceil(norm(box.rows()[a]) / spacing - 1e-6)));
    }
    return n;
}

double spacing_of(const Box& box, const std::array<int, 3>& mesh) {
    double spacing = 0.0;
    for (std::size_t a = 0; a < 3; ++a) spacing = std::max(spacing, norm(box.rows()[a]) / mesh[a]);
    return spacing;
}

void check(const EspRequest& request) {
    if (request.mesh && *std::min_element(request.mesh->begin(), request.mesh->end()) < 8) {
        refuse("the mesh has fewer than 8 points along a box vector",
               "give forces.mesh at least 8 points, or leave it out");
    }
    if (request.order && (*request.order < smallest_prolate_order || *request.order > largest_prolate_order)) {
        refuse("the mesh order is not 5, 6, 7 or 8", "give forces.mesh_order = 5 to 8, or leave it out");
    }
    if (request.spacing && !(*request.spacing > 0.005)) {
        refuse("the mesh spacing is below 0.005 nm", "leave out forces.mesh_spacing: it is chosen then");
    }
}

EspParameters choose_for_mesh(const EspRequest& request, const Box& box, const ChargeStatistics& charges) {
    const std::array<int, 3> mesh = request.mesh ? *request.mesh : mesh_of(box, *request.spacing);
    const double spacing = spacing_of(box, mesh) / request.cutoff;
    const MeasuredSet* best = nullptr;
    for (const MeasuredSet& set : measured) {
        if (set.spacing < spacing - 1e-6 || (request.order && set.order != *request.order)) continue;
        if (best == nullptr || set.molecules < best->molecules) best = &set;
    }
    if (best != nullptr) return {best->split, best->window, mesh, best->order, error_of(*best, charges)};
    refuse(fmt::format("a mesh of {} x {} x {} points has a spacing of {:.3f} of the cutoff", mesh[0], mesh[1], mesh[2],
                       spacing),
           "a finer mesh: 0.38 of the cutoff with order 5, 0.30 with 6, 0.25 with 7, 0.21 with 8 at most; or leave "
           "forces.mesh and mesh_spacing out");
}

}  // namespace

EspParameters choose_esp(const EspRequest& request, const Box& box, const ChargeStatistics& charges) {
    MDSIM_EXPECT(box.periodic() && request.cutoff > 0.0 && request.force_error > 0.0);
    check(request);
    if (request.mesh || request.spacing) return choose_for_mesh(request, box, charges);
    EspParameters chosen;
    for (const MeasuredSet& set : measured) {
        if (request.order && set.order != *request.order) continue;
        chosen = {set.split, set.window, mesh_of(box, set.spacing * request.cutoff), set.order, error_of(set, charges)};
        if (chosen.force_error <= request.force_error) return chosen;
    }
    if (!request.order) {
        refuse(fmt::format("forces.force_error = {:g} is out of reach of electrostatics = \"esp\": {:.1e} is the least",
                           request.force_error, chosen.force_error),
               "electrostatics = \"pme\", or a larger force_error");
    }
    return chosen;
}

}  // namespace mdsim::mesh
