// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/// A file with given content in a folder of its own, removed at the end.
class ScratchFile {
  public:
    ScratchFile(const std::string& name, const std::string& content) {
        static std::atomic<int> number{0};
        folder_ = std::filesystem::temp_directory_path() /
                  ("mdsim_io_test_" + std::to_string(::getpid()) + "_" + std::to_string(++number));
        std::filesystem::create_directories(folder_);
        std::ofstream(path_ = folder_ / name, std::ios::binary) << content;
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path folder_, path_;
};
