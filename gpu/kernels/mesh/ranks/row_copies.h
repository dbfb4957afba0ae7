// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/mesh/complex.h"

/// Between arrays of the mesh and messages: rows of numbers from one place to another, as a table says that the host
/// has made.
namespace mdsim::kernels {

/// `count` numbers, which begin at number `near` of one array and at number `far` of the other.
struct RowPair {
    std::uint32_t near, far, count;
};
/// Which of the two arrays the numbers come from.
enum class RowWay { near_to_far, far_to_near };

/// Rows that do not overlap, unless they are added, in arrays that differ.
template <class T>
struct CopyRowsArgs {
    const RowPair* rows = nullptr;  ///< [count]
    unsigned count = 0;
    RowWay way = RowWay::near_to_far;
    const T* from = nullptr;
    T* to = nullptr;
    unsigned from_step = 1, to_step = 1;  ///< from one number of a row to its next
};
MDSIM_LAUNCH_FUNCTION(copy_charges, CopyRowsArgs<std::int32_t>);
MDSIM_LAUNCH_FUNCTION(add_charges, CopyRowsArgs<std::int32_t>);
MDSIM_LAUNCH_FUNCTION(copy_potential, CopyRowsArgs<float>);
MDSIM_LAUNCH_FUNCTION(copy_spectrum, CopyRowsArgs<Complex>);

}  // namespace mdsim::kernels
