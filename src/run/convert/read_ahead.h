// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "io/trajectory/trajectory_reader.h"

namespace mdsim {

/// Reads the frames of a trajectory on a thread of its own, one ahead of who uses them: two frames are in memory. What
/// goes wrong is thrown in the place of the frame that it befell.
class ReadAhead {
  public:
    /// From here on the reader belongs to the thread, until this ends.
    explicit ReadAhead(TrajectoryReader& reader);
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead();

    /// As TrajectoryReader::read.
    bool read(StoredFrame& frame);
    /// As TrajectoryReader::progress, after the frame that was read last.
    double progress() const { return progress_; }

  private:
    struct Next {
        StoredFrame frame;
        double progress = 0.0;
        bool more = false;
        std::exception_ptr error;
    };
    TrajectoryReader& reader_;
    double progress_ = 0.0;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ready_ = false, ends_ = false;  // under the mutex
    Next next_;                          // the thread's while it is not ready, the user's while it is
    std::thread thread_;

    void work();
};

}  // namespace mdsim
