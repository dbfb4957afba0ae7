// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "parallel/comm.h"
#include "run/output/writing/atom_gather.h"
#include "run/output/writing/writer_thread.h"

namespace mdsim {

/// What the loop of a run asks to be written, in the order of the calls, by the writer thread of the leading rank. Jobs
/// with atoms are asked for by all ranks alike, which send theirs; the others have no thread and no other jobs.
///
/// A job that waits for atoms holds up those behind it, so that a checkpoint finds the outputs as they were when it was
/// asked for. Memory is bounded: at most two jobs with atoms are between the call and the disk, a third waits for the
/// first of them.
///
/// An error in a job is thrown on the leading rank by the next call here; what was asked for after that job is dropped.
class OutputQueue {
  public:
    using Job = WriterThread::Job;
    using AtomJob = std::function<void(const AllAtoms&)>;

    /// On all ranks. atoms: of all of them.
    OutputQueue(const Comm& comm, std::int64_t atoms);

    void put(Job job);
    void put(Fields fields, const HomeAtoms& home, AtomJob job);
    /// Once a step, so that messages go on: costs nothing where none is on its way.
    void poll();
    /// On all ranks. Returns when everything is done.
    void drain();
    /// The same after an error, of which not all ranks need to know: atoms that have not come within this time [s] are
    /// given up, with the jobs that wait for them.
    void drain_within(double seconds);
    const Comm& ranks() const { return comm_; }

  private:
    struct Slot {
        AtomGather gather;
        WriterThread::Ticket ticket = 0;  // of the job that has it, or had it last
    };
    struct Held {
        Job job;
        Slot* slot;  // null: without atoms
    };
    Comm comm_;  // of its own, so that no other message is taken for one of these
    std::int64_t atoms_;
    std::array<Slot, 2> slots_;
    std::size_t next_ = 0;
    std::deque<Held> held_;                 // not yet with the writer
    std::unique_ptr<WriterThread> writer_;  // on the leading rank; ends before what its jobs use

    template <class F>
    auto guarded(F&& call);
    Slot& free_slot();
    void hand_over();
};

}  // namespace mdsim
