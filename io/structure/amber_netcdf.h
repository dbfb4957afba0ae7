// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads an AMBER restart in NetCDF form (Conventions "AMBERRESTART"). expected_atoms: of the topology, -1 where
/// unknown. Throws Error (MD303). Format: "AMBER NetCDF trajectory/restart convention",
/// ambermd.org/netcdf/nctraj.xhtml.
Structure read_amber_netcdf_restart(const std::filesystem::path& file, std::int64_t expected_atoms);

}  // namespace mdsim
