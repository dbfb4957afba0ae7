// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "gpu/api/stream.h"

namespace mdsim::gpu {

/// Memory of a device or pinned memory of the host, plainly allocated. What it holds at first is unspecified.
class RawMemory {
  public:
    /// work: what it is for, as an error says it; the operation reads "array of forces".
    RawMemory(const Device& device, Memory where, const Work& work) : device_(&device), where_(where), work_(work) {}
    ~RawMemory();
    RawMemory(RawMemory&& other) noexcept;
    RawMemory& operator=(RawMemory&&) = delete;

    /// Makes it at least this long; what it held is lost where that needs new memory. Nothing on the device may use it.
    void resize(std::size_t bytes);

    void* data() const { return data_; }
    std::size_t capacity() const { return capacity_; }
    const Work& work() const { return work_; }

  private:
    const Device* device_;
    Memory where_;
    Work work_;
    void* data_ = nullptr;
    std::size_t capacity_ = 0;  // [bytes]
};

/// An array in pinned memory of the host: copies from and to it overlap with everything else.
template <class T>
class PinnedBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    PinnedBuffer(const Device& device, const Work& work) : memory_(device, Memory::pinned, work) {}

    void resize(std::size_t size) {
        memory_.resize(size * sizeof(T));
        size_ = size;
    }
    std::size_t size() const { return size_; }
    T* data() const { return static_cast<T*>(memory_.data()); }
    std::span<T> span() const { return {data(), size_}; }
    T& operator[](std::size_t i) const { return data()[i]; }

  private:
    RawMemory memory_;
    std::size_t size_ = 0;
};

/// An array on a device. The host sees it through the calls named upload and download alone.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer(const Device& device, const Work& work) : memory_(device, Memory::device, work) {}

    /// What it held is lost where it grows. Not while the device uses it, and not in a step.
    void resize(std::size_t size) {
        memory_.resize(size * sizeof(T));
        size_ = size;
    }
    std::size_t size() const { return size_; }
    /// An address on the device, for arguments of kernels.
    T* data() const { return static_cast<T*>(memory_.data()); }

    /// Copies to the front. Pinned memory must stay as it is until the stream has come by.
    void upload(Stream& stream, std::span<const T> from) {
        copy(stream, Way::upload, data(), from.data(), from.size(), false);
    }
    /// Resizes to what is copied.
    void fill(Stream& stream, std::span<const T> from) {
        resize(from.size());
        upload(stream, from);
    }
    /// To the elements from `at` on.
    void upload(Stream& stream, const PinnedBuffer<T>& from, std::size_t at = 0) {
        MDSIM_EXPECT(at + from.size() <= size_);
        copy(stream, Way::upload, data() + at, from.data(), from.size(), true);
    }
    /// Copies the front. There when the stream (or an event behind it) has been waited for.
    void download(Stream& stream, std::span<T> to) const {
        copy(stream, Way::download, to.data(), data(), to.size(), false);
    }
    /// The elements from `at` on.
    void download(Stream& stream, const PinnedBuffer<T>& to, std::size_t at = 0) const {
        MDSIM_EXPECT(at + to.size() <= size_);
        copy(stream, Way::download, to.data(), data() + at, to.size(), true);
    }
    /// All bytes zero.
    void zero(Stream& stream) {
        if (size_ == 0) return;
        stream.begin(memory_.work(), "setting to zero");
        stream.driver().zero(stream.handle(), data(), size_ * sizeof(T), memory_.work());
        stream.end();
    }

  private:
    RawMemory memory_;
    std::size_t size_ = 0;

    void copy(Stream& stream, Way way, void* to, const void* from, std::size_t size, bool pinned) const {
        MDSIM_EXPECT(size <= size_);
        if (size == 0) return;
        stream.begin(memory_.work());
        stream.driver().copy(stream.handle(), {to, from, size * sizeof(T), way, pinned}, memory_.work());
        stream.end();
    }
};

}  // namespace mdsim::gpu
