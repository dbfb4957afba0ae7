// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/transaction.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

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

// Applying twice gives the same file, so it does not matter how far an earlier attempt came.
void apply_log(const std::filesystem::path& path, std::string_view log) {
    LogHeader header;
    std::memcpy(&header, log.data(), sizeof header);
    log.remove_prefix(sizeof header);
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) throw_system_error(path, "opening");
    const auto close = [](const int* d) { ::close(*d); };
    const std::unique_ptr<const int, decltype(close)> closer(&descriptor, close);
    for (std::uint64_t i = 0; i < header.pages; ++i) {
        std::uint64_t number = 0;
        std::memcpy(&number, log.data(), sizeof number);
        log.remove_prefix(sizeof number);
        write_at(descriptor, number * PageOverlay::page_size, log.substr(0, PageOverlay::page_size), path);
        log.remove_prefix(PageOverlay::page_size);
    }
    if (::ftruncate(descriptor, static_cast<off_t>(header.size)) != 0) throw_system_error(path, "setting the size of");
    if (::fsync(descriptor) != 0) throw_system_error(path, "flushing to disk");
}

}  // namespace

void recover(const std::filesystem::path& path) {
    if (!std::filesystem::exists(log_path(path))) return;
    if (const std::optional<std::string> log = read_sealed_log(path)) apply_log(path, *log);
    std::filesystem::remove(log_path(path));
}

namespace {
void transact(const std::filesystem::path& path, bool create, const std::function<void(File&)>& change) {
    PageOverlay overlay(path);
    {
        File file = File::open_overlay(path, overlay, create);
        change(file);
        file.flush();
    }
    write_new_file(log_path(path), [&] { write_log(path, overlay); });
    recover(path);
}
}  // namespace

void change_file(const std::filesystem::path& path, const std::function<void(File&)>& change) {
    recover(path);
    transact(path, false, change);
}

void create_file(const std::filesystem::path& path, const std::function<void(File&)>& fill) {
    if (std::filesystem::exists(path)) {
        errno = EEXIST;
        throw_system_error(path, "creating");
    }
    transact(path, true, fill);
}

}  // namespace mdsim::h5
