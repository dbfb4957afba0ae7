// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_writer.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"
#include "io/vtk/bonds_in_view.h"
#include "io/vtk/frame_list.h"

namespace mdsim {

namespace {

std::string whole_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw_changed(path, "the file is not there any more");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<float> single(std::span<const Vec3d> values) {
    std::vector<float> out;
    out.reserve(3 * values.size());
    for (const Vec3d& v : values)
        out.insert(out.end(), {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    return out;
}

}  // namespace

std::filesystem::path VtkWriter::folder_of(const std::filesystem::path& path) {
    return std::filesystem::path(path).replace_extension(".frames");
}

VtkWriter::VtkWriter(const std::filesystem::path& path, const TrajectoryInfo& info, const OutputMark* mark)
    : path_(path), folder_(folder_of(path)), atoms_(*info.topology, info.ids) {
    if (mark != nullptr) {
        cut_back(*mark);
    } else {
        make_folder();
    }
}

void VtkWriter::make_folder() const {
    for (const auto& file : {path_, folder_}) {
        if (!std::filesystem::exists(file)) continue;
        errno = EEXIST;
        throw_system_error(file, "creating");
    }
    std::error_code failed;
    std::filesystem::create_directory(folder_, failed);
    errno = failed.value();
    if (failed) throw_system_error(folder_, "creating");
}

// The list first: it must not name what is about to go.
void VtkWriter::cut_back(const OutputMark& mark) {
    times_ = times_in_pvd(whole_file(path_));
    if (times_.size() < mark.length) {
        throw_changed(path_, fmt::format("it lists {} frames, the checkpoint {}", times_.size(), mark.length));
    }
    times_.resize(mark.length);
    for (std::size_t n = 0; n < times_.size(); ++n) {
        checksum_.add(times_[n]);
        for (const auto& name : {atoms_file_name(n), box_file_name(n)}) checksum_.add(whole_file(folder_ / name));
    }
    if (checksum_.value() != mark.checksum) throw_changed(folder_, "its frames are not those of the checkpoint");
    write_atomically(path_, pvd_text(folder_.filename(), times_));
    remove_frames_from(times_.size());
}

void VtkWriter::remove_frames_from(std::size_t frame) const {
    for (;; ++frame) {
        const bool atoms = std::filesystem::remove(folder_ / atoms_file_name(frame));
        const bool box = std::filesystem::remove(folder_ / box_file_name(frame));
        if (!atoms && !box) return;
    }
}

void VtkWriter::write_file(const std::filesystem::path& path, const std::string& bytes) {
    write_new_file(path, [&] {
        AppendFile file = AppendFile::create(path);
        file.append(bytes);
        file.flush();
    });
    checksum_.add(bytes);
    unsynced_.push_back(path);
}

std::string VtkWriter::atoms_file(const Frame& frame, const std::filesystem::path& path) const {
    const std::vector<float> x = single(frame.x), v = single(frame.v), f = single(frame.f);
    const std::vector<std::int64_t> bonds = bonds_in_view(atoms_.bonds, frame);
    std::vector<MdsimVtkArray> arrays;
    for (const auto& [name, values] : atoms_.integers()) arrays.push_back({name, mdsim_vtk_int32, 1, values->data()});
    for (const auto& [name, values] : atoms_.reals()) arrays.push_back({name, mdsim_vtk_float32, 1, values->data()});
    arrays.push_back({"atom_name", mdsim_vtk_text, 1, atoms_.atom_name.data()});
    arrays.push_back({"residue_name", mdsim_vtk_text, 1, atoms_.residue_name.data()});
    if (!v.empty()) arrays.push_back({"velocity", mdsim_vtk_float32, 3, v.data()});
    if (!f.empty()) arrays.push_back({"force", mdsim_vtk_float32, 3, f.data()});
    const MdsimVtkLines lines{.points = static_cast<std::int64_t>(frame.x.size()),
                              .positions = x.data(),
                              .point_cells = 1,
                              .lines = static_cast<std::int64_t>(bonds.size() / 2),
                              .ends = bonds.data(),
                              .arrays = arrays.data(),
                              .array_count = arrays.size(),
                              .time = frame.time};
    return library_.encode(lines, path);
}

// Twelve edges between eight corners; nothing where there is no box.
std::string VtkWriter::box_file(const Frame& frame, const std::filesystem::path& path) const {
    std::vector<Vec3d> corners;
    std::vector<std::int64_t> edges;
    for (std::int64_t corner = 0; frame.box.periodic() && corner < 8; ++corner) {
        Vec3d at{};
        for (const int axis : {0, 1, 2}) {
            const std::int64_t bit = std::int64_t{1} << axis;
            if ((corner & bit) != 0) {
                at += frame.box.rows()[static_cast<std::size_t>(axis)];
            } else {
                edges.insert(edges.end(), {corner, corner | bit});
            }
        }
        corners.push_back(at);
    }
    const std::vector<float> x = single(corners);
    const MdsimVtkLines lines{.points = static_cast<std::int64_t>(corners.size()),
                              .positions = x.data(),
                              .point_cells = 0,
                              .lines = static_cast<std::int64_t>(edges.size() / 2),
                              .ends = edges.data(),
                              .arrays = nullptr,
                              .array_count = 0,
                              .time = frame.time};
    return library_.encode(lines, path);
}

void VtkWriter::append(const Frame& frame) {
    MDSIM_EXPECT(frame.x.size() == atoms_.size());
    const std::size_t number = times_.size();
    const auto atoms = folder_ / atoms_file_name(number), box = folder_ / box_file_name(number);
    const std::string time = fmt::format("{}", listed_time(frame.time, times_));
    checksum_.add(time);
    write_file(atoms, atoms_file(frame, atoms));
    write_file(box, box_file(frame, box));
    times_.push_back(time);
}

OutputMark VtkWriter::sync() {
    if (!unsynced_.empty() || !std::filesystem::exists(path_)) {
        for (const auto& file : unsynced_) sync_to_disk(file);
        sync_to_disk(folder_);
        unsynced_.clear();
        write_atomically(path_, pvd_text(folder_.filename(), times_));
    }
    return {path_.filename().string(), times_.size(), checksum_.value()};
}

void VtkWriter::moved(const std::filesystem::path& path) {
    write_atomically(path, pvd_text(folder_of(path).filename(), times_in_pvd(whole_file(path))));
}

}  // namespace mdsim
