// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/writer_thread.h"

#include <sched.h>
#include <utility>

#include "parallel/side_thread.h"
#include "parallel/threads.h"

// Tasks: the loop puts jobs and waits for tickets; the thread takes the first job, runs it without the mutex, and
// counts it as done. What a job reads belongs to it from put until its ticket is done. Everything else is under the
// mutex.
namespace mdsim {

namespace {

/// The processors that any thread of the loop may use. With OMP_PROC_BIND a new thread would inherit the one processor
/// of the loop's first thread and take turns with it.
class Processors {
  public:
    Processors() {
        CPU_ZERO(&all_);
        parallel_ranges(static_cast<std::size_t>(thread_count()), [&](int, std::size_t, std::size_t) {
            cpu_set_t own;
            CPU_ZERO(&own);
            if (::sched_getaffinity(0, sizeof own, &own) != 0) return;
#pragma omp critical(mdsim_writer_processors)
            CPU_OR(&all_, &all_, &own);
        });
    }
    /// For the calling thread. Where it fails the thread stays where it is.
    void allow() const {
        if (CPU_COUNT(&all_) > 0) ::sched_setaffinity(0, sizeof all_, &all_);
    }

  private:
    cpu_set_t all_;
};

}  // namespace

WriterThread::WriterThread(std::size_t most_waiting) : most_waiting_(most_waiting) {
    const Processors processors;
    thread_ = side_thread([this, processors] {
        processors.allow();
        work();
    });
}

WriterThread::~WriterThread() {
    {
        const std::scoped_lock lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

WriterThread::Ticket WriterThread::put(Job job) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return jobs_.size() < most_waiting_; });
        throw_error(lock);
        jobs_.push_back(std::move(job));
        ++put_;
    }
    changed_.notify_all();
    return put_;
}

void WriterThread::wait_for(Ticket ticket) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= ticket; });
    throw_error(lock);
}

void WriterThread::rethrow_error() {
    if (!failed_) return;
    std::unique_lock lock(mutex_);
    throw_error(lock);
}

void WriterThread::throw_error(std::unique_lock<std::mutex>& lock) {
    if (!error_) return;
    const std::exception_ptr error = std::exchange(error_, nullptr);
    failed_ = false;
    lock.unlock();
    std::rethrow_exception(error);
}

void WriterThread::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        run_next(lock);
        changed_.notify_all();
    }
}

void WriterThread::run_next(std::unique_lock<std::mutex>& lock) {
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
        job();
    } catch (...) {
        error = std::current_exception();
    }
    job = nullptr;  // what it holds goes before it counts as done
    lock.lock();
    ++done_;
    if (!error) return;
    done_ += jobs_.size();
    jobs_.clear();
    error_ = error;
    failed_ = true;
}

}  // namespace mdsim
