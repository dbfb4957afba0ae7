// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include <hdf5.h>

namespace mdsim::h5 {

/// A file seen through changed pages that are kept in memory; the file itself is only read.
class PageOverlay {
  public:
    static constexpr std::uint64_t page_size = 65536;
    using Page = std::array<char, page_size>;

    explicit PageOverlay(const std::filesystem::path& path);
    PageOverlay(const PageOverlay&) = delete;
    PageOverlay& operator=(const PageOverlay&) = delete;
    ~PageOverlay();

    void read(std::uint64_t offset, std::span<char> out) const;
    void write(std::uint64_t offset, std::span<const char> bytes);
    void set_size(std::uint64_t size) { size_ = size; }
    std::uint64_t size() const { return size_; }
    const std::map<std::uint64_t, std::unique_ptr<Page>>& pages() const { return pages_; }

  private:
    int descriptor_;
    std::uint64_t file_size_ = 0;  // of the file on disk
    std::uint64_t size_ = 0;
    std::map<std::uint64_t, std::unique_ptr<Page>> pages_;

    void read_from_file(std::uint64_t offset, std::span<char> out) const;
};

/// Makes HDF5 open its file through the overlay. The overlay must outlive the file.
void use_overlay(hid_t file_access_properties, PageOverlay& overlay);

}  // namespace mdsim::h5
