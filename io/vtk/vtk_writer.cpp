// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_writer.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"
#include "io/vtk/bonds_in_view.h"
#include "io/vtk/box_edges.h"
#include "parallel/threads.h"

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

// What a frame has, as VTK takes it: arrays of all atoms, of which a piece takes its part.
class FrameArrays {
  public:
    FrameArrays(const AtomArrays& atoms, const Frame& frame)
        : atoms_(atoms),
          time_(frame.time),
          x_(single(frame.x)),
          v_(single(frame.v)),
          f_(single(frame.f)),
          bonds_(bonds_in_view(atoms.bonds, frame)) {}

    std::vector<MdsimVtkArray> from(std::size_t first) const {
        std::vector<MdsimVtkArray> arrays;
        for (const auto& [name, values] : atoms_.integers())
            arrays.push_back({name, mdsim_vtk_int32, 1, values->data() + first});
        for (const auto& [name, values] : atoms_.reals())
            arrays.push_back({name, mdsim_vtk_float32, 1, values->data() + first});
        arrays.push_back({"atom_name", mdsim_vtk_text, 1, atoms_.atom_name.data() + first});
        arrays.push_back({"residue_name", mdsim_vtk_text, 1, atoms_.residue_name.data() + first});
        if (!v_.empty()) arrays.push_back({"velocity", mdsim_vtk_float32, 3, v_.data() + 3 * first});
        if (!f_.empty()) arrays.push_back({"force", mdsim_vtk_float32, 3, f_.data() + 3 * first});
        return arrays;
    }

    std::string encoded(const Piece& piece, const VtkLibrary& library, const std::filesystem::path& path) const {
        const std::vector<MdsimVtkArray> arrays = from(piece.begin);
        const std::vector<std::int64_t> bonds = bonds_of(piece);
        return library.encode(MdsimVtkLines{.points = static_cast<std::int64_t>(piece.end - piece.begin),
                                            .positions = x_.data() + 3 * piece.begin,
                                            .point_cells = 1,
                                            .lines = static_cast<std::int64_t>(bonds.size() / 2),
                                            .ends = bonds.data(),
                                            .arrays = arrays.data(),
                                            .array_count = arrays.size(),
                                            .time = time_},
                              path);
    }

  private:
    const AtomArrays& atoms_;
    double time_;
    std::vector<float> x_, v_, f_;
    std::vector<std::int64_t> bonds_;

    std::vector<std::int64_t> bonds_of(const Piece& piece) const {
        const auto begin = static_cast<std::int64_t>(piece.begin), end = static_cast<std::int64_t>(piece.end);
        std::vector<std::int64_t> bonds;
        for (std::size_t n = 0; n < bonds_.size(); n += 2) {
            if (bonds_[n] >= begin && bonds_[n] < end)
                bonds.insert(bonds.end(), {bonds_[n] - begin, bonds_[n + 1] - begin});
        }
        return bonds;
    }
};

}  // namespace

std::filesystem::path VtkWriter::folder_of(const std::filesystem::path& path) {
    return std::filesystem::path(path).replace_extension(".frames");
}

VtkWriter::VtkWriter(const std::filesystem::path& path, const TrajectoryInfo& info, const OutputMark* mark)
    : path_(path),
      folder_(folder_of(path)),
      atoms_(*info.topology, info.ids),
      pieces_(cut_between_molecules(*info.topology, info.pieces)),
      files_(info.pieces > 1 ? AtomFiles::pieces : AtomFiles::one) {
    if (mark != nullptr) {
        MDSIM_EXPECT(files_ == AtomFiles::one);
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
        for (const auto& name : {atoms_file_name(n, files_), box_file_name(n)})
            checksum_.add(whole_file(folder_ / name));
    }
    if (checksum_.value() != mark.checksum) throw_changed(folder_, "its frames are not those of the checkpoint");
    write_atomically(path_, pvd_text(folder_.filename(), times_, files_));
    remove_frames_from(times_.size());
}

void VtkWriter::remove_frames_from(std::size_t frame) const {
    for (;; ++frame) {
        const bool atoms = std::filesystem::remove(folder_ / atoms_file_name(frame, files_));
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

// Threads encode pieces, each its own; one thread writes them.
void VtkWriter::write_atoms(const Frame& frame, std::size_t number) {
    const FrameArrays arrays(atoms_, frame);
    const auto listed = folder_ / atoms_file_name(number, files_);
    if (files_ == AtomFiles::one) return write_file(listed, arrays.encoded({0, atoms_.size()}, library_, listed));
    std::vector<std::string> names(pieces_.size()), bytes(pieces_.size());
    parallel_ranges(pieces_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            names[n] = piece_file_name(number, n);
            bytes[n] = arrays.encoded(pieces_[n], library_, folder_ / names[n]);
        }
    });
    for (std::size_t n = 0; n < pieces_.size(); ++n) write_file(folder_ / names[n], bytes[n]);
    write_file(listed, pvtp_text(names, arrays.from(0)));
}

std::string VtkWriter::box_file(const Frame& frame, const std::filesystem::path& path) const {
    const BoxEdges box(frame.box);
    const MdsimVtkLines lines{.points = static_cast<std::int64_t>(box.corners.size() / 3),
                              .positions = box.corners.data(),
                              .point_cells = 0,
                              .lines = static_cast<std::int64_t>(box.edges.size() / 2),
                              .ends = box.edges.data(),
                              .arrays = nullptr,
                              .array_count = 0,
                              .time = frame.time};
    return library_.encode(lines, path);
}

void VtkWriter::append(const Frame& frame) {
    MDSIM_EXPECT(frame.x.size() == atoms_.size());
    const std::size_t number = times_.size();
    const auto box = folder_ / box_file_name(number);
    const std::string time = fmt::format("{}", listed_time(frame.time, times_));
    checksum_.add(time);
    write_atoms(frame, number);
    write_file(box, box_file(frame, box));
    times_.push_back(time);
}

OutputMark VtkWriter::sync() {
    if (!unsynced_.empty() || !std::filesystem::exists(path_)) {
        for (const auto& file : unsynced_) sync_to_disk(file);
        sync_to_disk(folder_);
        unsynced_.clear();
        write_atomically(path_, pvd_text(folder_.filename(), times_, files_));
    }
    return {path_.filename().string(), times_.size(), checksum_.value()};
}

void VtkWriter::moved(const std::filesystem::path& path) {
    const std::string before = whole_file(path);
    write_atomically(path, pvd_text(folder_of(path).filename(), times_in_pvd(before), files_in_pvd(before)));
}

}  // namespace mdsim
