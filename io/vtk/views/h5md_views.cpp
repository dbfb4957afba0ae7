// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/views/h5md_views.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/hdf5/hdf5_file.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/vtk/bonds_in_view.h"
#include "io/vtk/frame_list.h"

namespace mdsim {

namespace {

ViewedRun viewed(const std::filesystem::path& h5, std::uint64_t most_frames) {
    ViewedRun run{.h5 = h5};
    const h5::File file = h5::File::open_to_read(h5);
    run.rows = file.extent(run.group + "/position/value").at(0);
    run.frames = std::min(run.rows, most_frames);
    for (const char* vector : {"velocity", "force"}) {
        const std::string value = run.group + "/" + vector + "/value";
        // One that has fewer rows was not written with every frame.
        if (file.has(value) && file.extent(value).at(0) == run.rows) run.vectors.emplace_back(vector);
    }
    const std::vector<double> times = file.read_doubles(run.group + "/position/time");
    for (std::uint64_t n = 0; n < run.frames; ++n)
        run.times.push_back(fmt::format("{}", listed_time(times.at(n), run.times)));
    const std::vector<double> edges = file.read_doubles(run.group + "/box/edges/value");
    for (std::uint64_t n = 0; n < run.frames; ++n) {
        Mat3d rows{};
        for (std::size_t k = 0; k < 9; ++k) rows[k / 3][static_cast<int>(k % 3)] = edges.at(9 * n + k);
        run.boxes.emplace_back(rows);
    }
    return run;
}

}  // namespace

std::filesystem::path H5mdViews::vtkhdf_path(const std::filesystem::path& h5) {
    return std::filesystem::path(h5).replace_extension(".vtkhdf");
}

std::filesystem::path H5mdViews::xdmf_path(const std::filesystem::path& h5) {
    return std::filesystem::path(h5).replace_extension(".xdmf");
}

std::string ViewedRun::dataset(const std::string& vector, std::uint64_t frame) {
    return fmt::format("/frames/{}/{}", vector, frame);
}

H5mdViews::H5mdViews(std::filesystem::path h5, const Topology& topology, std::span<const std::int64_t> ids)
    : h5_(std::move(h5)), atoms_(topology, ids) {}

H5mdViews::Bonds H5mdViews::bonds() const {
    if (atoms_.bonds.empty()) return Bonds::drawn;
    try {
        const h5::File views = h5::File::open_to_read(vtkhdf_path(h5_));
        return views.read_integers("/VTKHDF/Lines/NumberOfCells").at(0) > 0 ? Bonds::drawn : Bonds::left_out;
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): it is not there, or not whole
    }
    H5mdReader frames(h5_);
    StoredFrame frame;
    while (frames.read(frame)) {
        if (bonds(frame.view()) == Bonds::left_out) return Bonds::left_out;
    }
    return Bonds::drawn;
}

H5mdViews::Bonds H5mdViews::bonds(const Frame& frame) const {
    return bonds_in_view(atoms_.bonds, frame).size() == atoms_.bonds.size() ? Bonds::drawn : Bonds::left_out;
}

void H5mdViews::grow(Bonds bonds) const {
    ViewedRun run = viewed(h5_, ~std::uint64_t{0});
    if (run.frames == 0) return;
    run.atoms = &atoms_;
    if (bonds == Bonds::drawn) run.bonds = atoms_.bonds;
    write_atomically(vtkhdf_path(h5_), vtkhdf_bytes(run));
    write_atomically(xdmf_path(h5_), xdmf_text(run));
}

void H5mdViews::shrink(std::uint64_t frames, Bonds bonds) const {
    if (frames == 0 || !std::filesystem::exists(h5_)) {
        std::filesystem::remove(xdmf_path(h5_));
        std::filesystem::remove(vtkhdf_path(h5_));
        return;
    }
    ViewedRun run = viewed(h5_, frames);
    run.atoms = &atoms_;
    if (bonds == Bonds::drawn) run.bonds = atoms_.bonds;
    write_atomically(xdmf_path(h5_), xdmf_text(run));
    write_atomically(vtkhdf_path(h5_), vtkhdf_bytes(run));
}

void H5mdViews::remake(const std::filesystem::path& h5) {
    std::filesystem::remove(xdmf_path(h5));
    try {
        const H5mdReader file(h5);
        if (file.topology() != nullptr) {
            std::vector<std::int64_t> ids = h5::File::open_to_read(h5).read_integers(file.group() + "/id");
            for (std::int64_t& id : ids) --id;
            const H5mdViews views(h5, *file.topology(), ids);
            return views.grow(views.bonds());
        }
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): a damaged file has no views
    }
    std::filesystem::remove(vtkhdf_path(h5));
}

}  // namespace mdsim
