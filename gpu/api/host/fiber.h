// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mdsim::gpu::executor {

/// A flow of control with a stack of its own, which gives way to another one only by switch_to. The sanitizers are
/// told. Everything stays on one thread of the system.
class Fiber {
  public:
    using Entry = void (*)();  ///< never returns

    /// The flow that is running already (no stack is made).
    Fiber() = default;
    /// A new flow, which begins with `entry` when it is first switched to.
    Fiber(Entry entry, std::size_t stack_bytes);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Goes on with `other`; returns when somebody switches back to this one, which is running now.
    void switch_to(Fiber& other);
    /// The first thing that a new flow does; `origin` is the flow that is running already.
    static void arrived(Fiber& origin);

  private:
    void* saved_ = nullptr;  // where it goes on
    void* context_ = nullptr;
    char* stack_ = nullptr;
    std::size_t stack_bytes_ = 0;
    void* false_stack_ = nullptr;  // of the address sanitizer
    const void* bottom_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace mdsim::gpu::executor
