// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "forces/mesh/kernels.h"
#include "forces/mesh/transform/line_fft.h"

namespace mdsim::mesh {

/// Consecutive nodes of the periodic mesh along each axis; they may run over the end of the period.
struct NodeBox {
    std::array<int, 3> first{}, count{};

    bool empty() const { return count[0] == 0 || count[1] == 0 || count[2] == 0; }
    std::int64_t nodes() const { return std::int64_t{count[0]} * count[1] * count[2]; }
    friend bool operator==(const NodeBox&, const NodeBox&) = default;
};

/// A box of mesh nodes in memory, which holds charge as integers while atoms are spread and potential as numbers while
/// forces are gathered, in the same place. Nodes are counted from the first of the box, and periodically with it.
template <class Real>
class MeshBlock {
  public:
    using Integer = GridInteger<Real>;

    /// order: of the window with which atoms are spread into it; 0 where none are.
    MeshBlock(const NodeBox& box, int order);
    MeshBlock(const MeshBlock&) = delete;
    MeshBlock& operator=(const MeshBlock&) = delete;

    /// Becomes another box, with unspecified contents.
    void resize(const NodeBox& box);
    /// Becomes a part of a block, in the same memory, until that one is resized, if it has all nodes of `part`, and
    /// those in one piece; otherwise nothing happens and the answer is false. Only where no atoms are spread into this
    /// one. n: mesh points.
    bool become_part(const MeshBlock& whole, const NodeBox& part, const std::array<int, 3>& n);
    /// Both are one block or parts of one.
    bool shares_memory_with(const MeshBlock& other) const { return memory_ != nullptr && memory_ == other.memory_; }
    const NodeBox& box() const { return box_; }
    /// Elements of a plane of constant x.
    std::size_t plane_size() const { return plane_; }
    /// Row (x, y), all of its nodes and behind them order - 1 elements (and padding) for what reaches beyond the last.
    const Integer* charges(int x, int y) const { return reinterpret_cast<const Integer*>(nodes_ + offset(x, y)); }
    Integer* charges(int x, int y) { return reinterpret_cast<Integer*>(nodes_ + offset(x, y)); }
    Real* potential(int x, int y) { return reinterpret_cast<Real*>(nodes_ + offset(x, y)); }
    /// Where rows of a plane begin, continued beyond the last by order - 1.
    const std::int32_t* rows() const { return rows_.data(); }

    void clear(int plane);
    /// Adds what was spread behind the last node of each row to its first ones.
    void fold(int plane);
    /// Repeats the first nodes of each row behind its last, where atoms are gathered from beyond it.
    void close(int plane);

    /// The charges at (x, y, z0 ... z0 + 15) for all x, folded, as Fft3d takes them [2^-24 or 2^-44 e].
    void load(int y, int z0, Real* lines);
    /// Takes potential in place of charges, and closes rows.
    void store(int y, int z0, const Real* lines);
    /// The charge at a node, before rows are folded.
    std::int64_t charge(int x, int y, int z) const;
    /// More than 64 e were met on one node by load since `forget_overload` (positions make no sense, and 32 bits end at
    /// 128 e).
    bool overloaded() const { return overloaded_.load(std::memory_order_relaxed); }
    void forget_overload() { overloaded_ = false; }

  private:
    NodeBox box_;
    int order_;
    int tail_;  // elements behind the last node of a row that a kernel may touch
    int row_ = 0;
    std::size_t plane_ = 0;
    AlignedVector<std::byte> mesh_;      // [nx][ny][row_] of Integer or Real; empty: a part of another block
    const std::byte* memory_ = nullptr;  // where that one begins
    std::byte* nodes_ = nullptr;         // the first node
    std::vector<std::int32_t> rows_;
    std::atomic<bool> overloaded_{false};

    std::size_t offset(int x, int y) const {
        return (static_cast<std::size_t>(x) * plane_ + static_cast<std::size_t>(y) * static_cast<std::size_t>(row_)) *
               sizeof(Real);
    }
};

extern template class MeshBlock<float>;
extern template class MeshBlock<double>;

}  // namespace mdsim::mesh
