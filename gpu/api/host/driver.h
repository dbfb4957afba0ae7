// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gpu/api/driver.h"
#include "gpu/api/host/executor.h"
#include "gpu/api/host/random.h"

namespace mdsim::gpu {

struct HostStream;
struct HostEvent;
struct HostOperation;

/// What the host back end was asked for so far; tests hold a step to it.
struct HostCounts {
    std::uint64_t bytes_up = 0, bytes_down = 0;  ///< by copies
    std::uint64_t copies = 0, allocations = 0;
    std::uint64_t waits = 0;  ///< of the host, for streams and events
};

/// Plays a device. With ThreadOrder::forward a stream runs what it is given at once. With ThreadOrder::shuffled streams
/// keep it until somebody waits for them (or chance lets one go on), and go on in any order that their events allow: a
/// wait that is missing shows as a wrong result, as it would sooner or later on a device.
class HostDriver final : public Driver {
  public:
    explicit HostDriver(const HostSettings& settings);
    ~HostDriver() override;

    void* allocate(Memory where, std::size_t bytes, const Work& work) override;
    void release(Memory where, void* memory) noexcept override;
    void* make_stream(Priority priority) override;
    void destroy_stream(void* stream) noexcept override;
    void* make_event() override;
    void destroy_event(void* event) noexcept override;
    std::unique_ptr<LineTransform> make_fft(const LineShape& shape) override;

    void copy(void* stream, const Copy& copy, const Work& work) override;
    void zero(void* stream, void* to, std::size_t bytes, const Work& work) override;
    void record(void* event, void* stream, const Work& work) override;
    void hold(void* stream, void* event, const Work& work) override;
    void finish(void* stream, const Work& work) override;
    void finish_event(void* event, const Work& work) override;
    bool passed(void* event, const Work& work) override;
    double seconds(void* from, void* to) override;
    void make_current(const Work&) override {}

    const HostCounts& counts() const { return counts_; }

    /// Puts a kernel into a stream.
    void launch(void* stream, const executor::Grid& grid, std::function<void()> kernel, const Work& work);
    /// Puts anything into a stream.
    void enqueue(void* stream, std::function<void()> operation, const Work& work);

  private:
    HostSettings settings_;
    HostCounts counts_;
    executor::Shuffler shuffler_;
    std::vector<std::unique_ptr<HostStream>> streams_;
    std::unordered_map<void*, std::size_t> sizes_;  // of the device's memory [bytes]
    std::size_t used_ = 0;
    std::uint64_t launches_ = 0, operations_ = 0;

    void put(HostStream& stream, HostOperation operation);
    void run_until_empty(const HostStream& stream, const Work& work);
    static bool can_go_on(const HostStream& stream);
    void step(HostStream& stream);
    bool step_any();
};

}  // namespace mdsim::gpu
