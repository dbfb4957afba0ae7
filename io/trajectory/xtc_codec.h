// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mdsim::xtc {

using Int3 = std::array<std::int32_t, 3>;

/// The compressed coordinates of one frame, as they stand in the file after the precision.
struct Packed {
    Int3 low{}, high{};  ///< smallest and largest coordinate on each axis
    std::int32_t small_index = 0;
    std::string bits;
};

/// Lossless compression of integer coordinates in the way of the XTC format ("3dfcoord"; F. van Hoesel, 1995, described
/// in the GROMACS manual under "xtc"). Each atom is either written whole, as a mixed-radix number within the extent
/// of the frame, or, in runs of up to 8 near neighbours, as a small difference to the atom before; the size of "small"
/// follows the data. In a run the first two atoms change places, which suits the O-H-H order of water.
Packed pack(std::vector<Int3> coordinates);

/// The inverse, into x. Throws std::runtime_error where the bits cannot come from `atoms` atoms.
void unpack(const Packed& packed, std::size_t atoms, std::vector<Int3>& x);

}  // namespace mdsim::xtc
