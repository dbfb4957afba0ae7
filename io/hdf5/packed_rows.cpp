// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/packed_rows.h"

#include <libdeflate.h>
#include <memory>
#include <vector>

namespace mdsim::h5 {

namespace {

constexpr int level = 1;  // higher ones take several times as long for a few parts in a hundred

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;

// HDF5's shuffle: the first bytes of all numbers, then the second ones, ...
void shuffle(std::span<const char> row, std::size_t element, std::vector<char>& out) {
    const std::size_t numbers = row.size() / element;
    out.resize(row.size());
    for (std::size_t byte = 0; byte < element; ++byte) {
        for (std::size_t n = 0; n < numbers; ++n) out[byte * numbers + n] = row[n * element + byte];
    }
}

bool has_row_chunks(hid_t set, const std::vector<hsize_t>& extent) {
    const Id properties(H5Dget_create_plist(set), H5Pclose);
    if (H5Pget_layout(properties) != H5D_CHUNKED || H5Pget_nfilters(properties) != 2) return false;
    std::vector<hsize_t> chunk(extent.size());
    H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    std::vector<hsize_t> row = extent;
    row[0] = 1;
    return chunk == row;
}

}  // namespace

void append_packed_rows(File& file, const std::string& name, hid_t type, std::span<const char> rows, hsize_t count) {
    std::vector<hsize_t> extent = file.extent(name);
    {
        const Id set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
        if (set >= 0 && has_row_chunks(set, extent)) {
            const Compressor compressor(libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
            std::vector<hsize_t> offset(extent.size(), 0);
            offset[0] = extent[0];
            extent[0] += count;
            if (!compressor || H5Dset_extent(set, extent.data()) < 0) file.refuse("extending", name);
            const std::size_t row_bytes = rows.size() / count;
            std::vector<char> shuffled, packed(libdeflate_zlib_compress_bound(compressor.get(), row_bytes));
            for (hsize_t n = 0; n < count; ++n, ++offset[0]) {
                shuffle(rows.subspan(n * row_bytes, row_bytes), H5Tget_size(type), shuffled);
                const std::size_t size = libdeflate_zlib_compress(compressor.get(), shuffled.data(), shuffled.size(),
                                                                  packed.data(), packed.size());
                if (size == 0 || H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset.data(), size, packed.data()) < 0)
                    file.refuse("writing rows of", name);
            }
            return;
        }
    }
    file.append_rows(name, type, rows.data(), count);
}

}  // namespace mdsim::h5
