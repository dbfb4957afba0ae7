// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/output/append_file.h"
#include "io/trajectory/cell.h"
#include "io/trajectory/frame.h"
#include "io/vtk/atom_arrays.h"

namespace mdsim {

/// An H5MD file as ParaView opens it, without copies: beside RUN.h5 stand RUN.vtkhdf, whose datasets are windows into
/// RUN.h5 (HDF5's virtual datasets), and RUN.xdmf, which names datasets of RUN.vtkhdf. RUN.xdmf opens with both of
/// ParaView's XDMF readers, RUN.vtkhdf by itself with a newer VTK (9.7 was tried).
///
/// A reader of XDMF ends ParaView where a dataset is missing. So RUN.h5 always has the frames that RUN.vtkhdf shows,
/// and that one what RUN.xdmf names: growing goes from RUN.h5 to RUN.xdmf, shrinking the other way, and each of the two
/// is replaced as a whole.
class H5mdViews {
  public:
    /// Whether bonds are drawn: all frames have the same, so that one frame with a bond across the box is enough to
    /// have none.
    enum class Bonds { drawn, left_out };

    /// h5 need not be there yet. Atoms as in AtomArrays.
    H5mdViews(std::filesystem::path h5, const Topology& topology, std::span<const std::int64_t> ids);

    /// What is right for RUN.h5 as it is: what RUN.vtkhdf beside it has, or else what its frames say.
    Bonds bonds() const;
    /// What this frame allows.
    Bonds bonds(const Frame& frame) const;
    /// After RUN.h5 has got more frames.
    void grow(Bonds bonds) const;
    /// Before RUN.h5 is cut back to this number of frames.
    void shrink(std::uint64_t frames, Bonds bonds) const;

    /// The file has got another name before it had views.
    void follow_to(std::filesystem::path h5) { h5_ = std::move(h5); }
    /// Makes both anew for an H5MD file that is there (it may have got another name); removes them where it says too
    /// little about its atoms, or is damaged.
    static void remake(const std::filesystem::path& h5);
    static std::filesystem::path vtkhdf_path(const std::filesystem::path& h5);
    static std::filesystem::path xdmf_path(const std::filesystem::path& h5);

  private:
    std::filesystem::path h5_;
    AtomArrays atoms_;
};

/// What both files are made from.
struct ViewedRun {
    std::filesystem::path h5;
    std::string group = "/particles/trajectory";
    std::uint64_t frames = 0;
    std::uint64_t rows = 0;            ///< of the datasets in the file, at least as many
    std::vector<std::string> times;    ///< [ps] of frames, rising (listed_time)
    std::vector<Cell> boxes;           ///< of frames
    std::vector<std::string> vectors;  ///< elements of each atom beside the position: "velocity", "force"
    const AtomArrays* atoms = nullptr;
    std::vector<std::int64_t> bonds;  ///< pairs of atoms that are drawn

    /// Place of a vector of a frame in RUN.vtkhdf: "/frames/position/12".
    static std::string dataset(const std::string& vector, std::uint64_t frame);
};

/// Bytes of RUN.vtkhdf: PolyData of VTKHDF 2.0 (group /VTKHDF), and a dataset for each vector of each frame.
std::string vtkhdf_bytes(const ViewedRun& run);
std::string xdmf_text(const ViewedRun& run);

}  // namespace mdsim
