// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/device.h"

namespace mdsim::gpu {

class Event;

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
    void note(const Work& work) { last_ = work; }

  private:
    const Device& device_;
    void* handle_;
    Work last_;
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
    /// Time on the device from an earlier event to this one [s]; both have been waited for.
    double seconds_since(const Event& earlier) const;

    void* handle() const { return handle_; }

  private:
    const Device& device_;
    void* handle_;
    Work last_;
};

}  // namespace mdsim::gpu
