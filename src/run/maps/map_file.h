// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "run/maps/field_map.h"

namespace mdsim {

/// Formats of maps by the ends of names: .vti (VTK's image data, for volume rendering in ParaView; lengths in nm) and
/// .dx (OpenDX, for VMD, PyMOL and ChimeraX, which take lengths for Angstrom).
/// By the end of the name. Input error MD363 where it is none of these, MD361 for .vti without VTK.
MapFormat map_format(const std::filesystem::path& path);

/// The bytes of the file. path: for messages only.
std::string map_bytes(const FieldImage& image, MapFormat format, const std::filesystem::path& path);

}  // namespace mdsim
