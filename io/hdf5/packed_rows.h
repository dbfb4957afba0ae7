// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "io/hdf5/hdf5_file.h"

namespace mdsim::h5 {

/// Appends rows to a growing dataset that is packed with a chunk for each row, as File::append_rows would; packs them
/// with libdeflate, which needs a third of the time of HDF5's zlib. rows: in the file's type of numbers. Datasets with
/// other chunks go to File::append_rows.
void append_packed_rows(File& file, const std::string& name, hid_t type, std::span<const char> rows, hsize_t count);

}  // namespace mdsim::h5
