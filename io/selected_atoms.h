// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.h"
#include "system/selection/selection.h"

namespace mdsim {

/// Where the text of a selection was written.
struct SelectionSource {
    Place place;      ///< of the file, may be empty
    std::string key;  ///< "output.trajectory.select" or "--select"
};

/// The atoms of a selection. places: null where there are none. Input errors: MD404 where the text does not follow the
/// grammar or needs places, MD405 where it selects nothing.
std::vector<AtomId> selected_atoms(const std::string& text, const Topology& topology, const Places* places,
                                   const SelectionSource& source);

}  // namespace mdsim
