// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "io/output/append_file.h"
#include "io/trajectory/frame.h"

namespace mdsim {

/// A trajectory file that is being written.
class TrajectoryWriter {
  public:
    virtual ~TrajectoryWriter() = default;
    virtual void append(const Frame& frame) = 0;
    /// Energies of a run at their own rate; formats without a place for them pass over them.
    virtual void append_energies(const EnergyRow& row) { static_cast<void>(row); }
    /// Brings everything appended so far to the disk; the mark goes into the checkpoint.
    virtual OutputMark sync() = 0;
    /// The last call: what a format has at its end, then sync. A file that a run goes on with does not get it.
    virtual OutputMark finish() { return sync(); }
    /// After finish: the file has got this name, and what refers to it by its name follows (TrajectoryInfo::name).
    virtual void moved_to(const std::filesystem::path& path) { static_cast<void>(path); }
};

}  // namespace mdsim
