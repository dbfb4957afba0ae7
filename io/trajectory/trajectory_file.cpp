// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/trajectory_file.h"

#include <fstream>

#include "core/error.h"
#include "io/netcdf/netcdf_file.h"
#include "io/structure/cif.h"
#include "io/structure/gro.h"
#include "io/structure/pdb.h"
#include "io/structure/structure_file.h"
#include "io/trajectory/binary/amber_trajectory.h"
#include "io/trajectory/binary/dcd.h"
#include "io/trajectory/binary/trr.h"
#include "io/trajectory/h5md/h5md_link.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/trajectory/h5md/h5md_writer.h"
#include "io/trajectory/text/text_reader.h"
#include "io/trajectory/text/text_writer.h"
#include "io/trajectory/xtc.h"
#include "io/trajectory/xtc_writer.h"
#include "io/vtk/views/viewed_writer.h"
#include "io/vtk/vtk_writer.h"

namespace mdsim {

namespace {

constexpr double usual_precision = 0.001;  // [nm], of XTC

std::string first_bytes(const std::filesystem::path& path) {
    std::error_code error;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, error)) {
        throw_input_error({.code = "MD309",
                           .place = {path.string()},
                           .what = std::filesystem::exists(path, error) ? "this is no file that can be read"
                                                                        : "there is no such file",
                           .remedy = "check the name and the folder"});
    }
    std::string bytes(8, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
}

TrajectoryFormat format_of_file(const std::filesystem::path& path) {
    const std::string bytes = first_bytes(path);
    const auto format = format_of_name(path);
    if (bytes == "\x89HDF\r\n\x1a\n") {
        if (format != TrajectoryFormat::netcdf) return TrajectoryFormat::h5md;
        throw_input_error({.code = "MD303",
                           .place = {path.string()},
                           .what = "this is a NetCDF 4 (HDF5) file, and no AMBER trajectory: those have the classic "
                                   "format and Conventions \"AMBER\"",
                           .remedy = "if it is H5MD, let its name end in .h5"});
    }
    if (format) return *format;
    throw_input_error({.code = "MD309",
                       .place = {path.string()},
                       .what = "the name does not end as that of a trajectory or structure that mdsim reads",
                       .remedy = "the names of these end in " + list_of_formats()});
}

[[noreturn]] void throw_only_written(const std::filesystem::path& path) {
    throw_input_error({.code = "MD309",
                       .place = {path.string()},
                       .what = "files for ParaView are written by mdsim, not read",
                       .remedy = "convert the trajectory that they were made of"});
}

// By its name, or a NetCDF file by what it says of itself: an AMBER restart or CHARMM coordinates.
bool is_single_structure(const std::filesystem::path& path) {
    const auto format = structure_format(path);
    if (format == StructureFormat::amber_restart || format == StructureFormat::charmm_crd) return true;
    if (format_of_name(path) != TrajectoryFormat::netcdf || !first_bytes(path).starts_with("CDF")) return false;
    return NetcdfFile(path, NetcdfFile::Part::header).text("Conventions").find("AMBERRESTART") != std::string::npos;
}

// Frames that a file has already, for formats that number them.
std::int64_t count_frames(const std::filesystem::path& path, TextWriter::Style style) {
    if (style == TextWriter::Style::gro) return 0;
    std::unique_ptr<StructureFrames> frames;
    if (style == TextWriter::Style::pdb) frames = std::make_unique<PdbFrames>(path);
    if (style == TextWriter::Style::cif) frames = std::make_unique<CifFrames>(path);
    std::int64_t count = 0;
    while (frames->next(nullptr)) ++count;
    return count;
}

std::unique_ptr<TrajectoryWriter> make_h5md_writer(const std::filesystem::path& path, const TrajectoryInfo& info,
                                                   const OutputMark* mark) {
    H5mdContent content{.atoms = h5md_atoms(*info.topology, info.ids),
                        .velocities = info.velocities,
                        .forces = info.forces,
                        .grid = info.precision ? h5md_grid(*info.precision) : 0.0,
                        .durability = info.durability,
                        .provenance = info.provenance};
    const bool named = !content.atoms.name.empty();
    const auto open = [&]() -> std::unique_ptr<TrajectoryWriter> {
        std::optional<h5md::Extras> extras;
        if (info.run_in_box) extras = h5md::Extras{*info.run_in_box, *info.run_in_box, true};
        return std::make_unique<H5mdWriter>(mark == nullptr
                                                ? H5mdWriter::create(path, std::move(content), extras)
                                                : H5mdWriter::reopen(path, std::move(content), *mark, extras));
    };
    // Points without an element or a name are no view of anything.
    if (!named) return open();
    return std::make_unique<ViewedWriter>(path, info, mark, open);
}

}  // namespace

