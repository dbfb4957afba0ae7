// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/packed_rows.h"

namespace mdsim::h5 {

/// A dataset that is read row by row (all extents but the first) as double precision, and stays open so that HDF5 keeps
/// chunks of several rows unpacked. Chunks of (parts of) one row are unpacked by all threads. Errors are those of the
/// file, which must outlive this. Reading holds the LibraryLock while it uses HDF5.
class RowReader {
  public:
    RowReader(const File& file, std::string name);
    RowReader(RowReader&&) = default;

    const std::vector<hsize_t>& extent() const { return extent_; }
    hsize_t rows() const { return extent_.empty() ? 0 : extent_[0]; }
    /// Numbers in a row.
    std::size_t width() const { return width_; }
    /// values: of a row's width.
    void read(hsize_t row, std::span<double> values);
    const std::string& name() const { return name_; }

  private:
    enum class Number { single, integer, other };
    const File* file_;
    std::string name_;
    Id set_;
    std::vector<hsize_t> extent_;
    std::size_t width_ = 1;
    Number number_ = Number::other;
    std::optional<RowChunks> chunks_;
    std::vector<std::vector<char>> packed_;  // chunks of a row
    std::vector<char> raw_;                  // its numbers

    bool fetch_chunks(hsize_t row);
    bool unpack(std::span<double> values);
    void read_by_library(hsize_t row, std::span<double> values);
};

}  // namespace mdsim::h5
