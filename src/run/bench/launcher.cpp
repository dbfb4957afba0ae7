// SPDX-License-Identifier: Apache-2.0
#include "run/bench/launcher.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "parallel/comm.h"
#include "parallel/threads.h"
#include "run/cluster/launch.h"
#include "run/hardware/local_rank.h"

namespace mdsim {

namespace {

bool is_open_mpi(const Launcher& launcher) {
    return launcher.library.find("Open MPI") != std::string::npos;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

[[noreturn]] void fail_to_launch(const std::vector<std::string>& command, const std::string& what, ExitCode exit) {
    throw Error(exit, Problem{.code = "MD117",
                              .what = fmt::format("{}: {}", what, joined(command)),
                              .remedy = "try the command by hand; its own message is above, where it left one"});
}

class Pipe {
  public:
    Pipe() {
        if (::pipe(ends_) == 0) return;
        throw_io_error({.code = "MD117", .what = fmt::format("no pipe: {}", std::strerror(errno))});
    }
    ~Pipe() {
        close_write();
        ::close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_write() {
        if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
    }
    /// All that comes until the last writer is gone.
    std::string read_all() const {
        std::string text;
        char buffer[4096];
        for (ssize_t n = 0; (n = ::read(ends_[0], buffer, sizeof buffer)) != 0;) {
            if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
            if (n < 0 && errno != EINTR) break;
        }
        return text;
    }

  private:
    int ends_[2] = {-1, -1};
};

// The number of the process, or 0 with errno set.
pid_t start(const std::vector<std::string>& command, const Pipe& output) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, output.read_end());
    posix_spawn_file_actions_addclose(&actions, output.write_end());
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = error;
    return error == 0 ? process : 0;
}

int exit_code_of(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Launcher this_launcher() {
    return {MDSIM_MPIEXEC, mpi_library(), processor_count(), ::geteuid() == 0};
}

std::vector<std::string> launch_command(const Launcher& launcher, const RanksToStart& launch,
                                        const std::vector<std::string>& program) {
    std::vector<std::string> command{launcher.program};
    if (is_open_mpi(launcher)) {
        if (launcher.root) command.emplace_back("--allow-run-as-root");
        if (launch.ranks > launcher.processors) command.emplace_back("--oversubscribe");
        command.insert(command.end(), {"--bind-to", "none"});
    }
    command.insert(command.end(), {"-n", std::to_string(launch.ranks)});
    command.insert(command.end(), program.begin(), program.end());
    return command;
}

std::vector<int> parse_counts(const std::string& text, const std::string& option) {
    std::vector<int> counts;
    const auto refuse = [&](const std::string& what) {
        throw_input_error(
            {.code = "MD116",
             .place = {option},
             .what = fmt::format("\"{}\" in \"{}\" is no whole number from 1 to {}, or stands there twice", what, text,
                                 std::numeric_limits<int>::max()),
             .remedy = fmt::format("numbers with commas between them, as in {} 1,2,4", option)});
    };
    std::size_t begin = 0;
    do {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, comma - begin);
        int count = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
        if (error != std::errc() || end != word.data() + word.size() || count < 1) refuse(word);
        if (std::find(counts.begin(), counts.end(), count) != counts.end()) refuse(word);
        counts.push_back(count);
        begin = comma + 1;
    } while (begin <= text.size());
    return counts;
}

std::string output_of(const std::vector<std::string>& command) {
    Pipe output;
    const pid_t process = start(command, output);
    if (process == 0)
        fail_to_launch(command, fmt::format("cannot be started ({})", std::strerror(errno)), ExitCode::input_error);
    output.close_write();
    const std::string text = output.read_all();
    const int code = exit_code_of(process);
    if (code != 0) fail_to_launch(command, fmt::format("ended with exit code {}", code), static_cast<ExitCode>(code));
    return text;
}

void require_started_alone(const std::string& place, const std::string& why, const std::string& remedy) {
    const Environment environment = this_environment();
    const LocalRank here = local_rank(environment);
    const Launch launch = find_launch(environment);  // of all hosts: there may be one process on each
    const int together = std::max(here.size, launch.tasks);
    if (together == 1) return;
    throw_input_error({.code = "MD116",
                       .place = {place},
                       .what = fmt::format("this process is one of {} that a launcher has started ({})", together,
                                           here.size == together ? here.source : launch.source),
                       .why = why,
                       .remedy = remedy});
}

std::string this_program() {
    return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace mdsim
