// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim {

/// Where an output stood at a checkpoint: its length and a checksum of all bytes up to there.
struct OutputMark {
    std::string path;            ///< relative to the output directory
    std::uint64_t length = 0;    ///< [bytes]
    std::uint64_t checksum = 0;  ///< of the bytes [0, length)
    friend bool operator==(const OutputMark&, const OutputMark&) = default;
};

/// 64-bit FNV-1a (Fowler, Noll & Vo) over any number of pieces; order matters, cutting into pieces does not.
class Checksum {
  public:
    void add(std::string_view bytes);
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// Bytes at the head of a file that change while it grows, as a count of frames does. They count as zero in checksums.
struct LooseBytes {
    std::uint64_t begin = 0, end = 0;
};

/// What is promised of the bytes of a file. `synced`: sync() returns when the disk has them, and marks have a checksum.
/// `cached`: the system has them, which is enough where the file can be made again; marks have no checksum.
enum class Durability { synced, cached };

/// A file that only grows, and that a continuation cuts back to a mark. Every failure of the system (disk full,
/// no permission) is an Error with exit code 74 that names the file.
class AppendFile {
  public:
    /// Creates the file; refuses where it exists already.
    static AppendFile create(const std::filesystem::path& path, Durability durability = Durability::synced);
    /// A device, pipe or descriptor that exists; bytes are appended.
    static AppendFile open_device(const std::filesystem::path& path);
    /// Opens the file, checks the first mark.length bytes against the mark and cuts off the rest.
    static AppendFile reopen(const std::filesystem::path& path, const OutputMark& mark,
                             const std::vector<LooseBytes>& loose = {});

    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();

    void append(std::string_view bytes);
    /// Overwrites bytes that were appended as zeros, and are loose.
    void patch(std::uint64_t begin, std::string_view bytes);
    /// Hands buffered bytes to the system.
    void flush();
    /// Keeps the file's promise, and says where it stands.
    OutputMark sync();

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t length() const { return length_; }

  private:
    AppendFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t length_ = 0;
    Checksum checksum_;
    std::string buffer_;
    Durability durability_ = Durability::synced;
};

/// Calls `write`, which makes the file `path` new; nothing is left of it where that ends in an error.
void write_new_file(const std::filesystem::path& path, const std::function<void()>& write);
/// Writes a whole small file so that it is there entirely or not at all: new file, flushed to disk, renamed.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);
/// Flushes a file, or the entry of a renamed one in its directory, to the disk.
void sync_to_disk(const std::filesystem::path& path);
/// Renames each of these files that exists to a free name STEM.old-N.EXT, N the same for all; returns what was moved.
std::vector<std::filesystem::path> move_aside(const std::vector<std::filesystem::path>& paths);
/// Ends with exit code 74: the file, the system's reason (errno) and what to try.
[[noreturn]] void throw_system_error(const std::filesystem::path& path, std::string_view doing);
/// Ends with exit code 74 (MD602): an output is not what it was at the checkpoint that a run continues from.
[[noreturn]] void throw_changed(const std::filesystem::path& path, const std::string& what);

}  // namespace mdsim
