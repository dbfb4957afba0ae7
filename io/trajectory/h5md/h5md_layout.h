// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"
#include "io/trajectory/h5md/h5md_content.h"

namespace mdsim::h5md {

inline const std::string group = "/particles/trajectory";
inline const std::string energies = "/mdsim/energies";
inline const std::string provenance = "/mdsim/provenance/";
/// One entry a record, in the order in which they came: 0 a frame, 1 a row of energies.
inline const std::string records = "/mdsim/records";

/// What the first frame has besides its atoms; those that follow are stored alike.
struct Extras {
    bool periodic = false, images = false, observables = false;
};
Extras extras_of(const h5::File& file);

/// One per-atom vector quantity of a frame.
struct Field {
    std::string name;
    std::string unit;
};
std::vector<Field> fields_of(const H5mdContent& content);

/// The first columns of the table of energies are the observables of a frame.
inline constexpr std::size_t observable_count = 8;
/// "/observables/potential", ...
std::vector<std::string> observables();

void create_layout(h5::File& file, const H5mdContent& content, const Extras& extras);
/// Of energies at their own rate.
void create_energies(h5::File& file);

/// All sets with one row a frame.
std::vector<std::string> frame_sets(const H5mdContent& content, const Extras& extras);

}  // namespace mdsim::h5md
