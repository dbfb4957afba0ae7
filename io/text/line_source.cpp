// SPDX-License-Identifier: Apache-2.0
#include "io/text/line_source.h"

#include <algorithm>

#include "core/error.h"
#include "io/text/text_file.h"

namespace mdsim {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& code, const char* what,
                         const char* remedy = "") {
    throw_input_error({.code = code, .place = {file.string(), 0, 0}, .what = what, .why = {}, .remedy = remedy});
}

}  // namespace

LineSource::LineSource(const std::filesystem::path& file, std::string_view code) : file_(file), code_(code) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) refuse(file, code_, "this is a folder, not a file");
    stream_.reset(std::fopen(file.c_str(), "rb"));
    if (!stream_) {
        refuse(file, code_,
               std::filesystem::exists(file, error) ? "the file cannot be opened" : "there is no such file",
               "check the name and the folder; paths in an input file count from its own folder");
    }
    size_ = std::filesystem::file_size(file, error);
    if (error) size_ = 0;
    if (!more()) refuse(file, code_, "the file is empty");
    if (buffer_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

// Appends a piece of the file to what is left of the buffer; false at its end.
bool LineSource::more() {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + piece);
    const std::size_t n = std::fread(buffer_.data() + kept, 1, piece, stream_.get());
    buffer_.resize(kept + n);
    if (n == 0) {
        if (std::ferror(stream_.get()) != 0) refuse(file_, code_, "the file cannot be read");
        return false;
    }
    require_text(file_, code_, std::string_view(buffer_).substr(kept), read_);
    read_ += n;
    return true;
}

bool LineSource::next(std::string_view& line) {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos) {
        const std::size_t searched = buffer_.size() - at_;
        if (!more()) break;
        end = buffer_.find('\n', searched);
    }
    if (at_ == buffer_.size()) return false;
    line = std::string_view(buffer_).substr(at_, end == std::string::npos ? end : end - at_);
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
}

bool LineSource::only_blanks_left() {
    do {
        if (buffer_.find_first_not_of(" \t\r\n", at_) != std::string::npos) return false;
    } while (more());
    return true;
}

void LineSource::rewind() {
    std::rewind(stream_.get());
    buffer_.clear();
    at_ = 0;
    number_ = 0;
    read_ = 0;
    more();
    if (buffer_.starts_with("\xef\xbb\xbf")) at_ = 3;
}

double LineSource::progress() const {
    if (size_ == 0) return 1.0;
    return std::min(1.0, static_cast<double>(read_ - (buffer_.size() - at_)) / static_cast<double>(size_));
}

}  // namespace mdsim
