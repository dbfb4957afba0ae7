// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"
#include "io/output/append_file.h"
#include "io/tables/energies_csv.h"
#include "io/trajectory/frame.h"
#include "io/trajectory/h5md/h5md_layout.h"

namespace mdsim::h5md {

enum class Kind : std::uint8_t { frame = 0, energies = 1 };

/// A frame or a row of energies between append and the file, with the values that the file holds: single precision,
/// rounded.
struct Record {
    Kind kind = Kind::frame;
    std::int64_t step = 0;
    double time = 0.0;
    // Of a frame:
    bool periodic = false;
    std::array<float, 9> box{};
    std::vector<float> fields;         // one after the other; extent: fields * atoms * 3
    std::vector<std::int32_t> images;  // extent: atoms * 3, or empty
    std::vector<double> values;        // observables of a frame, or empty; all columns of a row

    void add_to(Checksum& checksum) const;
    std::size_t bytes() const;
};

Record record_of(const Frame& frame, const H5mdContent& content);
Record record_of(const EnergyRow& row);

/// Record `index` of its kind as the file has it.
Record stored_record(const h5::File& file, const H5mdContent& content, const Extras& extras, Kind kind, hsize_t index);

/// Appends records to the file, which has its layout.
void append_records(h5::File& file, const H5mdContent& content, const Extras& extras,
                    const std::vector<Record>& records);

}  // namespace mdsim::h5md
