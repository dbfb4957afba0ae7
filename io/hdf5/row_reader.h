// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"

namespace mdsim::h5 {

/// A dataset that is read row by row (all extents but the first) as double precision, and stays open so that HDF5 keeps
/// chunks of several rows unpacked. Errors are those of the file, which must outlive this.
class RowReader {
  public:
    RowReader(const File& file, std::string name);
    RowReader(RowReader&&) = default;

    const std::vector<hsize_t>& extent() const { return extent_; }
    hsize_t rows() const { return extent_.empty() ? 0 : extent_[0]; }
    /// Numbers in a row.
    std::size_t width() const { return width_; }
    /// values: of a row's width.
    void read(hsize_t row, std::span<double> values) const;
    const std::string& name() const { return name_; }

  private:
    const File* file_;
    std::string name_;
    Id set_;
    std::vector<hsize_t> extent_;
    std::size_t width_ = 1;
};

}  // namespace mdsim::h5