std::unique_ptr<TrajectoryReader> open_trajectory(const std::filesystem::path& path) {
    const auto text = [&](auto frames) { return std::make_unique<TextReader>(path, std::move(frames)); };
    if (is_single_structure(path)) return text(single_structure(path));
    switch (format_of_file(path)) {
        case TrajectoryFormat::h5md:
            return std::make_unique<H5mdReader>(path);
        case TrajectoryFormat::xtc:
            return std::make_unique<XtcReader>(path);
        case TrajectoryFormat::trr:
            return std::make_unique<TrrReader>(path);
        case TrajectoryFormat::dcd:
            return std::make_unique<DcdReader>(path);
        case TrajectoryFormat::netcdf:
            return std::make_unique<AmberTrajectoryReader>(path);
        case TrajectoryFormat::gro:
            return text(std::make_unique<GroFrames>(path));
        case TrajectoryFormat::pdb:
            return text(std::make_unique<PdbFrames>(path));
        case TrajectoryFormat::vtk:
            throw_only_written(path);
        case TrajectoryFormat::cif:
            break;
    }
    return text(std::make_unique<CifFrames>(path));
}

std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& path, TrajectoryFormat format,
                                                         const TrajectoryInfo& info, const OutputMark* mark) {
    const auto file = [&] {
        return mark == nullptr ? AppendFile::create(path, info.durability) : AppendFile::reopen(path, *mark);
    };
    const auto text = [&](TextWriter::Style style) {
        AppendFile reopened = file();
        const std::int64_t frames = mark == nullptr || mark->length == 0 ? 0 : count_frames(path, style);
        return std::make_unique<TextWriter>(std::move(reopened), style, info, frames);
    };
    switch (format) {
        case TrajectoryFormat::h5md:
            return make_h5md_writer(path, info, mark);
        case TrajectoryFormat::xtc:
            return std::make_unique<XtcWriter>(file(), 1.0 / info.precision.value_or(usual_precision));
        case TrajectoryFormat::trr:
            return std::make_unique<TrrWriter>(file(), info);
        case TrajectoryFormat::dcd:
            return std::make_unique<DcdWriter>(
                mark == nullptr ? DcdWriter::create(file(), info.topology->atoms(), info.title)
                                : DcdWriter::reopen(path, info.topology->atoms(), info.title, *mark));
        case TrajectoryFormat::netcdf:
            return std::make_unique<AmberTrajectoryWriter>(mark == nullptr
                                                               ? AmberTrajectoryWriter::create(path, info)
                                                               : AmberTrajectoryWriter::reopen(path, info, *mark));
        case TrajectoryFormat::gro:
            return text(TextWriter::Style::gro);
        case TrajectoryFormat::pdb:
            return text(TextWriter::Style::pdb);
        case TrajectoryFormat::vtk:
            return std::make_unique<VtkWriter>(path, info, mark);
        case TrajectoryFormat::cif:
            break;
    }
    return text(TextWriter::Style::cif);
}

std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path, TrajectoryFormat format) {
    switch (format) {
        case TrajectoryFormat::h5md:
            return {H5mdViews::xdmf_path(path), H5mdViews::vtkhdf_path(path)};
        case TrajectoryFormat::vtk:
            return {VtkWriter::folder_of(path)};
        default:
            return {};
    }
}

void mend_moved(const std::filesystem::path& path) {
    const auto format = format_of_name(path);
    if (format == TrajectoryFormat::h5md) link_h5md(path);
    if (format == TrajectoryFormat::h5md && std::filesystem::exists(H5mdViews::xdmf_path(path)))
        H5mdViews::remake(path);
    if (format == TrajectoryFormat::vtk) VtkWriter::moved(path);
}

}  // namespace mdsim
