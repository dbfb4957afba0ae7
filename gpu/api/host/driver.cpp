// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/host/driver.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <utility>

#include "gpu/api/host/fft.h"

namespace mdsim::gpu {

struct HostEvent {
    std::uint64_t recorded = 0;  ///< times that it was put into a stream
    std::uint64_t passed = 0;    ///< the last of them that its stream came by
    std::chrono::steady_clock::time_point when;
};

struct HostOperation {
    HostEvent* awaited;   ///< goes on when this one is past the ticket; or none
    HostEvent* recorded;  ///< takes this one to the ticket; or none
    std::uint64_t ticket;
    std::function<void()> run;
    Work work;
};

struct HostStream {
    std::deque<HostOperation> queue;
};

namespace {

constexpr std::size_t alignment = 256;  // what devices give

HostStream& stream_of(void* handle) {
    return *static_cast<HostStream*>(handle);
}
HostEvent& event_of(void* handle) {
    return *static_cast<HostEvent*>(handle);
}

}  // namespace

HostDriver::HostDriver(const HostSettings& settings) : settings_(settings), shuffler_(settings.seed) {
    MDSIM_EXPECT(settings.warp_width == 32 || settings.warp_width == 64);
}

HostDriver::~HostDriver() = default;

// Fresh memory of a device holds anything; here all bits are set, which is no number.
void* HostDriver::allocate(Memory where, std::size_t bytes, const Work& work) {
    if (where == Memory::device && (bytes > settings_.memory || used_ > settings_.memory - bytes)) {
        throw DeviceError(Failure::out_of_memory, work,
                          std::to_string(bytes) + " bytes asked for, " + std::to_string(settings_.memory - used_) +
                              " of " + std::to_string(settings_.memory) + " free");
    }
    ++counts_.allocations;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw DeviceError(Failure::out_of_memory, work, std::to_string(bytes) + " bytes asked for");
    std::memset(memory, 0xFF, bytes);
    if (where == Memory::device) used_ += sizes_[memory] = bytes;
    return memory;
}

void HostDriver::release(Memory where, void* memory) noexcept {
    if (where == Memory::device) {
        used_ -= sizes_[memory];
        sizes_.erase(memory);
    }
    std::free(memory);
}

void* HostDriver::make_stream(Priority) {
    return streams_.emplace_back(std::make_unique<HostStream>()).get();
}

void HostDriver::destroy_stream(void* stream) noexcept {
    std::erase_if(streams_, [&](const auto& s) { return s.get() == stream; });
}

void* HostDriver::make_event() {
    return new HostEvent;
}

void HostDriver::destroy_event(void* event) noexcept {
    for (const auto& stream : streams_) {
        for (HostOperation& operation : stream->queue) {
            if (operation.awaited == event) operation.awaited = nullptr;
            if (operation.recorded == event) operation.recorded = nullptr;
        }
    }
    delete static_cast<HostEvent*>(event);
}

std::unique_ptr<LineTransform> HostDriver::make_fft(const LineShape& shape) {
    return make_host_transform(*this, shape);
}

void HostDriver::enqueue(void* stream, std::function<void()> operation, const Work& work) {
    put(stream_of(stream), {nullptr, nullptr, 0, std::move(operation), work});
}

void HostDriver::put(HostStream& stream, HostOperation operation) {
    const Work work = operation.work;
    stream.queue.push_back(std::move(operation));
    if (settings_.order == ThreadOrder::forward) return run_until_empty(stream, work);
    while (shuffler_.below(4) == 0 && step_any()) {
    }
}

bool HostDriver::can_go_on(const HostStream& stream) {
    if (stream.queue.empty()) return false;
    const HostOperation& next = stream.queue.front();
    return next.awaited == nullptr || next.awaited->passed >= next.ticket;
}

void HostDriver::step(HostStream& stream) {
    const HostOperation operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (++operations_ > settings_.lost_after) {
        throw DeviceError(Failure::device_lost, operation.work, "as the settings ask");
    }
    try {
        operation.run();
    } catch (const executor::Fault& fault) {
        throw DeviceError(Failure::operation, operation.work, fault.what());
    }
    if (operation.recorded == nullptr) return;
    operation.recorded->passed = std::max(operation.recorded->passed, operation.ticket);
    operation.recorded->when = std::chrono::steady_clock::now();
}

bool HostDriver::step_any() {
    std::vector<HostStream*> able;
    for (const auto& stream : streams_) {
        if (can_go_on(*stream)) able.push_back(stream.get());
    }
    if (able.empty()) return false;
    step(*able[shuffler_.below(able.size())]);
    return true;
}

void HostDriver::copy(void* stream, const Copy& copy, const Work& work) {
    ++counts_.copies;
    if (copy.way == Way::upload) counts_.bytes_up += copy.bytes;
    if (copy.way == Way::download) counts_.bytes_down += copy.bytes;
    if (copy.way == Way::upload && !copy.pinned) {
        // The caller may change its memory as soon as this returns.
        const auto* bytes = static_cast<const unsigned char*>(copy.from);
        enqueue(
            stream,
            [to = copy.to, kept = std::vector<unsigned char>(bytes, bytes + copy.bytes)] {
                std::memcpy(to, kept.data(), kept.size());
            },
            work);
        return;
    }
    enqueue(
        stream, [copy] { std::memcpy(copy.to, copy.from, copy.bytes); }, work);
    if (!copy.pinned) finish(stream, work);
}

void HostDriver::zero(void* stream, void* to, std::size_t bytes, const Work& work) {
    enqueue(
        stream, [to, bytes] { std::memset(to, 0, bytes); }, work);
}

void HostDriver::record(void* event, void* stream, const Work& work) {
    HostEvent& e = event_of(event);
    ++e.recorded;
    put(stream_of(stream), {nullptr, &e, e.recorded, [] {}, work});
}

void HostDriver::hold(void* stream, void* event, const Work& work) {
    HostEvent& e = event_of(event);
    put(stream_of(stream), {&e, nullptr, e.recorded, [] {}, work});
}

void HostDriver::run_until_empty(const HostStream& stream, const Work& work) {
    while (!stream.queue.empty()) {
        if (!step_any()) throw DeviceError(Failure::operation, work, "streams wait for each other");
    }
}

void HostDriver::finish(void* stream, const Work& work) {
    ++counts_.waits;
    run_until_empty(stream_of(stream), work);
}

void HostDriver::finish_event(void* event, const Work& work) {
    ++counts_.waits;
    const HostEvent& e = event_of(event);
    while (e.passed < e.recorded) {
        if (!step_any()) throw DeviceError(Failure::operation, work, "streams wait for each other");
    }
}

// A device goes on while somebody asks; here it does so by chance.
bool HostDriver::passed(void* event, const Work& work) {
    const HostEvent& e = event_of(event);
    if (e.passed < e.recorded && shuffler_.below(2) == 0 && !step_any()) {
        throw DeviceError(Failure::operation, work, "streams wait for each other");
    }
    return e.passed >= e.recorded;
}

double HostDriver::seconds(void* from, void* to) {
    return std::chrono::duration<double>(event_of(to).when - event_of(from).when).count();
}

void HostDriver::launch(void* stream, const executor::Grid& grid, std::function<void()> kernel, const Work& work) {
    enqueue(
        stream,
        [this, grid, kernel = std::move(kernel), number = ++launches_] {
            executor::run(settings_, number, grid, kernel);
        },
        work);
}

Survey survey_host() {
    DeviceInfo info;
    info.backend = Backend::host;
    info.name = "the CPU, thread by thread";
    Survey survey;
    survey.devices.push_back(info);
    return survey;
}

std::unique_ptr<Driver> make_host_driver(const HostSettings& settings) {
    return std::make_unique<HostDriver>(settings);
}

}  // namespace mdsim::gpu
