// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "forces/mesh/kernels.h"
#include "forces/mesh/mesh_block.h"
#include "parallel/threads.h"
#include "system/lattice.h"

namespace mdsim::mesh {

/// The nodes that atoms reach, and the charged atoms, sorted by mesh plane. The nodes may be a part of the mesh: an
/// atom outside of it is left out.
///
/// Threads: atoms are sorted by plane; each thread spreads the atoms of a slab of planes with about the same number of
/// atoms. What reaches beyond the slab goes to halo planes of its own, which are added to the mesh afterwards. All
/// addends are integers, so the sums do not depend on the slabs.
template <class Real>
class ChargeGrid {
  public:
    /// n: mesh points per axis, each at least 8. No atoms and no nodes yet.
    ChargeGrid(std::array<int, 3> n, const Window& window);
    /// charges: [e], of all atoms. The block is the whole mesh.
    ChargeGrid(std::array<int, 3> n, const Window& window, std::span<const double> charges);

    /// Takes other atoms, of these charges [e].
    void set_charges(std::span<const double> charges);
    /// Takes the nodes from the first node of an atom to the last one for all atoms that are spread; whole along an
    /// axis where there are as many as mesh points. room: what the block becomes, at least these.
    void set_nodes(const NodeBox& box, const NodeBox& room);
    MeshBlock<Real>& block() { return block_; }
    /// Of rows that are whole: adds what was spread beyond their end to where they begin; and repeats, before forces
    /// are gathered, the potential of where they begin behind their end. MeshBlock::load and store do it, too.
    void fold_rows();
    void close_rows();

    /// Sorts the atoms and puts their charges on the mesh. points: extent as charges.
    void spread(std::span<const LatticePoint> points);
    /// Calls take(thread, atom, charge, gradient) for every charged atom, from all threads; gradient of the potential
    /// by the axes of the mesh, per mesh spacing. A while before, calls expect(thread, atom).
    template <class Expect, class Take>
    void gather(Expect&& expect, Take&& take);

  private:
    using Integer = GridInteger<Real>;
    struct Slab {
        int begin = 0, end = 0;        // planes
        AlignedVector<Integer> halo;   // the order - 1 planes behind it
        std::vector<Integer*> planes;  // those of the slab and the halo
    };

    std::array<int, 3> n_;
    Window window_;
    int order_;
    MeshBlock<Real> block_;
    std::array<int, 3> low_{};     // first nodes of atoms are from here in the block, along each axis,
    std::array<int, 3> places_{};  // in so many places
    bool whole_ = false;           // the block is the mesh, and nothing else has to be asked of an atom
    std::vector<const Real*> potential_planes_;
    std::vector<Slab> slabs_;

    std::vector<std::uint32_t> charged_;  // atoms with a charge
    std::vector<Real> charge_;            // of these
    std::vector<std::int32_t> first_;     // of each plane, into the sorted arrays; extent: planes + 1
    struct Sorted {
        std::vector<std::int32_t> x, y, z;
        std::vector<Real> tx, ty, tz, q;
        std::vector<std::uint32_t> atom;
    } sorted_;

    int planes() const { return block_.box().count[0]; }
    std::size_t inside() const { return static_cast<std::size_t>(first_.back()); }
    template <bool Whole>
    std::array<int, 3> place(const LatticePoint& point) const;
    template <bool Whole>
    int plane_of(const LatticePoint& point) const;
    MeshAtoms<Real> atoms(std::size_t begin, std::size_t end) const;
    template <bool Whole>
    void sort(std::span<const LatticePoint> points);
    void cut_into_slabs();
    void spread_slab(Slab& slab);
    void add_halos(int plane);
    void for_whole_rows(void (MeshBlock<Real>::*work)(int plane));
};

template <class Real>
template <class Expect, class Take>
void ChargeGrid<Real>::gather(Expect&& expect, Take&& take) {
    constexpr std::size_t block = 256;
    parallel_ranges(inside(), block, [&](int thread, std::size_t begin, std::size_t end) {
        alignas(alignment) std::array<std::array<Real, block>, 3> g;
        for (std::size_t first = begin; first < end; first += block) {
            const std::size_t last = first + block < end ? first + block : end;
            for (std::size_t i = first; i < last; ++i) expect(thread, sorted_.atom[i]);
            mesh::gather<Real>(window_, atoms(first, last), {potential_planes_.data(), 0, block_.rows()},
                               {g[0].data(), g[1].data(), g[2].data()});
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t k = i - first;
                take(thread, sorted_.atom[i], sorted_.q[i], Vec3<Real>{g[0][k], g[1][k], g[2][k]});
            }
        }
    });
}

extern template class ChargeGrid<float>;
extern template class ChargeGrid<double>;

}  // namespace mdsim::mesh
