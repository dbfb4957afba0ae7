// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/packed_rows.h"

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <memory>

#include "parallel/threads.h"

namespace mdsim::h5 {

namespace {

constexpr int level = 1;  // higher ones take several times as long for a few parts in a hundred

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>;

// HDF5's shuffle: the first bytes of all numbers, then the second ones, ...
template <std::size_t element>
void shuffle(std::span<const char> numbers, char* out) {
    const std::size_t count = numbers.size() / element;
    for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t byte = 0; byte < element; ++byte) out[byte * count + n] = numbers[n * element + byte];
    }
}

template <std::size_t element>
void unshuffle(std::span<const char> shuffled, char* out) {
    const std::size_t count = shuffled.size() / element;
    for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t byte = 0; byte < element; ++byte) out[n * element + byte] = shuffled[byte * count + n];
    }
}

bool has_filters(hid_t properties) {
    constexpr H5Z_filter_t wanted[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE};
    if (H5Pget_nfilters(properties) != 2) return false;
    for (unsigned n = 0; n < 2; ++n) {
        unsigned flags = 0;
        std::size_t values = 0;
        if (H5Pget_filter2(properties, n, &flags, &values, nullptr, 0, nullptr, nullptr) != wanted[n]) return false;
    }
    return true;
}

// One chunk of a row, filled up with zeros, as it goes into the file.
std::string packed_chunk(std::span<const char> row, hsize_t part, const RowChunks& chunks) {
    const std::size_t bytes = chunks.bytes(), begin = std::min<std::size_t>(row.size(), part * bytes);
    std::span<const char> numbers = row.subspan(begin, std::min(bytes, row.size() - begin));
    std::vector<char> whole, shuffled(bytes);
    if (numbers.size() < bytes) {
        whole.assign(numbers.begin(), numbers.end());
        whole.resize(bytes, '\0');
        numbers = whole;
    }
    if (chunks.element == 4) shuffle<4>(numbers, shuffled.data());
    if (chunks.element == 8) shuffle<8>(numbers, shuffled.data());
    const Compressor compressor(libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string packed(libdeflate_zlib_compress_bound(compressor.get(), bytes), '\0');
    packed.resize(libdeflate_zlib_compress(compressor.get(), shuffled.data(), bytes, packed.data(), packed.size()));
    return packed;
}

}  // namespace

std::optional<RowChunks> row_chunks(hid_t set, const std::vector<hsize_t>& extent) {
    const Id properties(H5Dget_create_plist(set), H5Pclose);
    if (extent.size() < 2 || H5Pget_layout(properties) != H5D_CHUNKED || !has_filters(properties)) return std::nullopt;
    std::vector<hsize_t> chunk(extent.size());
    H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    if (chunk[0] != 1 || !std::equal(chunk.begin() + 2, chunk.end(), extent.begin() + 2)) return std::nullopt;
    const Id type(H5Dget_type(set), H5Tclose);
    RowChunks chunks{
        .parts = (extent[1] + chunk[1] - 1) / chunk[1], .length = chunk[1], .numbers = 1, .element = H5Tget_size(type)};
    for (const hsize_t n : chunk) chunks.numbers *= n;
    if (chunks.element != 4 && chunks.element != 8) return std::nullopt;
    return chunks;
}

void append_packed_rows(File& file, const std::string& name, hid_t type, const std::vector<std::span<const char>>& rows,
                        PackedBy by) {
    std::vector<hsize_t> extent = file.extent(name);
    const Id set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const auto chunks = set < 0 ? std::nullopt : row_chunks(set, extent);
    if (!chunks) {
        std::vector<char> all;
        for (const std::span<const char> row : rows) all.insert(all.end(), row.begin(), row.end());
        return file.append_rows(name, type, all.data(), rows.size());
    }
    std::vector<std::string> packed(rows.size() * chunks->parts);
    const auto pack = [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n)
            packed[n] = packed_chunk(rows[n / chunks->parts], n % chunks->parts, *chunks);
    };
    if (by == PackedBy::all_threads) parallel_ranges(packed.size(), pack);
    if (by == PackedBy::this_thread) pack(0, 0, packed.size());
    std::vector<hsize_t> offset(extent.size(), 0);
    const hsize_t first = extent[0];
    extent[0] += rows.size();
    if (H5Dset_extent(set, extent.data()) < 0) file.refuse("extending", name);
    for (std::size_t n = 0; n < packed.size(); ++n) {
        offset[0] = first + n / chunks->parts;
        offset[1] = n % chunks->parts * chunks->length;
        if (packed[n].empty() ||
            H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset.data(), packed[n].size(), packed[n].data()) < 0)
            file.refuse("writing rows of", name);
    }
}

bool unpack_chunk(std::span<const char> packed, std::size_t element, std::span<char> shuffled, std::span<char> out) {
    const Decompressor decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    if (!decompressor) throw std::bad_alloc();
    if (libdeflate_zlib_decompress(decompressor.get(), packed.data(), packed.size(), shuffled.data(), shuffled.size(),
                                   nullptr) != LIBDEFLATE_SUCCESS)
        return false;
    if (element == 4) unshuffle<4>(shuffled, out.data());
    if (element == 8) unshuffle<8>(shuffled, out.data());
    return true;
}

}  // namespace mdsim::h5
