// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/transaction.h"
#include "io/vtk/views/h5md_views.h"

// Kitware's "VTKHDF specification", version 2.0: a group with points, cells and arrays of all steps one behind the
// other, and for each step where its part begins. What does not change is stored once, and begins at 0 for each step.
namespace mdsim {

namespace {

constexpr hsize_t chunk_size = 65536;
constexpr std::array<const char*, 4> cell_kinds{"Vertices", "Lines", "Polygons", "Strips"};

h5::Id simple_space(const std::vector<hsize_t>& extent) {
    return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

void create(const h5::File& file, const std::string& name, hid_t type, hid_t space, hid_t properties,
            const void* values) {
    const h5::Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const h5::Id set(H5Dcreate2(file.id(), name.c_str(), type, space, links, properties, H5P_DEFAULT), H5Dclose);
    if (set < 0 || (values != nullptr && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
        file.refuse("writing", name);
}

/// Compressed: numbers of atoms in a row have hardly any content.
template <class T>
void write(const h5::File& file, const std::string& name, const std::vector<T>& values, hsize_t columns = 1) {
    const hid_t type = std::is_same_v<T, float>          ? H5T_NATIVE_FLOAT
                       : std::is_same_v<T, double>       ? H5T_NATIVE_DOUBLE
                       : std::is_same_v<T, std::int32_t> ? H5T_NATIVE_INT32
                                                         : H5T_NATIVE_INT64;
    std::vector<hsize_t> extent{values.size() / columns};
    if (columns > 1) extent.push_back(columns);
    const h5::Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (values.size() > chunk_size / 16) {
        std::vector<hsize_t> chunk = extent;
        chunk[0] = std::min(chunk[0], chunk_size);
        H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, 1);
    }
    create(file, name, type, simple_space(extent), properties, values.empty() ? nullptr : values.data());
}

/// Frames begin, ..., begin + count - 1 of a vector in RUN.h5, one behind the other.
void write_window(const h5::File& file, const std::string& name, const ViewedRun& run, const std::string& vector,
                  hsize_t begin, hsize_t count) {
    const hsize_t atoms = run.atoms->size();
    const h5::Id here = simple_space({count * atoms, 3}), there = simple_space({run.rows, atoms, 3});
    const hsize_t start[3] = {begin, 0, 0}, size[3] = {count, atoms, 3};
    H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, size, nullptr);
    const h5::Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::string value = run.group + "/" + vector + "/value";
    // A name without a folder is looked for beside the file that has the window.
    if (H5Pset_virtual(properties, here, run.h5.filename().c_str(), value.c_str(), there) < 0)
        file.refuse("making a window", name);
    create(file, name, H5T_IEEE_F32LE, here, properties, nullptr);
}

void write_attribute(const h5::File& file, const std::string& object, const char* name, hid_t type, hid_t space,
                     const void* value) {
    const h5::Id attribute(
        H5Acreate_by_name(file.id(), object.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    if (attribute < 0 || H5Awrite(attribute, type, value) < 0) file.refuse("writing attribute", name);
}

void write_head(h5::File& file) {
    file.make_group("/VTKHDF");
    const std::int64_t version[2] = {2, 0};
    write_attribute(file, "/VTKHDF", "Version", H5T_NATIVE_INT64, simple_space({2}), version);
    // The reader wants a text of fixed length.
    const std::string type = "PolyData";
    const h5::Id text(H5Tcopy(H5T_C_S1), H5Tclose), scalar(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(text, type.size());
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    write_attribute(file, "/VTKHDF", "Type", text, scalar, type.c_str());
}

void write_cells(const h5::File& file, const std::string& kind, const std::vector<std::int64_t>& points,
                 std::int64_t points_a_cell) {
    std::vector<std::int64_t> offsets(points.size() / static_cast<std::size_t>(points_a_cell) + 1);
    for (std::size_t n = 0; n < offsets.size(); ++n) offsets[n] = static_cast<std::int64_t>(n) * points_a_cell;
    const std::string group = "/VTKHDF/" + kind;
    write(file, group + "/Connectivity", points);
    write(file, group + "/Offsets", offsets);
    write(file, group + "/NumberOfCells", std::vector<std::int64_t>{static_cast<std::int64_t>(offsets.size() - 1)});
    write(file, group + "/NumberOfConnectivityIds", std::vector{static_cast<std::int64_t>(points.size())});
}

void write_atoms(const h5::File& file, const AtomArrays& atoms) {
    const std::string group = "/VTKHDF/PointData/";
    for (const auto& [name, values] : atoms.integers()) write(file, group + name, *values);
    for (const auto& [name, values] : atoms.reals()) write(file, group + name, *values);
}

void write_steps(const h5::File& file, const ViewedRun& run) {
    const std::size_t frames = run.frames;
    const std::int64_t atoms = static_cast<std::int64_t>(run.atoms->size());
    const std::vector<std::int64_t> zeros(frames, 0), ones(frames, 1);
    const std::vector<std::int64_t> zeros_of_cells(frames * cell_kinds.size(), 0);
    std::vector<std::int64_t> first_points(frames);
    std::vector<double> times;
    for (std::size_t n = 0; n < frames; ++n) first_points[n] = static_cast<std::int64_t>(n) * atoms;
    for (const std::string& time : run.times) times.push_back(std::stod(time));
    const std::string group = "/VTKHDF/Steps";
    write(file, group + "/Values", times);
    const h5::Id scalar(H5Screate(H5S_SCALAR), H5Sclose);
    const auto count = static_cast<std::int64_t>(frames);
    write_attribute(file, group, "NSteps", H5T_NATIVE_INT64, scalar, &count);
    write(file, group + "/PartOffsets", zeros);
    write(file, group + "/NumberOfParts", ones);
    write(file, group + "/PointOffsets", first_points);
    write(file, group + "/CellOffsets", zeros_of_cells, cell_kinds.size());
    write(file, group + "/ConnectivityIdOffsets", zeros_of_cells, cell_kinds.size());
    const std::string of_points = group + "/PointDataOffsets/";
    for (const auto& [name, values] : run.atoms->integers()) write(file, of_points + name, zeros);
    for (const auto& [name, values] : run.atoms->reals()) write(file, of_points + name, zeros);
    for (const std::string& vector : run.vectors) write(file, of_points + vector, first_points);
}

// For XDMF: each cell as its kind, its number of points, and these.
std::vector<std::int32_t> mixed_cells(const ViewedRun& run) {
    std::vector<std::int32_t> cells;
    for (std::size_t i = 0; i < run.atoms->size(); ++i) cells.insert(cells.end(), {1, 1, static_cast<std::int32_t>(i)});
    for (std::size_t n = 0; n < run.bonds.size(); n += 2) {
        cells.insert(cells.end(),
                     {2, 2, static_cast<std::int32_t>(run.bonds[n]), static_cast<std::int32_t>(run.bonds[n + 1])});
    }
    return cells;
}

}  // namespace

std::string vtkhdf_bytes(const ViewedRun& run) {
    return h5::make_image(H5mdViews::vtkhdf_path(run.h5), 0, [&](h5::File& file) {
        write_head(file);
        write_window(file, "/VTKHDF/Points", run, "position", 0, run.frames);
        std::vector<std::int64_t> points(run.atoms->size());
        std::iota(points.begin(), points.end(), 0);
        write(file, "/VTKHDF/NumberOfPoints", std::vector{static_cast<std::int64_t>(points.size())});
        write_cells(file, cell_kinds[0], points, 1);
        write_cells(file, cell_kinds[1], run.bonds, 2);
        write_cells(file, cell_kinds[2], {}, 1);
        write_cells(file, cell_kinds[3], {}, 1);
        write_atoms(file, *run.atoms);
        for (const std::string& vector : run.vectors)
            write_window(file, "/VTKHDF/PointData/" + vector, run, vector, 0, run.frames);
        write_steps(file, run);
        write(file, "/cells", mixed_cells(run));
        std::vector<std::string> vectors = run.vectors;
        vectors.emplace_back("position");
        for (const std::string& vector : vectors)
            for (hsize_t n = 0; n < run.frames; ++n)
                write_window(file, ViewedRun::dataset(vector, n), run, vector, n, 1);
    });
}

}  // namespace mdsim
