// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/hdf5/transaction.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;

namespace {

void append_rows(const std::filesystem::path& path, int from, int to) {
    h5::change_file(path, [&](h5::File& file) {
        for (int i = from; i < to; ++i) {
            const std::vector<double> row(1000, i);
            file.append_rows("/group/rows", H5T_NATIVE_DOUBLE, row.data(), 1);
        }
    });
}

void create_rows(const std::filesystem::path& path) {
    h5::create_file(path, [](h5::File& file) { file.create_growing("/group/rows", H5T_IEEE_F64LE, {1000}, 4); });
}

}  // namespace

TEST_CASE("rows are appended and cut back") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    create_rows(path);
    append_rows(path, 0, 10);
    append_rows(path, 10, 15);
    h5::change_file(path, [](h5::File& file) { file.set_rows("/group/rows", 12); });
    const h5::File file = h5::File::open_to_read(path);
    CHECK(file.extent("/group/rows") == std::vector<hsize_t>{12, 1000});
    const std::vector<double> all = file.read_doubles("/group/rows");
    CHECK(all.front() == 0.0);
    CHECK(all.back() == 11.0);
    CHECK_FALSE(std::filesystem::exists(path.string() + ".redo"));
}

TEST_CASE("a change that fails leaves the file as it was") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    create_rows(path);
    append_rows(path, 0, 3);
    CHECK_THROWS(h5::change_file(path, [](h5::File& file) {
        file.set_rows("/group/rows", 0);
        throw std::runtime_error("in the middle");
    }));
    CHECK(h5::File::open_to_read(path).extent("/group/rows")[0] == 3);
}

TEST_CASE("where there is no room for a change the file is as it was") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    create_rows(path);
    append_rows(path, 0, 200);
    const auto before = std::filesystem::file_size(path);
    // Room for the log of the change, and not for the file with the change in it.
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const rlimit usual = limit;
    limit.rlim_cur = before + 100000;
    ::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    bool refused = false;
    try {
        append_rows(path, 200, 240);
    } catch (const Error& error) {
        refused = error.exit_code() == ExitCode::io_error;
    }
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &usual) == 0);
    CHECK(refused);
    CHECK(std::filesystem::file_size(path) == before);
    CHECK_FALSE(std::filesystem::exists(path.string() + ".redo"));
    CHECK(h5::File::open_to_read(path).extent("/group/rows")[0] == 200);
    append_rows(path, 200, 240);
    CHECK(h5::File::open_to_read(path).extent("/group/rows")[0] == 240);
}

TEST_CASE("a process killed at any moment leaves a file that can be read and continued") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    create_rows(path);
    std::mt19937 random(5);
    std::uniform_int_distribution<int> microseconds(0, 8000);
    hsize_t least = 0;
    for (int attempt = 0; attempt < 25; ++attempt) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (int i = 0; i < 1000; ++i) {
                h5::recover(path);
                const auto rows = static_cast<int>(h5::File::open_to_read(path).extent("/group/rows")[0]);
                append_rows(path, rows, rows + 2);
            }
            ::_exit(0);
        }
        ::usleep(static_cast<useconds_t>(microseconds(random)));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        h5::recover(path);
        const h5::File file = h5::File::open_to_read(path);
        const hsize_t rows = file.extent("/group/rows")[0];
        CHECK(rows >= least);
        least = rows;
        const std::vector<double> all = file.read_doubles("/group/rows");
        bool right = true;
        for (std::size_t k = 0; k < all.size(); ++k) right = right && all[k] == static_cast<double>(k / 1000);
        CHECK(right);
    }
    CHECK(least > 0);
}
