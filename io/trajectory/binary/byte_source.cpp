// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/binary/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace mdsim {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

template <class Word>
Word swapped(Word word) {
    if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
    if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
}

template <class Real, class Word>
void convert(std::span<const char> raw, bool swap, double unit, double* out, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
        Word word;
        std::memcpy(&word, raw.data() + n * sizeof word, sizeof word);
        out[n] = static_cast<double>(std::bit_cast<Real>(swap ? swapped(word) : word)) * unit;
    }
}

[[noreturn]] void throw_not_open(const std::filesystem::path& path, const std::string& what) {
    throw_input_error({.code = "MD300",
                       .place = {path.string()},
                       .what = what,
                       .remedy = "check the name, the folder and the right to read it"});
}

}  // namespace

ByteSource::ByteSource(std::filesystem::path path, std::string code, std::string format)
    : path_(std::move(path)), code_(std::move(code)), format_(std::move(format)) {
    std::error_code error;
    if (std::filesystem::is_directory(path_, error)) throw_not_open(path_, "this is a folder, not a file");
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw_not_open(path_, fmt::format("the file cannot be opened: {}", std::strerror(errno)));
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (size < 0) {
        ::close(descriptor_);
        throw_not_open(path_, "this is no file that can be read in any order (a pipe?)");
    }
    size_ = static_cast<std::uint64_t>(size);
}

ByteSource::~ByteSource() {
    ::close(descriptor_);
}

void ByteSource::refuse(const std::string& what, const std::string& why) const {
    const std::string first = frames_ > 0 ? fmt::format("; {} whole frame{} come{} before", frames_,
                                                        frames_ == 1 ? "" : "s", frames_ == 1 ? "s" : "")
                                          : std::string();
    throw_input_error(
        {.code = code_,
         .place = {path_.string()},
         .what = fmt::format("{} at byte {}: {}{}", format_, position(), what, first),
         .why = why,
         .remedy =
             frames_ > 0
                 ? fmt::format("use a whole copy of the file, or the frames before: mdsim convert --to {}", frames_ - 1)
                 : "use a whole copy of the file"});
}

void ByteSource::refuse_cut_off() const {
    refuse(fmt::format("frame {} (from 0) is incomplete: the file ends inside it (truncated)", frames_));
}

void ByteSource::seek(std::uint64_t position) {
    if (position > size_) refuse_cut_off();
    if (position >= start_ && position <= start_ + buffer_.size()) {
        at_ = static_cast<std::size_t>(position - start_);
        return;
    }
    start_ = position;
    at_ = 0;
    buffer_.clear();
}

void ByteSource::fill() {
    start_ += buffer_.size();
    at_ = 0;
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer_size, size_ - start_)));
    std::size_t done = 0;
    while (done < buffer_.size()) {
        const ssize_t n =
            ::pread(descriptor_, buffer_.data() + done, buffer_.size() - done, static_cast<off_t>(start_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw_not_open(path_, fmt::format("reading failed: {}", std::strerror(errno)));
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    buffer_.resize(done);
    if (done == 0) refuse_cut_off();
}

void ByteSource::read(std::span<char> bytes) {
    if (bytes.size() > left()) refuse_cut_off();
    while (!bytes.empty()) {
        if (at_ == buffer_.size()) fill();
        const std::size_t n = std::min(bytes.size(), buffer_.size() - at_);
        std::memcpy(bytes.data(), buffer_.data() + at_, n);
        at_ += n;
        bytes = bytes.subspan(n);
    }
}

std::uint32_t ByteSource::u32() {
    std::uint32_t word = 0;
    read({reinterpret_cast<char*>(&word), sizeof word});
    return order_ == std::endian::native ? word : swapped(word);
}

std::uint64_t ByteSource::u64() {
    std::uint64_t word = 0;
    read({reinterpret_cast<char*>(&word), sizeof word});
    return order_ == std::endian::native ? word : swapped(word);
}

// What is larger than the rest of the file is refused before memory is asked for.
std::span<const char> ByteSource::raw(std::size_t bytes) {
    if (bytes > left()) refuse_cut_off();
    if (raw_.size() < bytes) raw_.resize(bytes);
    read({raw_.data(), bytes});
    return {raw_.data(), bytes};
}

void ByteSource::reals(std::span<double> values, int real) {
    const std::span<const char> bytes = raw(values.size() * static_cast<std::size_t>(real));
    const bool swap = order_ != std::endian::native;
    if (real == 4) convert<float, std::uint32_t>(bytes, swap, 1.0, values.data(), values.size());
    if (real == 8) convert<double, std::uint64_t>(bytes, swap, 1.0, values.data(), values.size());
}

void ByteSource::vectors(std::span<Vec3d> values, int real, double unit) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    const std::span<const char> bytes = raw(3 * values.size() * static_cast<std::size_t>(real));
    const bool swap = order_ != std::endian::native;
    auto* out = reinterpret_cast<double*>(values.data());
    if (real == 4) convert<float, std::uint32_t>(bytes, swap, unit, out, 3 * values.size());
    if (real == 8) convert<double, std::uint64_t>(bytes, swap, unit, out, 3 * values.size());
}

}  // namespace mdsim
