// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/trajectory_file.h"

#include <fstream>

#include <fmt/format.h>

#include "core/error.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/trajectory/h5md/h5md_writer.h"
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
    if (bytes == "\x89HDF\r\n\x1a\n") return TrajectoryFormat::h5md;
    const auto format = format_of_name(path);
    if (format) return *format;
    throw_input_error({.code = "MD309",
                       .place = {path.string()},
                       .what = "the name does not end as that of a trajectory or structure that mdsim reads",
                       .remedy = "the names of these end in " + list_of_formats()});
}

[[noreturn]] void throw_not_yet(const std::filesystem::path& path, TrajectoryFormat format) {
    throw_input_error({.code = "MD309",
                       .place = {path.string()},
                       .what = fmt::format("this version of mdsim does not have the format {}", facts_of(format).name),
                       .remedy = "the names of others end in " + list_of_formats()});
}

std::unique_ptr<TrajectoryWriter> make_h5md_writer(const std::filesystem::path& path, const TrajectoryInfo& info,
                                                   const OutputMark* mark) {
    return std::make_unique<ViewedWriter>(path, info, mark, [&] {
        H5mdWriter::Content content{h5md_atoms(*info.topology, info.ids), info.velocities, info.forces};
        return std::make_unique<H5mdWriter>(mark == nullptr ? H5mdWriter::create(path, std::move(content))
                                                            : H5mdWriter::reopen(path, std::move(content), *mark));
    });
}

}  // namespace

std::unique_ptr<TrajectoryReader> open_trajectory(const std::filesystem::path& path) {
    const TrajectoryFormat format = format_of_file(path);
    switch (format) {
        case TrajectoryFormat::h5md:
            return std::make_unique<H5mdReader>(path);
        case TrajectoryFormat::xtc:
            return std::make_unique<XtcReader>(path);
        default:
            throw_not_yet(path, format);
    }
}

std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& path, TrajectoryFormat format,
                                                         const TrajectoryInfo& info, const OutputMark* mark) {
    const auto file = [&] { return mark == nullptr ? AppendFile::create(path) : AppendFile::reopen(path, *mark); };
    switch (format) {
        case TrajectoryFormat::h5md:
            return make_h5md_writer(path, info, mark);
        case TrajectoryFormat::xtc:
            return std::make_unique<XtcWriter>(file(), 1.0 / info.precision.value_or(usual_precision));
        case TrajectoryFormat::vtk:
            return std::make_unique<VtkWriter>(path, info, mark);
        default:
            throw_not_yet(path, format);
    }
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
    if (format == TrajectoryFormat::h5md && std::filesystem::exists(H5mdViews::xdmf_path(path)))
        H5mdViews::remake(path);
    if (format == TrajectoryFormat::vtk) VtkWriter::moved(path);
}

}  // namespace mdsim
