// SPDX-License-Identifier: Apache-2.0
#include "io/text/text_output.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "core/error.h"

namespace mdsim {

TextOutput::TextOutput(const std::filesystem::path& file)
    : file_(file), fresh_(file.string() + ".new"), stream_(std::fopen(fresh_.c_str(), "wb")) {
    if (stream_ == nullptr) fail();
}

TextOutput::~TextOutput() {
    if (stream_ == nullptr) return;
    std::fclose(stream_);
    ::unlink(fresh_.c_str());
}

void TextOutput::fail() const {
    throw_io_error({.code = "MD391",
                    .place = {file_.string(), 0, 0},
                    .what = fmt::format("the file cannot be written: {}", std::strerror(errno)),
                    .why = {},
                    .remedy = "check the folder, its permissions and the space left on the disk"});
}

void TextOutput::flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), stream_) != buffer_.size()) fail();
    buffer_.clear();
}

void TextOutput::close() {
    flush();
    if (std::fflush(stream_) != 0 || ::fsync(::fileno(stream_)) != 0) fail();
    if (::rename(fresh_.c_str(), file_.c_str()) != 0) fail();
    std::fclose(stream_);
    stream_ = nullptr;
}

}  // namespace mdsim
