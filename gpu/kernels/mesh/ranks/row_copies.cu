// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/ranks/row_copies.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr unsigned tiles = threads / tile_lanes;
constexpr Work charges{"kernel copy_charges", "the mesh"};
constexpr Work additions{"kernel add_charges", "the mesh"};
constexpr Work potential{"kernel copy_potential", "the mesh"};
constexpr Work spectrum{"kernel copy_spectrum", "the mesh"};

enum class Taking { copied, added };

template <class T>
void launch_rows(Stream& stream, const Work& work, void (*kernel)(CopyRowsArgs<T>), const CopyRowsArgs<T>& args) {
    launch(stream, work, kernel, {blocks_for(args.count, tiles), threads, 0}, args);
}

}  // namespace

// A tile takes a row. What several ranks send for one node is added in one launch.
template <class T, Taking taking>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) copy_rows_kernel(CopyRowsArgs<T> args) {
    const unsigned index = block_index() * tiles + thread_index() / tile_lanes;
    if (index >= args.count) return;
    const RowPair row = args.rows[index];
    const bool forth = args.way == RowWay::near_to_far;
    const T* const from = args.from + (forth ? row.near : row.far);
    T* const to = args.to + (forth ? row.far : row.near);
    for (unsigned i = static_cast<unsigned>(tile_lane()); i < row.count; i += tile_lanes) {
        if constexpr (taking == Taking::copied) {
            to[i * args.to_step] = from[i * args.from_step];
        } else {
            atomic_add(to + i * args.to_step, from[i * args.from_step]);
        }
    }
}

void copy_charges(Stream& stream, const CopyRowsArgs<std::int32_t>& args) {
    launch_rows(stream, charges, copy_rows_kernel<std::int32_t, Taking::copied>, args);
}

void add_charges(Stream& stream, const CopyRowsArgs<std::int32_t>& args) {
    launch_rows(stream, additions, copy_rows_kernel<std::int32_t, Taking::added>, args);
}

void copy_potential(Stream& stream, const CopyRowsArgs<float>& args) {
    launch_rows(stream, potential, copy_rows_kernel<float, Taking::copied>, args);
}

void copy_spectrum(Stream& stream, const CopyRowsArgs<Complex>& args) {
    launch_rows(stream, spectrum, copy_rows_kernel<Complex, Taking::copied>, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
