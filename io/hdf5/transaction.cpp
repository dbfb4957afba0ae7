// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/transaction.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/hdf5/page_overlay.h"
#include "io/output/append_file.h"

namespace mdsim::h5 {

namespace {

// The log: header, then (page number, page) for each page, then the checksum of all before it.
struct LogHeader {
    char magic[8] = {'m', 'd', 's', 'i', 'm', 'R', 'D', 'O'};
    std::uint64_t size = 0;  // of the file when the change is done
    std::uint64_t pages = 0;
};

std::filesystem::path log_path(const std::filesystem::path& path) {
    return path.string() + ".redo";
}

template <class T>
std::string_view bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

void write_log(const std::filesystem::path& path, const PageOverlay& overlay) {
    AppendFile log = AppendFile::create(log_path(path));
    LogHeader header;
    header.size = overlay.size();
    header.pages = overlay.pages().size();
    Checksum checksum;
    const auto append = [&](std::string_view bytes) {
        checksum.add(bytes);
        log.append(bytes);
    };
    append(bytes_of(header));
    for (const auto& [number, page] : overlay.pages()) {
        append(bytes_of(number));
        append({page->data(), page->size()});
    }
    log.append(bytes_of(checksum.value()));
    log.sync();
    sync_to_disk(path.has_parent_path() ? path.parent_path() : ".");
}

// The bytes of a log without its seal, or nothing where the seal is missing or wrong.
std::optional<std::string> read_sealed_log(const std::filesystem::path& path) {
    std::ifstream in(log_path(path), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::uint64_t seal = 0;
    if (bytes.size() < sizeof(LogHeader) + sizeof seal) return std::nullopt;
    std::memcpy(&seal, bytes.data() + bytes.size() - sizeof seal, sizeof seal);
    bytes.resize(bytes.size() - sizeof seal);
    Checksum checksum;
    checksum.add(bytes);
    if (checksum.value() != seal) return std::nullopt;
    return bytes;
}

void write_at(int descriptor, std::uint64_t offset, std::string_view bytes, const std::filesystem::path& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw_system_error(path, "writing");
        bytes.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
}

// Open for changing. (Reading too: the C library's own way of reserving room reads.)
class Target {
  public:
    explicit Target(const std::filesystem::path& path)
        : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
        if (descriptor_ < 0) throw_system_error(path, "opening");
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    ~Target() { ::close(descriptor_); }
    operator int() const { return descriptor_; }  // NOLINT: a Target is used wherever the system wants its number

  private:
    int descriptor_;
};

// Gives the file its new length with blocks of the disk behind all of it, so that writing the pages cannot fail for
// want of room half-way. Where there is none the file is as it was. (File systems that never write in place, such as
// btrfs and ZFS, can refuse a page even then; the log completes the change later.)
void reserve(const std::filesystem::path& path, std::uint64_t size) {
    const bool is_new = !std::filesystem::exists(path);
    const Target target(path);
    struct stat before {};
    if (::fstat(target, &before) != 0) throw_system_error(path, "looking at");
    const int reason = ::posix_fallocate(target, 0, static_cast<off_t>(size));
    if (reason != ENOSPC && reason != EDQUOT && reason != EFBIG) return;
    if (is_new) {
        std::filesystem::remove(path);
    } else if (::ftruncate(target, before.st_size) != 0) {
        throw_system_error(path, "setting the size of");
    }
    errno = reason;
    throw_system_error(path, "making room in");
}

using Pages = std::vector<std::pair<std::uint64_t, std::string_view>>;  // number and bytes, by number

// Writes pages into a file that gets this size. Doing it twice gives the same file, so it does not matter how far an
// earlier attempt came.
//
// The superblock first, which says how far addresses reach; then from the end to the beginning. Whoever looks at the
// file meanwhile, or after a kill, finds new chunks before what refers to them, and all frames of before.
void write_pages(const std::filesystem::path& path, std::uint64_t size, Durability durability, const Pages& pages) {
    constexpr std::size_t superblock = 96;
    reserve(path, size);
    const Target target(path);
    const auto write = [&](const auto& page, std::size_t most) {
        const std::uint64_t offset = page.first * PageOverlay::page_size;
        const std::uint64_t within = size - std::min(size, offset);
        write_at(target, offset, page.second.substr(0, std::min(most, within)), path);
    };
    if (!pages.empty() && pages.front().first == 0) write(pages.front(), superblock);
    for (auto page = pages.rbegin(); page != pages.rend(); ++page) write(*page, PageOverlay::page_size);
    if (::ftruncate(target, static_cast<off_t>(size)) != 0) throw_system_error(path, "setting the size of");
    if (durability == Durability::synced && ::fsync(target) != 0) throw_system_error(path, "flushing to disk");
}

void apply(const std::filesystem::path& path, const PageOverlay& overlay, Durability durability) {
    Pages pages;
    for (const auto& [number, page] : overlay.pages())
        pages.emplace_back(number, std::string_view(page->data(), page->size()));
    write_pages(path, overlay.size(), durability, pages);
}

void apply_log(const std::filesystem::path& path, std::string_view log) {
    LogHeader header;
    std::memcpy(&header, log.data(), sizeof header);
    log.remove_prefix(sizeof header);
    Pages pages;
    for (std::uint64_t i = 0; i < header.pages; ++i) {
        std::uint64_t number = 0;
        std::memcpy(&number, log.data(), sizeof number);
        log.remove_prefix(sizeof number);
        pages.emplace_back(number, log.substr(0, PageOverlay::page_size));
        log.remove_prefix(PageOverlay::page_size);
    }
    write_pages(path, header.size, Durability::synced, pages);
}

}  // namespace

void recover(const std::filesystem::path& path) {
    if (!std::filesystem::exists(log_path(path))) return;
    if (const std::optional<std::string> log = read_sealed_log(path)) apply_log(path, *log);
    std::filesystem::remove(log_path(path));
}

namespace {
void transact(const std::filesystem::path& path, bool create, const std::function<void(File&)>& change,
              Durability durability) {
    PageOverlay overlay(path);
    {
        File file = File::open_overlay(path, overlay, create);
        change(file);
        file.flush();
    }
    if (durability == Durability::cached) return apply(path, overlay, durability);
    // Without room for the change there is no log of it either.
    write_new_file(log_path(path), [&] {
        write_log(path, overlay);
        reserve(path, overlay.size());
    });
    apply(path, overlay, durability);
    std::filesystem::remove(log_path(path));
}
}  // namespace

std::string make_image(const std::filesystem::path& path, hsize_t user_block, const std::function<void(File&)>& fill) {
    PageOverlay overlay({});  // over no file
    {
        File file = File::open_overlay(path, overlay, true, user_block);
        fill(file);
        file.flush();
    }
    std::string bytes(overlay.size(), '\0');
    overlay.read(0, bytes);
    return bytes;
}

void read_image(const std::filesystem::path& path, std::string_view bytes,
                const std::function<void(const File&)>& read) {
    PageOverlay overlay({});
    overlay.write(0, bytes);
    read(File::open_overlay(path, overlay, false));
}

void change_file(const std::filesystem::path& path, const std::function<void(File&)>& change, Durability durability) {
    recover(path);
    transact(path, false, change, durability);
}

void create_file(const std::filesystem::path& path, const std::function<void(File&)>& fill, Durability durability) {
    if (std::filesystem::exists(path)) {
        errno = EEXIST;
        throw_system_error(path, "creating");
    }
    transact(path, true, fill, durability);
}

}  // namespace mdsim::h5
