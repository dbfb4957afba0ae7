// SPDX-License-Identifier: Apache-2.0
#include "run/parity/child.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "core/error.h"

namespace mdsim::parity {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw_io_error({.code = "MD601",
                    .place = {path.string()},
                    .what = what + ": " + std::strerror(errno),
                    .remedy = "make room there, or name another folder for temporary files in TMPDIR"});
}

/// What a child is started with.
class Actions {
  public:
    explicit Actions(const std::filesystem::path& folder) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "stdin.txt", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "stdout.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    }
    ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "mdsim-parity-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail(name, "cannot be made");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void ScratchFolder::write(const std::string& name, std::string_view text) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush()) fail(path_ / name, "cannot be written");
}

std::string ScratchFolder::read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) fail(path_ / name, "cannot be read");
    return text.str();
}

std::optional<std::filesystem::path> find_program(const std::vector<std::string>& names) {
    const char* variable = std::getenv("PATH");
    for (const std::string& name : names) {
        std::istringstream folders(name.find('/') == std::string::npos && variable != nullptr ? variable : "");
        if (name.find('/') != std::string::npos) {
            const auto path = std::filesystem::absolute(name);
            if (::access(path.c_str(), X_OK) == 0) return path;
        }
        for (std::string folder; std::getline(folders, folder, ':');) {
            const auto path = std::filesystem::path(folder.empty() ? "." : folder) / name;
            if (::access(path.c_str(), X_OK) == 0) return std::filesystem::absolute(path);
        }
    }
    return std::nullopt;
}

Ended run_in(const ScratchFolder& folder, const std::vector<std::string>& command, std::string_view input) {
    folder.write("stdin.txt", input);
    // The threads that a user has set for mdsim would contradict those that the command asks for.
    std::vector<std::string> words{"env", "OMP_NUM_THREADS=1"};
    words.insert(words.end(), command.begin(), command.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const Actions actions(folder.path());
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, pointers[0], actions.get(), nullptr, pointers.data(), environ);
    if (error != 0) throw std::system_error(error, std::generic_category(), command.front());
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder.read("stdout.txt")};
}

std::string last_lines(const std::string& text, std::size_t count) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
    }
    std::string out;
    for (std::size_t n = lines.size() > count ? lines.size() - count : 0; n < lines.size(); ++n)
        out += "\n    " + lines[n];
    return out;
}

}  // namespace mdsim::parity
