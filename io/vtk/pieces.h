// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/vtk/library/encoder.h"
#include "system/topology.h"

namespace mdsim {

/// Atoms that have a file of their own.
struct Piece {
    std::size_t begin = 0, end = 0;
};

/// Cuts the atoms into pieces of about the same size, `count` at most. Cuts are between molecules, so that no bond lies
/// across one.
std::vector<Piece> cut_between_molecules(const Topology& topology, std::size_t count);

/// Text of a .pvtp, which makes one data set of the files of its pieces (names as seen from it) with these arrays.
std::string pvtp_text(const std::vector<std::string>& files, std::span<const MdsimVtkArray> arrays);

}  // namespace mdsim
