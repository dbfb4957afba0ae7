// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"

namespace mdsim::h5 {

/// How a dataset is stored whose chunks are (parts of) one row, cut along its second extent only, and packed by HDF5's
/// shuffle and deflate.
struct RowChunks {
    hsize_t parts = 1;        ///< chunks of a row
    hsize_t length = 0;       ///< of a chunk along the second extent
    std::size_t numbers = 0;  ///< in a chunk; the last one of a row is filled up
    std::size_t element = 0;  ///< size of a number [bytes]
    std::size_t bytes() const { return numbers * element; }
};
/// Nothing for datasets that are stored in another way.
std::optional<RowChunks> row_chunks(hid_t set, const std::vector<hsize_t>& extent);

/// Beside a simulation, whose threads have work of their own, rows are packed by the calling thread alone.
enum class PackedBy { this_thread, all_threads };

/// Appends rows, each in the file's type of numbers, to a growing dataset, as File::append_rows would. Where its chunks
/// are those above, they are packed here (the bytes do not depend on the number of threads) by libdeflate, which needs
/// a third of the time of HDF5's zlib.
void append_packed_rows(File& file, const std::string& name, hid_t type, const std::vector<std::span<const char>>& rows,
                        PackedBy by);

/// Unpacks a chunk into its numbers; false where it is damaged. packed: as it is in the file; out: of the chunk's
/// bytes, shuffled: of as many, for use meanwhile.
bool unpack_chunk(std::span<const char> packed, std::size_t element, std::span<char> shuffled, std::span<char> out);

}  // namespace mdsim::h5
