// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/trajectory_format.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace mdsim {

namespace {

using F = TrajectoryFormat;

// In the order of the enumeration.
constexpr std::array formats{
    FormatFacts{F::h5md, "h5md", ".h5", true, true, false},     FormatFacts{F::xtc, "xtc", ".xtc", false, false, false},
    FormatFacts{F::trr, "trr", ".trr", true, true, false},      FormatFacts{F::dcd, "dcd", ".dcd", false, false, false},
    FormatFacts{F::netcdf, "netcdf", ".nc", true, true, false}, FormatFacts{F::gro, "gro", ".gro", true, false, true},
    FormatFacts{F::pdb, "pdb", ".pdb", false, false, true},     FormatFacts{F::cif, "cif", ".cif", false, false, true},
    FormatFacts{F::vtk, "vtk", ".pvd", true, true, true},
};

struct OtherEnding {
    std::string_view ending;
    F format;
};
constexpr std::array other_endings{
    OtherEnding{".h5md", F::h5md},     OtherEnding{".hdf5", F::h5md}, OtherEnding{".ncdf", F::netcdf},
    OtherEnding{".netcdf", F::netcdf}, OtherEnding{".ent", F::pdb},   OtherEnding{".mmcif", F::cif},
    OtherEnding{".pdbx", F::cif},
};

}  // namespace

const FormatFacts& facts_of(TrajectoryFormat format) {
    const FormatFacts& facts = formats.at(static_cast<std::size_t>(format));
    MDSIM_ENSURE(facts.format == format);
    return facts;
}

TrajectoryFormat format_named(std::string_view name) {
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const auto& facts) { return facts.name == name; });
    MDSIM_EXPECT(found != formats.end());
    return found->format;
}

std::span<const FormatFacts> all_formats() {
    return formats;
}

std::optional<TrajectoryFormat> format_of_name(const std::filesystem::path& file) {
    std::string end = file.extension().string();
    for (char& c : end) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    for (const FormatFacts& facts : formats) {
        if (facts.ending == end) return facts.format;
    }
    for (const OtherEnding& other : other_endings) {
        if (other.ending == end) return other.format;
    }
    return std::nullopt;
}

std::string list_of_formats() {
    std::string list;
    for (const FormatFacts& facts : formats) {
        if (!list.empty()) list += ", ";
        list += std::string(facts.ending);
    }
    return list;
}

}  // namespace mdsim
