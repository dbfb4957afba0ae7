// SPDX-License-Identifier: Apache-2.0
#include "run/convert/read_ahead.h"

#include <utility>

#include "parallel/side_thread.h"

// Tasks: the thread fills next_, says that it is ready, and waits; who reads takes it, gives back the memory of the
// frame before, and has the thread go on. One of the two has next_ at any time.
namespace mdsim {

ReadAhead::ReadAhead(TrajectoryReader& reader) : reader_(reader), thread_(side_thread([this] { work(); })) {}

ReadAhead::~ReadAhead() {
    {
        const std::scoped_lock lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

bool ReadAhead::read(StoredFrame& frame) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ready_; });
    }
    if (next_.error) std::rethrow_exception(next_.error);
    if (!next_.more) return false;
    std::swap(frame, next_.frame);
    progress_ = next_.progress;
    {
        const std::scoped_lock lock(mutex_);
        ready_ = false;
    }
    changed_.notify_all();
    return true;
}

void ReadAhead::work() {
    do {
        try {
            next_.more = reader_.read(next_.frame);
            next_.progress = reader_.progress();
        } catch (...) {
            next_.error = std::current_exception();
        }
        std::unique_lock lock(mutex_);
        ready_ = true;
        changed_.notify_all();
        changed_.wait(lock, [&] { return !ready_ || ends_; });
        if (ends_) return;
    } while (true);
}

}  // namespace mdsim
