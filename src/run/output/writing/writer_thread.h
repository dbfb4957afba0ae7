// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace mdsim {

/// Runs jobs one after the other, in the order in which they are put, on a thread of its own. All other calls are made
/// by one thread, that of the loop.
///
/// An error in a job ends that job and those that wait behind it: they would build on what it left undone. It is thrown
/// by the next call here; after that, jobs are taken again (a log's last words). The thread takes no signals, and may
/// use every processor that the threads of the loop may.
class WriterThread {
  public:
    using Job = std::function<void()>;
    using Ticket = std::uint64_t;  ///< how many jobs had been put, with this one

    /// most_waiting: so many jobs wait at most; then put waits.
    explicit WriterThread(std::size_t most_waiting);
    /// After all jobs that wait; errors that nobody asked for are lost.
    ~WriterThread();
    WriterThread(const WriterThread&) = delete;
    WriterThread& operator=(const WriterThread&) = delete;

    Ticket put(Job job);
    /// Returns when this job is done, and what it used can be used again.
    void wait_for(Ticket ticket);
    /// Returns when all jobs are done.
    void drain() { wait_for(put_); }
    /// Throws what has gone wrong since the last call; costs nothing where that is nothing.
    void rethrow_error();

  private:
    std::size_t most_waiting_;
    Ticket put_ = 0;  // of the loop's thread
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;  // under the mutex, as all below
    Ticket done_ = 0;       // jobs that were run, or dropped after an error
    std::exception_ptr error_;
    bool ends_ = false;
    std::atomic<bool> failed_{false};  // there is an error_
    std::thread thread_;

    void work();
    void run_next(std::unique_lock<std::mutex>& lock);
    void throw_error(std::unique_lock<std::mutex>& lock);
};

}  // namespace mdsim
