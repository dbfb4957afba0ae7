// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "forces/mesh/fft.h"
#include "forces/mesh/kernels.h"
#include "parallel/threads.h"
#include "system/lattice.h"

namespace mdsim::mesh {

/// The periodic mesh, which holds charge as integers while atoms are spread and potential as numbers while forces are
/// gathered, in the same memory; and the charged atoms, sorted by mesh plane.
///
/// Threads: atoms are sorted by plane; each thread spreads the atoms of a slab of planes with about the same number of
/// atoms. What reaches beyond the slab goes to halo planes of its own, which are added to the mesh afterwards. All
/// addends are integers, so the sums do not depend on the slabs.
template <class Real>
class ChargeGrid {
  public:
    /// n: mesh points per axis, each at least 8; charges [e] of all atoms.
    ChargeGrid(std::array<int, 3> n, const Window& window, std::span<const double> charges);

    /// Sorts the atoms and puts their charges on the mesh. points: extent as charges.
    void spread(std::span<const LatticePoint> points);
    /// The charges at (x, y, z0 ... z0 + 15) for all x, as Fft3d takes them [2^-24 or 2^-44 e].
    void load(int y, int z0, Real* lines);
    /// Takes potential in place of charges.
    void store(int y, int z0, const Real* lines);
    /// Calls take(thread, atom, charge, gradient) for every charged atom, from all threads; gradient of the potential
    /// by the axes of the mesh, per mesh spacing.
    template <class Take>
    void gather(Take&& take);

    /// The charge at a mesh point, after spread and before store.
    std::int64_t charge(int x, int y, int z) const;
    /// More than 64 e were met on one point by load (positions make no sense, and 32 bits end at 128 e).
    bool overloaded() const { return overloaded_.load(std::memory_order_relaxed); }

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
    int row_;                        // elements from one row to the next
    std::size_t plane_;              // elements of a plane
    AlignedVector<std::byte> mesh_;  // [nx][ny][row_] of Integer or Real
    std::vector<std::int32_t> rows_;
    std::vector<const Real*> potential_planes_;
    std::vector<Slab> slabs_;
    std::atomic<bool> overloaded_{false};

    std::vector<std::uint32_t> charged_;  // atoms with a charge
    std::vector<Real> charge_;            // of these
    std::vector<std::int32_t> first_;     // of each plane, into the sorted arrays; extent nx + 1
    struct Sorted {
        std::vector<std::int32_t> x, y, z;
        std::vector<Real> tx, ty, tz, q;
        std::vector<std::uint32_t> atom;
    } sorted_;

    Integer* integers() { return reinterpret_cast<Integer*>(mesh_.data()); }
    const Integer* integers() const { return reinterpret_cast<const Integer*>(mesh_.data()); }
    Real* reals() { return reinterpret_cast<Real*>(mesh_.data()); }
    MeshAtoms<Real> atoms(std::size_t begin, std::size_t end) const;
    void sort(std::span<const LatticePoint> points);
    void cut_into_slabs();
    void spread_slab(Slab& slab);
    void add_halos(int plane);
};

template <class Real>
template <class Take>
void ChargeGrid<Real>::gather(Take&& take) {
    constexpr std::size_t block = 256;
    parallel_ranges(charged_.size(), block, [&](int thread, std::size_t begin, std::size_t end) {
        alignas(alignment) std::array<std::array<Real, block>, 3> g;
        for (std::size_t first = begin; first < end; first += block) {
            const std::size_t last = first + block < end ? first + block : end;
            mesh::gather<Real>(window_, atoms(first, last), {potential_planes_.data(), 0, rows_.data()},
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
