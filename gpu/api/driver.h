// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/api/error.h"
#include "gpu/api/settings.h"

/// What a back end provides. Used by Device, Stream, Event, Buffer and FftLines only; the rest of mdsim uses those.
namespace mdsim::gpu {

enum class Backend { cuda, hip, host };
enum class Memory { device, pinned };
enum class Priority { normal, high };
enum class Precision { single, full };
enum class Direction { forward, backward };

const char* name_of(Backend backend);

struct DeviceInfo {
    Backend backend = Backend::host;
    int index = 0;             ///< among those visible to this process
    std::string name;          ///< "NVIDIA H200"
    std::string architecture;  ///< "sm_90", "gfx90a"
    std::string uuid;          ///< the same for every process of a machine
    std::string pci;           ///< "0000:1b:00.0"
    std::uint64_t memory = 0;  ///< [bytes]
    std::string unusable;      ///< why this program cannot use it; empty: it can
    int number = 0;            ///< in a list of the input: of all back ends together
};

/// The devices of one back end, and where there are none, why.
struct Survey {
    Backend backend = Backend::host;
    std::vector<DeviceInfo> devices;
    Failure failure = Failure::no_device;  ///< where there are none
    std::string missing;                   ///< "the driver is for CUDA 12.2, this program for CUDA 13.0"
};

enum class Way { upload, download, on_device };

struct Copy {
    void* to = nullptr;
    const void* from = nullptr;
    std::size_t bytes = 0;
    Way way = Way::upload;
    bool pinned = true;  ///< the side on the host is pinned
};

/// Transforms of lines on a device: [batch][length] complex numbers, contiguous.
class LineTransform {
  public:
    virtual ~LineTransform() = default;
    virtual void run(void* stream, Direction direction, const void* in, void* out, const Work& work) = 0;
};

struct LineShape {
    int length = 0;
    int batch = 0;
    Precision precision = Precision::single;
};

/// One device. Streams and events are handles of the back end. Errors: DeviceError.
class Driver {
  public:
    virtual ~Driver() = default;

    virtual void* allocate(Memory where, std::size_t bytes, const Work& work) = 0;
    virtual void release(Memory where, void* memory) noexcept = 0;
    virtual void* make_stream(Priority priority) = 0;
    virtual void destroy_stream(void* stream) noexcept = 0;
    virtual void* make_event() = 0;
    virtual void destroy_event(void* event) noexcept = 0;
    virtual std::unique_ptr<LineTransform> make_fft(const LineShape& shape) = 0;

    // These are put into a stream and return at once, but for copies of memory that is not pinned.
    virtual void copy(void* stream, const Copy& copy, const Work& work) = 0;
    virtual void zero(void* stream, void* to, std::size_t bytes, const Work& work) = 0;
    virtual void record(void* event, void* stream, const Work& work) = 0;  ///< work: what it is behind
    /// The stream waits for the event. work: what the event is behind.
    virtual void hold(void* stream, void* event, const Work& work) = 0;

    // These wait on the host. work: what was put into the stream last.
    virtual void finish(void* stream, const Work& work) = 0;
    virtual void finish_event(void* event, const Work& work) = 0;
    /// Does not wait. work: what the event is behind.
    virtual bool passed(void* event, const Work& work) = 0;
    /// Seconds on the device from one finished event to another.
    virtual double seconds(void* from, void* to) = 0;

    /// Makes the device that of the calling thread, before a launch.
    virtual void make_current(const Work& work) = 0;
};

Survey survey_cuda();
Survey survey_hip();
Survey survey_host();
std::unique_ptr<Driver> make_cuda_driver(int device);
std::unique_ptr<Driver> make_hip_driver(int device);
std::unique_ptr<Driver> make_host_driver(const HostSettings& settings);

}  // namespace mdsim::gpu
