// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/row_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/error.h"
#include "io/hdf5/library_lock.h"
#include "parallel/threads.h"

namespace mdsim::h5 {

namespace {

template <class T>
void widen(std::span<const char> raw, double* out) {
    for (std::size_t n = 0; n < raw.size() / sizeof(T); ++n) {
        T value;
        std::memcpy(&value, raw.data() + n * sizeof value, sizeof value);
        out[n] = static_cast<double>(value);
    }
}

}  // namespace

RowReader::RowReader(const File& file, std::string name)
    : file_(&file),
      name_(std::move(name)),
      set_(H5Dopen2(file.id(), name_.c_str(), H5P_DEFAULT), H5Dclose),
      extent_(file.extent(name_)) {
    for (std::size_t n = 1; n < extent_.size(); ++n) width_ *= extent_[n];
    const Id type(H5Dget_type(set_), H5Tclose);
    file.require_room(name_, extent_, 1);
    if (H5Tequal(type, H5T_NATIVE_FLOAT) > 0) number_ = Number::single;
    if (H5Tequal(type, H5T_NATIVE_INT32) > 0) number_ = Number::integer;
    if (number_ != Number::other) chunks_ = row_chunks(set_, extent_);
}

// False where a chunk is not there or not as its row should be: HDF5 knows what then.
bool RowReader::fetch_chunks(hsize_t row) {
    const LibraryLock lock;
    packed_.resize(chunks_->parts);
    std::vector<hsize_t> offset(extent_.size(), 0);
    offset[0] = row;
    for (std::size_t part = 0; part < packed_.size(); ++part) {
        offset[1] = part * chunks_->length;
        hsize_t size = 0;
        const bool there = H5Dget_chunk_storage_size(set_, offset.data(), &size) >= 0 && size > 0;
        if (!there || size > 2 * chunks_->bytes() + 64) return false;
        packed_[part].resize(size);
        std::uint32_t left_out = 0;  // filters
        if (H5Dread_chunk(set_, H5P_DEFAULT, offset.data(), &left_out, packed_[part].data()) < 0 || left_out != 0)
            return false;
    }
    return true;
}

bool RowReader::unpack(std::span<double> values) {
    const std::size_t bytes = chunks_->bytes();
    raw_.resize(2 * bytes * packed_.size());
    std::atomic<bool> whole{true};
    parallel_ranges(packed_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            const std::span<char> shuffled = std::span(raw_).subspan(2 * part * bytes, bytes);
            const std::span<char> numbers = std::span(raw_).subspan((2 * part + 1) * bytes, bytes);
            if (!unpack_chunk(packed_[part], chunks_->element, shuffled, numbers)) {
                whole = false;
                continue;
            }
            const std::size_t first = part * chunks_->numbers, count = std::min(chunks_->numbers, width_ - first);
            if (number_ == Number::single) widen<float>(numbers.first(4 * count), values.data() + first);
            if (number_ == Number::integer) widen<std::int32_t>(numbers.first(4 * count), values.data() + first);
        }
    });
    return whole;
}

void RowReader::read_by_library(hsize_t row, std::span<double> values) {
    const LibraryLock lock;
    std::vector<hsize_t> start(extent_.size(), 0), count = extent_;
    start[0] = row;
    count[0] = 1;
    const Id in_file(H5Dget_space(set_), H5Sclose);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Id in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    // HDF5 converts numbers in small pieces, which takes longer than reading them.
    const bool single = number_ == Number::single;
    raw_.resize(single ? 4 * width_ : 0);
    void* target = single ? static_cast<void*>(raw_.data()) : values.data();
    if (H5Dread(set_, single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, in_memory, in_file, H5P_DEFAULT, target) < 0)
        file_->refuse("reading row " + std::to_string(row) + " (from 0) of", name_);
    if (single) widen<float>(raw_, values.data());
}

void RowReader::read(hsize_t row, std::span<double> values) {
    MDSIM_EXPECT(row < rows() && values.size() == width_);
    if (chunks_ && fetch_chunks(row) && unpack(values)) return;
    read_by_library(row, values);
}

}  // namespace mdsim::h5
