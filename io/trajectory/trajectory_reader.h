// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "io/trajectory/frame.h"
#include "system/topology.h"

namespace mdsim {

/// A trajectory or structure file that is read frame by frame, in constant memory. Damage is an input error that names
/// the file and the place, and says how many whole frames come before it.
class TrajectoryReader {
  public:
    virtual ~TrajectoryReader() = default;
    /// Of every frame; 0 for a file without frames.
    virtual std::int64_t atoms() const = 0;
    /// Number of frames, where the file tells it without being read through.
    virtual std::optional<std::int64_t> frames() const = 0;
    /// The next frame, into memory that is used again; false at the end.
    virtual bool read(StoredFrame& frame) = 0;
    /// Makes this the next frame, counted from 0; behind the last one, read returns false. Formats whose frames differ
    /// in size walk through those between.
    virtual void seek(std::int64_t frame) = 0;
    /// Share of the file that lies behind, from 0 to 1.
    virtual double progress() const = 0;
    /// Names (and what else the file says) of its atoms; null where it holds coordinates alone. Valid as long as this.
    virtual const Topology* topology() const { return nullptr; }
};

}  // namespace mdsim
