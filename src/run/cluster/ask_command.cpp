// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/cluster/job_end.h"

namespace mdsim {

namespace {

using Clock = std::chrono::steady_clock;

/// A child whose standard output is read here.
struct Child {
    pid_t process = -1;
    int output = -1;
};

std::optional<Child> start(const std::vector<std::string>& command) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return std::nullopt;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    Child child{-1, pipe[0]};
    const int failed = ::posix_spawnp(&child.process, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    if (failed == 0) return child;
    ::close(pipe[0]);
    return std::nullopt;
}

// All that it prints until it ends; none where it goes on beyond that time.
std::optional<std::string> read_until(int output, Clock::time_point end) {
    std::string text;
    std::array<char, 4096> piece{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd wanted{output, POLLIN, 0};
        if (left <= 0 || ::poll(&wanted, 1, static_cast<int>(left)) == 0) return std::nullopt;
        const ssize_t bytes = ::read(output, piece.data(), piece.size());
        if (bytes == 0) return text;
        if (bytes > 0) text.append(piece.data(), static_cast<std::size_t>(bytes));
        if (bytes < 0 && errno != EINTR && errno != EAGAIN) return std::nullopt;
    }
}

}  // namespace

std::optional<std::string> ask_command(const std::vector<std::string>& command, double seconds) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const std::optional<Child> child = start(command);
    if (!child) return std::nullopt;
    std::optional<std::string> text = read_until(child->output, end);
    ::close(child->output);
    if (!text) ::kill(child->process, SIGKILL);
    int status = 0;
    while (::waitpid(child->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
    return text;
}

}  // namespace mdsim
