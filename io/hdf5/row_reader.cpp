// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/row_reader.h"

#include "core/error.h"

namespace mdsim::h5 {

RowReader::RowReader(const File& file, std::string name)
    : file_(&file),
      name_(std::move(name)),
      set_(H5Dopen2(file.id(), name_.c_str(), H5P_DEFAULT), H5Dclose),
      extent_(file.extent(name_)) {
    for (std::size_t n = 1; n < extent_.size(); ++n) width_ *= extent_[n];
}

void RowReader::read(hsize_t row, std::span<double> values) const {
    MDSIM_EXPECT(row < rows() && values.size() == width_);
    std::vector<hsize_t> start(extent_.size(), 0), count = extent_;
    start[0] = row;
    count[0] = 1;
    const Id in_file(H5Dget_space(set_), H5Sclose);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Id in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Dread(set_, H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, values.data()) < 0)
        file_->refuse("reading a row of", name_);
}

}  // namespace mdsim::h5
