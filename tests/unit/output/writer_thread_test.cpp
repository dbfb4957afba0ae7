// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/writer_thread.h"

#include <chrono>
#include <csignal>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

/// A job that waits until it is let go.
class Gate {
  public:
    WriterThread::Job job() {
        return [this] { opened_.wait(); };
    }
    void open() { open_.set_value(); }

  private:
    std::promise<void> open_;
    std::shared_future<void> opened_ = open_.get_future().share();
};

}  // namespace

TEST_CASE("jobs run in the order in which they were put, on another thread") {
    WriterThread writer(4);
    std::vector<int> order;
    std::vector<std::thread::id> threads;
    for (int n = 0; n < 1000; ++n) {
        writer.put([&, n] {
            order.push_back(n);
            threads.push_back(std::this_thread::get_id());
        });
    }
    writer.drain();
    REQUIRE(order.size() == 1000);
    for (int n = 0; n < 1000; ++n) CHECK(order[static_cast<std::size_t>(n)] == n);
    CHECK(threads.front() != std::this_thread::get_id());
    CHECK(threads.front() == threads.back());
}

TEST_CASE("a call returns before its job is done, and a ticket tells when it is") {
    WriterThread writer(4);
    Gate first, second;
    bool done = false;
    writer.put(first.job());
    const auto ticket = writer.put([&] { done = true; });
    const auto later = writer.put(second.job());
    first.open();
    writer.wait_for(ticket);  // not for the job behind it, which still stands
    CHECK(done);
    CHECK(later == ticket + 1);
    second.open();
    writer.drain();
}

TEST_CASE("only so many jobs wait, then put does") {
    Gate gate;
    std::atomic<int> put{0};
    WriterThread writer(3);
    std::promise<void> runs;
    writer.put([&] {
        runs.set_value();
        gate.job()();
    });
    runs.get_future().wait();
    std::future<void> putting = std::async(std::launch::async, [&] {
        for (int n = 0; n < 10; ++n) {
            writer.put([] {});
            ++put;
        }
    });
    CHECK(putting.wait_for(std::chrono::milliseconds(200)) == std::future_status::timeout);
    CHECK(put == 3);
    gate.open();
    putting.get();
    writer.drain();
    CHECK(put == 10);
}

TEST_CASE("an error comes with the next call, and jobs behind it are dropped") {
    WriterThread writer(100);
    Gate gate;
    std::vector<std::string> did;
    writer.put(gate.job());
    writer.put([] { throw std::runtime_error("the disk is full"); });
    const auto behind = writer.put([&] { did.emplace_back("behind the error"); });
    gate.open();
    SECTION("a wait for a job that was dropped") {
        CHECK_THROWS_WITH(writer.wait_for(behind), "the disk is full");
    }
    SECTION("drain") {
        CHECK_THROWS_WITH(writer.drain(), "the disk is full");
    }
    SECTION("the question whether there is one") {
        CHECK_THROWS_WITH(
            [&] {
                for (;;) writer.rethrow_error();
            }(),
            "the disk is full");
    }
    SECTION("put") {
        CHECK_THROWS_WITH(
            [&] {
                for (;;) writer.put([&] { did.emplace_back("before anybody knew"); });
            }(),
            "the disk is full");
        did.clear();
    }
    // It has been told: the last words are taken.
    writer.rethrow_error();
    writer.put([&] { did.emplace_back("last words"); });
    writer.drain();
    CHECK(did == std::vector<std::string>{"last words"});
}

TEST_CASE("the end waits for the jobs and keeps errors to itself") {
    int done = 0;
    Gate gate;
    {
        WriterThread writer(100);
        writer.put(gate.job());
        for (int n = 0; n < 50; ++n) writer.put([&] { ++done; });
        writer.put([] { throw std::runtime_error("nobody asks"); });
        writer.put([&] { ++done; });
        gate.open();
    }
    CHECK(done == 50);
}

TEST_CASE("signals go to the thread of the loop") {
    WriterThread writer(4);
    sigset_t blocked;
    writer.put([&] { ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked); });
    writer.drain();
    CHECK(sigismember(&blocked, SIGTERM) == 1);
    CHECK(sigismember(&blocked, SIGUSR1) == 1);
    sigset_t own;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &own);
    CHECK(sigismember(&own, SIGTERM) == 0);
}
