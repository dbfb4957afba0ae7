// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/progress_watch.h"

#include <chrono>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace mdsim;
using Catch::Contains;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

/// What a watch said, and after how long.
class Heard {
  public:
    std::function<void(const std::string&)> give_up() {
        return [this](const std::string& text) {
            const std::lock_guard lock(mutex_);
            text_ = text;
            after_ = std::chrono::duration<double>(Clock::now() - began_).count();
        };
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    double after() const {
        const std::lock_guard lock(mutex_);
        return after_;
    }
    void wait() const {
        for (int n = 0; n < 2000 && text().empty(); ++n) std::this_thread::sleep_for(10ms);
    }

  private:
    mutable std::mutex mutex_;
    Clock::time_point began_ = Clock::now();
    std::string text_;
    double after_ = 0.0;
};

}  // namespace

TEST_CASE("a run that makes no progress is given up", "[cluster]") {
    Heard heard;
    ProgressWatch watch({.give_up_after = 0.5, .rank = 0, .give_up = heard.give_up()});
    heard.wait();
    CHECK_THAT(heard.text(), Contains("[MD802]") && Contains("rank 0 on host") && Contains("hardware.give_up_after"));
    CHECK(heard.after() >= 0.5);
}

TEST_CASE("the other ranks speak later", "[cluster]") {
    Heard heard;
    ProgressWatch watch({.give_up_after = 0.2, .rank = 3, .give_up = heard.give_up()});
    heard.wait();
    CHECK(heard.after() >= 2.2);
}

TEST_CASE("a run that makes progress, or is not watched, is left alone", "[cluster]") {
    Heard heard;
    {
        ProgressWatch watch({.give_up_after = 1.0, .rank = 0, .give_up = heard.give_up()});
        ProgressWatch off({.give_up_after = 0.0, .rank = 0, .give_up = heard.give_up()});
        for (int n = 0; n < 30; ++n) {
            std::this_thread::sleep_for(50ms);
            watch.progress();
        }
    }
    CHECK(heard.text().empty());
}

TEST_CASE("long steps need a longer time without any", "[cluster]") {
    Heard heard;
    ProgressWatch watch({.give_up_after = 0.3, .rank = 0, .give_up = heard.give_up()});
    // 10 times 0.2 s is 2 s.
    std::this_thread::sleep_for(200ms);
    watch.progress();
    std::this_thread::sleep_for(1s);
    CHECK(heard.text().empty());
    heard.wait();
    CHECK(heard.after() >= 1.5);
}

TEST_CASE("giving up ends the process at once with a message", "[cluster]") {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(pipe[1], STDERR_FILENO);
        ProgressWatch::end_process("no progress");
    }
    ::close(pipe[1]);
    char text[64] = {};
    CHECK(::read(pipe[0], text, sizeof text - 1) == 12);
    CHECK(std::string(text) == "no progress\n");
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) == 75);
    ::close(pipe[0]);
}

TEST_CASE("giving up does not wait for a reader that is gone", "[cluster]") {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(pipe[1], STDERR_FILENO);
        // Nobody reads: it fills up.
        const std::string block(4096, 'x');
        for (int n = 0; n < 16; ++n) [[maybe_unused]] const auto written = ::write(pipe[1], block.data(), block.size());
        ProgressWatch::end_process("no progress");
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) == 75);
    ::close(pipe[0]);
    ::close(pipe[1]);
}
