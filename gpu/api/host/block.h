// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/api/host/executor.h"
#include "gpu/api/host/fiber.h"
#include "gpu/api/host/random.h"

namespace mdsim::gpu::executor {

inline constexpr unsigned most_threads = 1024;

/// The arrays that a block shares.
class SharedMemory {
  public:
    explicit SharedMemory(std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /// A new block, with nothing in it.
    void clear();
    void* find(const void* site, std::size_t bytes, std::size_t alignment);

  private:
    struct Site {
        const void* key;
        std::size_t offset;
    };
    std::size_t bytes_, used_ = 0;
    std::unique_ptr<unsigned char[]> memory_;
    std::vector<Site> sites_;
};

/// One block at a time, on one thread of the system; the fibres serve for all blocks that follow.
class Block {
  public:
    explicit Block(const HostSettings& settings);

    bool fits(const HostSettings& settings) const;
    /// False where a fault was met; then this object is of no further use.
    bool run(const HostSettings& settings, std::uint64_t number, unsigned block, const Grid& grid,
             const std::function<void()>& kernel);
    const std::string& fault() const { return fault_; }

    // What the running thread calls.
    void meet(Group group, Meeting kind, int line);
    void* shared(const void* site, std::size_t bytes, std::size_t alignment);
    void give(const void* value, std::size_t bytes, int source);
    void take(void* value, std::size_t bytes) const;
    void vote(Group group, bool p);
    std::uint64_t votes() const;

  private:
    struct Thread {
        std::unique_ptr<Fiber> fiber;
        alignas(16) std::array<unsigned char, largest_value> given, taken;
        std::uint64_t votes = 0;
        int source = 0;
    };
    struct Meeter {
        Meeting kind = Meeting::none;
        int line = 0;
        unsigned arrived = 0;
        std::uint64_t votes = 0;
    };

    std::size_t shared_bytes_;
    bool shuffled_ = false;
    Fiber origin_;
    SharedMemory shared_;
    std::vector<Thread> threads_;
    std::vector<Meeter> tiles_, warps_;
    Meeter block_;
    std::array<std::uint16_t, most_threads> ready_;  // a ring
    unsigned first_ready_ = 0, ready_count_ = 0;
    unsigned done_ = 0;
    std::size_t dynamic_bytes_ = 0;
    Shuffler shuffler_{0};
    const std::function<void()>* kernel_ = nullptr;
    std::string fault_;

    struct Members {
        Meeter& meeter;
        unsigned first, count;
    };
    Members members(Group group);
    void deliver(const Members& members);
    void make_ready(unsigned thread);
    unsigned next_ready();
    void go_on(Fiber& from);
    void set_up(const HostSettings& settings, unsigned block, const Grid& grid);
    std::string stuck() const;
    void live();
    static void enter();
};

}  // namespace mdsim::gpu::executor
