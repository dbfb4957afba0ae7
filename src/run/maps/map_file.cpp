// SPDX-License-Identifier: Apache-2.0
#include "run/maps/map_file.h"

#include <fmt/format.h>

#include "core/error.h"
#include "io/vtk/vtk_library.h"

namespace mdsim {

namespace {

constexpr double angstrom = 10.0;  // in a nm

std::string vti_bytes(const FieldImage& image, const std::filesystem::path& path) {
    const MdsimVtkArray array{image.name.c_str(), mdsim_vtk_float32, 1, image.values.data()};
    const Vec3d& cell = image.cell;
    const MdsimVtkImage data{.points = {image.cells[0], image.cells[1], image.cells[2]},
                             .origin = {0.5 * cell.x, 0.5 * cell.y, 0.5 * cell.z},
                             .spacing = {cell.x, cell.y, cell.z},
                             .arrays = &array,
                             .array_count = 1,
                             .time = image.time};
    return VtkLibrary().encode(data, path);
}

// z runs fastest.
std::string dx_values(const FieldImage& image) {
    const auto [nx, ny, nz] = image.cells;
    std::string text;
    int in_line = 0;
    for (int i = 0; i < nx; ++i) {
        for (int j = 0; j < ny; ++j) {
            for (int k = 0; k < nz; ++k) {
                const std::size_t at =
                    (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                        static_cast<std::size_t>(nx) +
                    static_cast<std::size_t>(i);
                text += fmt::format("{:.6e}{}", image.values[at], ++in_line % 3 == 0 ? '\n' : ' ');
            }
        }
    }
    if (in_line % 3 != 0) text.back() = '\n';
    return text;
}

// "Native" OpenDX, as APBS and VMD write and read it.
std::string dx_bytes(const FieldImage& image) {
    const auto [nx, ny, nz] = image.cells;
    const Vec3d cell = image.cell * angstrom;
    std::string text = fmt::format("# {} [{}], lengths in Angstrom\n", image.name, image.unit);
    text += fmt::format("object 1 class gridpositions counts {} {} {}\norigin {:.6f} {:.6f} {:.6f}\n", nx, ny, nz,
                        0.5 * cell.x, 0.5 * cell.y, 0.5 * cell.z);
    text += fmt::format("delta {:.6f} 0 0\ndelta 0 {:.6f} 0\ndelta 0 0 {:.6f}\n", cell.x, cell.y, cell.z);
    text += fmt::format("object 2 class gridconnections counts {} {} {}\n", nx, ny, nz);
    text += fmt::format("object 3 class array type double rank 0 items {} data follows\n", image.values.size());
    text += dx_values(image);
    text += "attribute \"dep\" string \"positions\"\nobject \"" + image.name + "\" class field\n";
    return text + "component \"positions\" value 1\ncomponent \"connections\" value 2\ncomponent \"data\" value 3\n";
}

}  // namespace

MapFormat map_format(const std::filesystem::path& path) {
    if (path.extension() == ".dx") return MapFormat::dx;
    if (path.extension() != ".vti") {
        throw_input_error({.code = "MD363",
                           .place = {path.string()},
                           .what = "the name does not end as that of a map",
                           .remedy = "names of maps end in .vti (ParaView) or .dx (VMD, PyMOL, ChimeraX)"});
    }
    if (!VtkLibrary::built()) throw_input_error(VtkLibrary::not_built());
    return MapFormat::vti;
}

std::string map_bytes(const FieldImage& image, MapFormat format, const std::filesystem::path& path) {
    return format == MapFormat::vti ? vti_bytes(image, path) : dx_bytes(image);
}

}  // namespace mdsim
