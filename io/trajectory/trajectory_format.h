// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mdsim {

/// Formats of frames. Those that a run can write come first, in the order of the choices of output.trajectory.format.
enum class TrajectoryFormat { h5md, xtc, trr, dcd, netcdf, gro, pdb, cif, vtk };

/// What a format is called and what it holds.
struct FormatFacts {
    TrajectoryFormat format;
    std::string_view name;    ///< "h5md"
    std::string_view ending;  ///< of files that mdsim names, ".h5"
    bool velocities, forces;
    bool names;  ///< needs names of atoms: a topology
};

const FormatFacts& facts_of(TrajectoryFormat format);
/// By the name of the format, which must be one of them.
TrajectoryFormat format_named(std::string_view name);
std::span<const FormatFacts> all_formats();

/// By the end of a file's name, in any case; nothing where it is none of these.
std::optional<TrajectoryFormat> format_of_name(const std::filesystem::path& file);

/// ".h5, .xtc, ..." for messages.
std::string list_of_formats();

}  // namespace mdsim
