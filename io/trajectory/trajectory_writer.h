// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/output/append_file.h"
#include "io/trajectory/frame.h"

namespace mdsim {

/// A trajectory file that is being written.
class TrajectoryWriter {
  public:
    virtual ~TrajectoryWriter() = default;
    virtual void append(const Frame& frame) = 0;
    /// Brings everything appended so far to the disk; the mark goes into the checkpoint.
    virtual OutputMark sync() = 0;
};

}  // namespace mdsim
