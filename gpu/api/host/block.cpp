// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/host/block.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/api/host/sanitizer.h"

namespace mdsim::gpu::executor {

constinit thread_local Position position;

namespace {

constexpr std::size_t stack_bytes = address_sanitizer ? 256 * 1024 : 64 * 1024;
constexpr unsigned tile = 32;

// The block whose thread is running here.
constinit thread_local Block* running = nullptr;

const char* name_of(Meeting kind) {
    return kind == Meeting::barrier ? "a barrier" : kind == Meeting::shuffle ? "a shuffle" : "a ballot";
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : bytes_(bytes), memory_(std::make_unique_for_overwrite<unsigned char[]>(bytes)) {}

SharedMemory::~SharedMemory() {
    unpoison(memory_.get(), bytes_);
}

void SharedMemory::clear() {
    sites_.clear();
    used_ = 0;
    poison(memory_.get(), bytes_);
}

void* SharedMemory::find(const void* site, std::size_t bytes, std::size_t alignment) {
    for (const Site& s : sites_) {
        if (s.key == site) return memory_.get() + s.offset;
    }
    // With the address sanitizer there is a gap between arrays that nobody may touch.
    const std::size_t step = address_sanitizer ? 128 : 16;
    const std::size_t offset = (used_ + (address_sanitizer ? 64 : 0) + step - 1) / step * step;
    if (alignment > 16 || offset + bytes > bytes_) {
        throw Fault("shared memory of " + std::to_string(offset + bytes) + " bytes, aligned to " +
                    std::to_string(alignment) + "; there are " + std::to_string(bytes_) + ", aligned to 16");
    }
    used_ = offset + bytes;
    sites_.push_back({site, offset});
    unpoison(memory_.get() + offset, bytes);
    std::memset(memory_.get() + offset, 0xFF, bytes);
    return memory_.get() + offset;
}

Block::Block(const HostSettings& settings) : shared_bytes_(settings.shared_bytes), shared_(settings.shared_bytes) {}

bool Block::fits(const HostSettings& settings) const {
    return fault_.empty() && settings.shared_bytes == shared_bytes_;
}

void Block::set_up(const HostSettings& settings, unsigned block, const Grid& grid) {
    shuffled_ = settings.order == ThreadOrder::shuffled;
    dynamic_bytes_ = grid.dynamic_bytes;
    position = {0, block, grid.threads, grid.blocks, settings.warp_width};
    const auto width = static_cast<unsigned>(settings.warp_width);
    tiles_.assign(grid.threads / tile, {});
    warps_.assign((grid.threads + width - 1) / width, {});
    block_ = {};
    if (threads_.size() < grid.threads) threads_.resize(grid.threads);
    first_ready_ = ready_count_ = done_ = 0;
    for (unsigned t = 0; t < grid.threads; ++t) {
        if (!threads_[t].fiber) threads_[t].fiber = std::make_unique<Fiber>(enter, stack_bytes);
        make_ready(t);
    }
    shared_.clear();
}

bool Block::run(const HostSettings& settings, std::uint64_t number, unsigned block, const Grid& grid,
                const std::function<void()>& kernel) {
    shuffler_ = Shuffler(settings.seed, number << 32 | block);
    kernel_ = &kernel;
    set_up(settings, block, grid);
    Block* const outer = std::exchange(running, this);
    go_on(origin_);
    running = outer;
    if (fault_.empty() && done_ < grid.threads) fault_ = stuck();
    return fault_.empty();
}

std::string Block::stuck() const {
    std::string text =
        std::to_string(done_) + " of " + std::to_string(position.block_threads) + " threads have ended, ";
    const auto count = [](const std::vector<Meeter>& meeters) {
        unsigned sum = 0;
        for (const Meeter& m : meeters) sum += m.arrived;
        return std::to_string(sum);
    };
    text += std::to_string(block_.arrived) + " wait at the block's barrier";
    if (block_.arrived > 0) text += " of line " + std::to_string(block_.line);
    return text + ", " + count(tiles_) + " at operations of their tile, " + count(warps_) +
           " of their warp: none can go on";
}

// What a fibre does: one thread of each block that comes.
void Block::enter() {
    Fiber::arrived(running->origin_);
    running->live();
}

void Block::live() {
    for (;;) {
        const unsigned me = position.thread;
        try {
            (*kernel_)();
        } catch (const std::exception& e) {
            fault_ = e.what();
        }
        ++done_;
        go_on(*threads_[me].fiber);
    }
}

void Block::make_ready(unsigned thread) {
    ready_[(first_ready_ + ready_count_) % most_threads] = static_cast<std::uint16_t>(thread);
    ++ready_count_;
}

unsigned Block::next_ready() {
    if (shuffled_) {
        const auto k = static_cast<unsigned>(shuffler_.below(ready_count_));
        std::swap(ready_[first_ready_], ready_[(first_ready_ + k) % most_threads]);
    }
    const unsigned thread = ready_[first_ready_];
    first_ready_ = (first_ready_ + 1) % most_threads;
    --ready_count_;
    return thread;
}

// Leaves `from` for a thread that is ready; for the origin where there is none, or after a fault.
void Block::go_on(Fiber& from) {
    Fiber* to = &origin_;
    if (fault_.empty() && ready_count_ > 0) {
        position.thread = next_ready();
        to = threads_[position.thread].fiber.get();
    }
    if (to != &from) from.switch_to(*to);
}

Block::Members Block::members(Group group) {
    if (group == Group::block) return {block_, 0, position.block_threads};
    const unsigned width = group == Group::tile ? tile : static_cast<unsigned>(position.warp_width);
    const unsigned index = position.thread / width;
    Meeter& meeter = group == Group::tile ? tiles_[index] : warps_[index];
    return {meeter, index * width, std::min(width, position.block_threads - index * width)};
}

void Block::meet(Group group, Meeting kind, int line) {
    const unsigned me = position.thread;
    const Members m = members(group);
    if (m.meeter.arrived == 0) {
        m.meeter.kind = kind;
        m.meeter.line = line;
    } else if (m.meeter.kind != kind || m.meeter.line != line) {
        throw Fault(std::string("threads that must stay together are at ") + name_of(m.meeter.kind) + " of line " +
                    std::to_string(m.meeter.line) + " and at " + name_of(kind) + " of line " + std::to_string(line));
    }
    if (++m.meeter.arrived < m.count) return go_on(*threads_[me].fiber);
    deliver(m);
    for (unsigned t = m.first; t < m.first + m.count; ++t) {
        if (t != me) make_ready(t);
    }
    if (!shuffled_) return;
    make_ready(me);
    go_on(*threads_[me].fiber);
}

// All are here: each gets what it came for. They may leave one after the other, and come to the next meeting before
// others have left, so nothing of this meeting is read later.
void Block::deliver(const Members& m) {
    for (unsigned t = m.first; t < m.first + m.count; ++t) {
        Thread& thread = threads_[t];
        if (m.meeter.kind == Meeting::ballot) thread.votes = m.meeter.votes;
        if (m.meeter.kind == Meeting::shuffle) {
            thread.taken = threads_[m.first + static_cast<unsigned>(thread.source) % m.count].given;
        }
    }
    m.meeter = {};
}

void* Block::shared(const void* site, std::size_t bytes, std::size_t alignment) {
    return shared_.find(site, site == nullptr ? dynamic_bytes_ : bytes, alignment);
}

void Block::give(const void* value, std::size_t bytes, int source) {
    Thread& me = threads_[position.thread];
    std::memcpy(me.given.data(), value, bytes);
    me.source = source;
}

void Block::take(void* value, std::size_t bytes) const {
    std::memcpy(value, threads_[position.thread].taken.data(), bytes);
}

void Block::vote(Group group, bool p) {
    const Members m = members(group);
    if (p) m.meeter.votes |= std::uint64_t{1} << (position.thread - m.first);
}

std::uint64_t Block::votes() const {
    return threads_[position.thread].votes;
}

void barrier(Group group, int line) {
    running->meet(group, Meeting::barrier, line);
}

void shuffle(void* value, std::size_t bytes, int source, int line) {
    running->give(value, bytes, source);
    running->meet(Group::tile, Meeting::shuffle, line);
    running->take(value, bytes);
}

std::uint64_t ballot(Group group, bool p, int line) {
    running->vote(group, p);
    running->meet(group, Meeting::ballot, line);
    return running->votes();
}

void* shared(const void* site, std::size_t bytes, std::size_t alignment) {
    return running->shared(site, bytes, alignment);
}

}  // namespace mdsim::gpu::executor
