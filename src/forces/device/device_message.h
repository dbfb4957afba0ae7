// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "gpu/api/buffer.h"
#include "parallel/comm.h"

namespace mdsim {

/// How messages get from a device to that of another rank: MPI takes the device's memory, or they are staged through
/// pinned memory of the host.
enum class Transport { direct, staged };

/// An array on a device, all or a part of which goes to another rank. Used anew in every step:
///
///   kernel that fills it, close(stream) ... once closed() begin_send ... once the request is done the kernel again
template <class T>
class OutMessage {
  public:
    /// `array` must outlive it.
    OutMessage(const gpu::Device& device, const gpu::Buffer<T>& array, const gpu::Work& work, Transport transport)
        : array_(&array), staged_(device, work), filled_(device), transport_(transport) {}

    /// The elements that are sent. Not in a step.
    void set_range(std::size_t begin, std::size_t count) {
        begin_ = begin;
        count_ = count;
        if (transport_ == Transport::staged) staged_.resize(count);
    }
    bool empty() const { return count_ == 0; }
    /// What is in the stream fills it.
    void close(gpu::Stream& stream) {
        if (empty()) return;
        if (transport_ == Transport::staged) array_->download(stream, staged_, begin_);
        filled_.record(stream);
    }
    /// Whether the device has come by; does not wait.
    bool closed() const { return empty() || filled_.passed(); }
    Request begin_send(const Comm& comm, int to, int tag, Traffic traffic) const {
        const std::span<const T> values = transport_ == Transport::staged
                                              ? std::span<const T>(staged_.span())
                                              : std::span<const T>(array_->data() + begin_, count_);
        return comm.begin_send(to, tag, std::as_bytes(values), traffic);
    }

  private:
    const gpu::Buffer<T>* array_;
    gpu::PinnedBuffer<T> staged_;
    gpu::Event filled_;
    Transport transport_;
    std::size_t begin_ = 0, count_ = 0;
};

/// An array on a device, all or a part of which comes from another rank:
///
///   begin_receive ... once the request is done open(stream), then the kernel that reads it
template <class T>
class InMessage {
  public:
    /// `array` must outlive it.
    InMessage(const gpu::Device& device, gpu::Buffer<T>& array, const gpu::Work& work, Transport transport)
        : array_(&array), staged_(device, work), transport_(transport) {}

    /// The elements that come. Not in a step.
    void set_range(std::size_t begin, std::size_t count) {
        begin_ = begin;
        count_ = count;
        if (transport_ == Transport::staged) staged_.resize(count);
    }
    bool empty() const { return count_ == 0; }
    /// Nothing on the device may read or write these elements any more.
    Request begin_receive(const Comm& comm, int from, int tag) const {
        const std::span<T> values =
            transport_ == Transport::staged ? staged_.span() : std::span<T>(array_->data() + begin_, count_);
        return comm.begin_receive(from, tag, std::as_writable_bytes(values));
    }
    /// After the request is done: what is put into the stream from now on finds it on the device.
    void open(gpu::Stream& stream) {
        if (!empty() && transport_ == Transport::staged) array_->upload(stream, staged_, begin_);
    }

  private:
    gpu::Buffer<T>* array_;
    gpu::PinnedBuffer<T> staged_;
    Transport transport_;
    std::size_t begin_ = 0, count_ = 0;
};

}  // namespace mdsim
