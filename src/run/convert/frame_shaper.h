// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/trajectory/frame.h"
#include "system/topology.h"

namespace mdsim {

/// What is done to frames between reading and writing, in this order: molecules made whole (--whole), a selection moved
/// to the middle of the box (--centre), everything turned and moved so that a selection lies on what it was in the
/// first frame (--fit; the box is not turned), atoms left out (--select).
class FrameShaper {
  public:
    struct Request {
        bool whole = false;
        std::vector<std::size_t> centre, fit, select;  ///< numbers of atoms, from 0; empty: not asked for
    };
    /// topology: of all atoms that are read; needed for `whole`. file: for messages.
    FrameShaper(Request request, const Topology* topology, std::filesystem::path file);

    /// Changes the frame and returns what is to be written of it, valid until the next call.
    /// Throws Error (MD313, MD410) where images cannot be computed.
    Frame shape(StoredFrame& frame);

  private:
    Request request_;
    const Topology* topology_;
    std::filesystem::path file_;
    std::vector<Vec3d> reference_;  // of the atoms of `fit`, in the first frame
    StoredFrame chosen_;

    void centre(StoredFrame& frame, const Box& box) const;
    void fit(StoredFrame& frame);
};

}  // namespace mdsim
