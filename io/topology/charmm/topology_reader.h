// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// A CHARMM system: a PSF with parameter files, later ones in place of earlier ones, in any of CHARMM's forms
/// (charmm/parameter_reader.h). Adds what was replaced and what was not used to `notes`, for the log.
/// Topology::file_box is that of a stream that sets a cell. Throws Error: MD232 and MD233 for malformed files, MD234
/// for missing parameters, MD235 for what mdsim does not compute, such as Drude particles and lone pairs.
Topology read_charmm_topology(const std::filesystem::path& psf, const std::vector<std::filesystem::path>& parameters,
                              std::vector<std::string>& notes);

}  // namespace mdsim
