// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_writer.h"
#include "io/vtk/atom_arrays.h"
#include "io/vtk/frame_list.h"
#include "io/vtk/pieces.h"
#include "io/vtk/vtk_library.h"

namespace mdsim {

/// A trajectory for ParaView: NAME.pvd, which lists two files a frame in the folder NAME.frames. N.vtp has the atoms as
/// points with their arrays, and bonds as lines; those across the box are left out. N.box.vtp, the second block, has
/// the edges of the box. Lengths in nm, times in ps. Where the atoms of a frame are to be in several pieces, these are
/// N.0.vtp, N.1.vtp, ..., compressed by all threads, and N.pvtp lists them.
///
/// NAME.pvd lists the frames of the last sync, which are on the disk as a whole by then: it never names a file that is
/// not there. The mark of a sync counts frames.
class VtkWriter final : public TrajectoryWriter {
  public:
    /// A new one, which refuses where the file or folder exists; or (mark given) one that is cut back to its frames.
    /// Frames in pieces are for files that are written in one go: they are never cut back.
    /// Errors: MD361 without VTK; exit code 74 for those of the disk, MD602 where files are not what the mark says.
    VtkWriter(const std::filesystem::path& path, const TrajectoryInfo& info, const OutputMark* mark);

    void append(const Frame& frame) override;
    OutputMark sync() override;

    /// Where the frames of NAME.pvd are.
    static std::filesystem::path folder_of(const std::filesystem::path& path);
    /// NAME.pvd and its folder have got this name: makes it list the frames where they are now.
    void moved_to(const std::filesystem::path& path) override { moved(path); }
    static void moved(const std::filesystem::path& path);

  private:
    std::filesystem::path path_, folder_;
    VtkLibrary library_;
    AtomArrays atoms_;
    std::vector<Piece> pieces_;
    AtomFiles files_;
    std::vector<std::string> times_;  ///< of the frames so far, as NAME.pvd has them
    std::vector<std::filesystem::path> unsynced_;
    Checksum checksum_;  ///< over times and files of frames, in order

    void make_folder() const;
    void cut_back(const OutputMark& mark);
    void remove_frames_from(std::size_t frame) const;
    void write_file(const std::filesystem::path& path, const std::string& bytes);
    void write_atoms(const Frame& frame, std::size_t number);
    std::string box_file(const Frame& frame, const std::filesystem::path& path) const;
};

}  // namespace mdsim
