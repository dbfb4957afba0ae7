// SPDX-License-Identifier: Apache-2.0
#include "io/output/append_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw_system_error(path, "writing");
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

int open_file(const std::filesystem::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (descriptor < 0) throw_system_error(path, (flags & O_CREAT) != 0 ? "creating" : "opening");
    return descriptor;
}

void clear_loose(std::span<char> chunk, std::uint64_t begin, const std::vector<LooseBytes>& loose) {
    for (const LooseBytes& part : loose) {
        for (std::uint64_t n = std::max(begin, part.begin); n < std::min(begin + chunk.size(), part.end); ++n)
            chunk[n - begin] = '\0';
    }
}

// Reads the first `length` bytes into a checksum; false where the file is shorter.
bool checksum_of_prefix(int descriptor, std::uint64_t length, const std::vector<LooseBytes>& loose, Checksum& checksum,
                        const std::filesystem::path& path) {
    std::string chunk(std::size_t{1} << 20, '\0');
    std::uint64_t begin = 0;
    while (length > 0) {
        const ssize_t n = ::read(descriptor, chunk.data(), std::min<std::uint64_t>(chunk.size(), length));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw_system_error(path, "reading");
        if (n == 0) return false;
        clear_loose(std::span(chunk).first(static_cast<std::size_t>(n)), begin, loose);
        begin += static_cast<std::uint64_t>(n);
        checksum.add({chunk.data(), static_cast<std::size_t>(n)});
        length -= static_cast<std::uint64_t>(n);
    }
    return true;
}

}  // namespace

void throw_system_error(const std::filesystem::path& path, std::string_view doing) {
    const int reason = errno;
    const char* remedy =
        reason == ENOSPC || reason == EDQUOT || reason == EFBIG
            ? "make room on the disk and run the same command again: it continues from the last checkpoint"
        : reason == EACCES || reason == EPERM || reason == EROFS
            ? "give write permission, or choose another place with output.directory"
            : "mend the cause and run the same command again";
    throw_io_error({.code = "MD601",
                    .place = {path.string()},
                    .what = fmt::format("{} failed: {}", doing, std::strerror(reason)),
                    .remedy = remedy});
}

void throw_changed(const std::filesystem::path& path, const std::string& what) {
    throw_io_error(
        {.code = "MD602",
         .place = {path.string()},
         .what = what,
         .why = "a continuation goes on where the checkpoint stands, and this file is not what it was then",
         .remedy = "put the file back as it was, or start over with --restart (old outputs are kept aside)"});
}

void Checksum::add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
}

AppendFile AppendFile::create(const std::filesystem::path& path, Durability durability) {
    AppendFile file(path, open_file(path, O_WRONLY | O_CREAT | O_EXCL));
    file.durability_ = durability;
    return file;
}

AppendFile AppendFile::open_device(const std::filesystem::path& path) {
    return AppendFile(path, open_file(path, O_WRONLY | O_APPEND));
}

AppendFile AppendFile::reopen(const std::filesystem::path& path, const OutputMark& mark,
                              const std::vector<LooseBytes>& loose) {
    if (!std::filesystem::exists(path)) throw_changed(path, "the file is not there any more");
    AppendFile file(path, open_file(path, O_RDWR));
    if (!checksum_of_prefix(file.descriptor_, mark.length, loose, file.checksum_, path)) {
        throw_changed(path, fmt::format("the file is shorter than the {} bytes of the checkpoint", mark.length));
    }
    if (file.checksum_.value() != mark.checksum) {
        throw_changed(path, fmt::format("its first {} bytes differ from those of the checkpoint", mark.length));
    }
    if (::ftruncate(file.descriptor_, static_cast<off_t>(mark.length)) != 0) throw_system_error(path, "cutting back");
    if (::lseek(file.descriptor_, 0, SEEK_END) < 0) throw_system_error(path, "positioning");
    file.length_ = mark.length;
    return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      length_(other.length_),
      checksum_(other.checksum_),
      buffer_(std::move(other.buffer_)),
      durability_(other.durability_) {}

// No flush here: what is not flushed when an error ends the run is not promised by any checkpoint.
AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::string_view bytes) {
    if (durability_ == Durability::synced) checksum_.add(bytes);
    length_ += bytes.size();
    if (buffer_.size() + bytes.size() < buffer_size) {
        buffer_.append(bytes);
        return;
    }
    flush();
    write_all(descriptor_, bytes, path_);
}

void AppendFile::patch(std::uint64_t begin, std::string_view bytes) {
    MDSIM_EXPECT(begin + bytes.size() <= length_);
    flush();
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(begin));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw_system_error(path_, "writing");
        bytes.remove_prefix(static_cast<std::size_t>(n));
        begin += static_cast<std::uint64_t>(n);
    }
}

void AppendFile::flush() {
    write_all(descriptor_, buffer_, path_);
    buffer_.clear();
}

OutputMark AppendFile::sync() {
    flush();
    if (durability_ == Durability::cached) return {path_.filename().string(), length_, 0};
    // /dev/full and pipes have nothing to flush to; everything else must succeed.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) throw_system_error(path_, "flushing to disk");
    return {path_.filename().string(), length_, checksum_.value()};
}

void sync_to_disk(const std::filesystem::path& path) {
    const int descriptor = open_file(path, O_RDONLY);
    const int failed = ::fsync(descriptor);
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    if (failed != 0 && reason != EINVAL) throw_system_error(path, "flushing to disk");
}

void write_new_file(const std::filesystem::path& path, const std::function<void()>& write) {
    std::filesystem::remove(path);
    try {
        write();
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
        throw;
    }
}

void write_atomically(const std::filesystem::path& path, std::string_view bytes) {
    const std::filesystem::path fresh = path.string() + ".new";
    write_new_file(fresh, [&] {
        AppendFile file = AppendFile::create(fresh);
        file.append(bytes);
        file.sync();
    });
    if (::rename(fresh.c_str(), path.c_str()) != 0) throw_system_error(path, "renaming");
    sync_to_disk(path.has_parent_path() ? path.parent_path() : ".");
}

std::vector<std::filesystem::path> move_aside(const std::vector<std::filesystem::path>& paths) {
    const auto aside = [](const std::filesystem::path& p, int n) {
        return p.parent_path() / fmt::format("{}.old-{}{}", p.stem().string(), n, p.extension().string());
    };
    int number = 1;
    for (const auto& path : paths) {
        while (std::filesystem::exists(aside(path, number))) ++number;
    }
    std::vector<std::filesystem::path> moved;
    for (const auto& path : paths) {
        if (!std::filesystem::exists(path)) continue;
        const auto target = aside(path, number);
        if (::rename(path.c_str(), target.c_str()) != 0) throw_system_error(path, "moving aside");
        moved.push_back(target);
    }
    return moved;
}

}  // namespace mdsim
