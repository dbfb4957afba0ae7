// SPDX-License-Identifier: Apache-2.0
#include "io/output/run_lock.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "core/error.h"
#include "io/output/file_lock.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;

namespace {

constexpr RunLock::Timing quick{.beat = 0.02, .patience = 1.0};

struct Fixture {
    TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "run.lock";
    std::vector<std::string> warnings;

    RunLock take() {
        return RunLock::take(
            file, [this](const std::string& text) { warnings.push_back(text); }, quick);
    }
    void leave(const std::string& text) const { std::ofstream(file) << text << '\n'; }
    std::string text() const {
        std::ifstream in(file);
        std::string line;
        std::getline(in, line);
        return line;
    }
};

}  // namespace

TEST_CASE("a second process is refused and told who has the lock") {
    Fixture fixture;
    ::setenv("PBS_JOBID", "4711.server", 1);
    const RunLock lock = fixture.take();
    ::unsetenv("PBS_JOBID");
    CHECK(fixture.text().starts_with(fmt::format("process {} on host {} since ", ::getpid(), host_name())));
    CHECK(fixture.text().ends_with(", PBS job 4711.server"));
    CHECK_THROWS_WITH(fixture.take(), Catch::Contains("MD608") && Catch::Contains("PBS job 4711.server"));
    CHECK(fixture.warnings.empty());
}

TEST_CASE("a lock that a process of this host left behind hinders nobody") {
    Fixture fixture;
    fixture.leave(fmt::format("process 1 on host {} since 2026-01-01T00:00:00Z", host_name()));
    const auto start = std::chrono::steady_clock::now();
    fixture.take();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::duration<double>(quick.patience));
    CHECK(fixture.warnings.empty());
    CHECK(!std::filesystem::exists(fixture.file));
}

TEST_CASE("one that names another host is taken over only where its owner gives no sign of life") {
    Fixture fixture;
    const std::string owner = "process 1 on host elsewhere since 2026-01-01T00:00:00Z, Slurm job 99";
    fixture.leave(owner);
    SECTION("it is dead") {
        const RunLock lock = fixture.take();
        CHECK(fixture.text().starts_with(fmt::format("process {} on host ", ::getpid())));
    }
    SECTION("it lives, and its file stays as it was") {
        std::atomic<bool> ends{false};
        std::thread other([&] {
            while (!ends) {
                std::error_code gone;
                std::filesystem::last_write_time(fixture.file, std::filesystem::file_time_type::clock::now(), gone);
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        });
        CHECK_THROWS_WITH(fixture.take(), Catch::Contains("MD608") && Catch::Contains("Slurm job 99"));
        ends = true;
        other.join();
        CHECK(fixture.text() == owner);
    }
    REQUIRE(fixture.warnings.size() == 1);
    CHECK(fixture.warnings.front().find("host elsewhere") != std::string::npos);
}

TEST_CASE("who holds the lock gives signs of life") {
    Fixture fixture;
    const RunLock lock = fixture.take();
    const auto before = std::filesystem::last_write_time(fixture.file);
    for (int n = 0; n < 500 && std::filesystem::last_write_time(fixture.file) == before; ++n)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(std::filesystem::last_write_time(fixture.file) != before);
}
