// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/buffer.h"

#include <utility>

namespace mdsim::gpu {

RawMemory::~RawMemory() {
    if (data_ != nullptr) device_->driver().release(where_, data_);
}

RawMemory::RawMemory(RawMemory&& other) noexcept
    : device_(other.device_),
      where_(other.where_),
      work_(other.work_),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

void RawMemory::resize(std::size_t bytes) {
    if (bytes <= capacity_) return;
    if (data_ != nullptr) {
        device_->driver().release(where_, std::exchange(data_, nullptr));
        bytes += bytes / 8;  // what has grown will grow again
    }
    capacity_ = 0;
    data_ = device_->driver().allocate(where_, bytes, work_);
    capacity_ = bytes;
}

}  // namespace mdsim::gpu
