// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/output_queue.h"

#include <chrono>
#include <thread>
#include <utility>

// Tasks: the loop copies atoms into a slot and goes on; messages bring the other ranks' atoms while it computes, and
// `poll` takes note; the writer thread puts them in order and writes. A slot belongs to the loop from `put` until its
// job is handed over, to the writer until that job's ticket is done.
namespace mdsim {

namespace {
// Lines of text; a disk that stands still is noticed after so many.
constexpr std::size_t most_jobs_waiting = 4096;
}  // namespace

OutputQueue::OutputQueue(const Comm& comm, std::int64_t atoms) : comm_(comm.split(0)), atoms_(atoms) {
    if (comm_.leads()) writer_ = std::make_unique<WriterThread>(most_jobs_waiting);
}

// What was to follow a job that went wrong is not done either.
template <class F>
auto OutputQueue::guarded(F&& call) {
    try {
        return call();
    } catch (...) {
        held_.clear();
        throw;
    }
}

void OutputQueue::hand_over() {
    Held first = std::move(held_.front());
    held_.pop_front();
    const WriterThread::Ticket ticket = guarded([&] { return writer_->put(std::move(first.job)); });
    if (first.slot != nullptr) first.slot->ticket = ticket;
}

void OutputQueue::put(Job job) {
    if (!writer_) return;
    held_.push_back({std::move(job), nullptr});
    poll();
}

void OutputQueue::put(Fields fields, const HomeAtoms& home, AtomJob job) {
    const auto number = static_cast<int>(next_);
    Slot& slot = free_slot();
    slot.gather.begin(comm_, number, fields, home);
    if (!writer_) return;
    held_.push_back({[this, &slot, job = std::move(job)] { job(slot.gather.assemble(atoms_)); }, &slot});
    poll();
}

OutputQueue::Slot& OutputQueue::free_slot() {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    slot.gather.wait();
    if (!writer_) return slot;
    poll();  // which hands it over, since those before it have come, too
    guarded([&] { writer_->wait_for(slot.ticket); });
    return slot;
}

void OutputQueue::poll() {
    if (!writer_) {
        for (Slot& slot : slots_) slot.gather.test();
        return;
    }
    guarded([&] { writer_->rethrow_error(); });
    while (!held_.empty() && (held_.front().slot == nullptr || held_.front().slot->gather.test())) hand_over();
}

void OutputQueue::drain() {
    for (Slot& slot : slots_) slot.gather.wait();
    if (!writer_) return;
    poll();
    guarded([&] { writer_->drain(); });
}

void OutputQueue::drain_within(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const auto all_come = [&] { return slots_[0].gather.test() && slots_[1].gather.test(); };
    while (!all_come() && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!writer_) return;
    std::erase_if(held_, [](const Held& held) { return held.slot != nullptr && !held.slot->gather.test(); });
    poll();
    guarded([&] { writer_->drain(); });
}

}  // namespace mdsim
