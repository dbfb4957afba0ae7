// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gpu/api/device.h"

namespace mdsim::gpu {

class Event;
class Timeline;

/// Work that a device does one after the other; two streams overlap unless an event orders them. Not to be shared
/// between threads of the host.
class Stream {
  public:
    explicit Stream(const Device& device, Priority priority = Priority::normal);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// What is put into this stream from now on starts after what the event was recorded behind.
    void wait(const Event& event);
    /// Returns when all of it is done. What went wrong on the device since the last time is thrown here.
    void finish();

    const Device& device() const { return device_; }
    Driver& driver() const { return device_.driver(); }
    void* handle() const { return handle_; }
    /// What was put into the stream last: an error on the device shows later than where it is made.
    const Work& last() const { return last_; }
    /// Around each call of the driver that puts something into the stream. name: a literal, what its time goes to.
    void begin(const Work& work, const char* name) {
        last_ = work;
        if (timeline_ != nullptr) begin_measured(name);
    }
    void begin(const Work& work) { begin(work, work.operation); }
    void end() {
        if (timeline_ != nullptr) end_measured();
    }
    /// Has the timeline measure what is put into the stream, or nobody.
    void measure(Timeline* timeline) { timeline_ = timeline; }

  private:
    const Device& device_;
    void* handle_;
    Work last_;
    Timeline* timeline_ = nullptr;

    void begin_measured(std::string_view name);
    void end_measured();
};

/// A point in a stream.
class Event {
  public:
    explicit Event(const Device& device);
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    /// Behind all that is in the stream now. An event that was never recorded holds nobody.
    void record(Stream& stream);
    /// Returns when the device has come by.
    void finish();
    /// Whether it has, without waiting for it; true where it was never recorded.
    bool passed() const;
    /// Time on the device from an earlier event to this one [s]; both have been waited for.
    double seconds_since(const Event& earlier) const;

    void* handle() const { return handle_; }
    /// What it was recorded behind.
    const Work& last() const { return last_; }

  private:
    const Device& device_;
    void* handle_;
    Work last_;
};

}  // namespace mdsim::gpu
