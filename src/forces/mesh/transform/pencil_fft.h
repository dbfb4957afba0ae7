// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "forces/mesh/transform/line_fft.h"
#include "forces/mesh/transform/pencils.h"
#include "parallel/threads.h"

namespace mdsim::mesh {

/// The spectrum between two directions of a transform, in pieces that change hands: on the way forward before[i] goes
/// to tile tiles[i], which has it in its `after`; on the way back after[i] goes to `before` there.
template <class Real>
struct Turn {
    using Complex = std::complex<Real>;
    std::vector<int> tiles;  ///< that share it, this one among them
    std::size_t own = 0;     ///< which one is this one; its piece stays in before[own], and after[own] is empty
    std::vector<AlignedVector<Complex>> before, after;

    Complex* at_before(std::size_t i) { return before[i].data(); }
    Complex* at_after(std::size_t i) { return i == own ? before[i].data() : after[i].data(); }
};

/// One tile's share of the convolution that Fft3d makes, with its bits: the real lines along x are paired alike, every
/// line goes through the same plan, and nothing else is computed. Between the five calls forward_x, forward_y, along_z,
/// backward_y, backward_x the pieces of x_to_y and y_to_z are to be exchanged: forward after forward_x and forward_y,
/// backward after along_z and backward_y. Where a tile goes by planes, y_to_z has none, and one call along_y_and_z
/// takes the place of the three in the middle. Bits and pieces do not depend on the number of threads; all callbacks
/// are called from many threads at once.
template <class Real>
class PencilFft {
  public:
    using Complex = std::complex<Real>;
    static constexpr int chunk = LineFft<Real>::real_lines;

    PencilFft(const Pencils& pencils, int tile);

    /// What along_z has of the spectrum, with the pitch of Fft3d.
    SpectrumPart part() const { return {kx_, ky_, pitch_}; }
    /// It has planes of constant kx as a whole, and enough of them for its threads: along y and z these are gone
    /// through one by one, as Fft3d does it.
    bool goes_by_planes() const { return by_planes_; }
    Turn<Real>& x_to_y() { return x_to_y_; }
    Turn<Real>& y_to_z() { return y_to_z_; }

    /// load(y, z0, lines) fills lines[x * chunk + l] with the value at (x, y, z0 + l), y and z0 counted from where the
    /// tile begins, z0 a multiple of chunk (zero beyond the tile).
    template <class Load>
    void forward_x(Load&& load);
    void forward_y();
    /// multiply(thread, rows, spectrum) changes rows of the spectrum [rows.count][pitch].
    template <class Multiply>
    void along_z(Multiply&& multiply);
    void backward_y();
    template <class Multiply>
    void along_y_and_z(Multiply&& multiply);
    /// store(y, z0, lines) takes the result as load gave the values.
    template <class Store>
    void backward_x(Store&& store);

  private:
    Pencils pencils_;
    Stretch y_, z_, kx_, ky_;
    int pitch_;
    bool by_planes_;
    LineFft<Real> along_x_, along_y_, along_z_;
    Turn<Real> x_to_y_, y_to_z_;
    // Rows of z within the pieces: number i of `at` is where row i begins, those beside it are `step` elements apart.
    struct Rows {
        Complex* at;
        std::ptrdiff_t step;
        Complex* operator[](int i) const { return at + i * step; }
    };
    std::vector<Rows> of_kx_;  // as lines along x leave them: by kx of the whole mesh, then y of the tile
    std::vector<Rows> of_y_;   // as lines along y take them: by y of the whole mesh, then kx of the tile
    std::vector<Rows> of_ky_;  // as lines along y leave them: by ky of the whole mesh, then kx of the tile
    struct Scratch : BatchScratch<Real> {
        AlignedVector<Complex> plane;  // [ny][z], where it goes by planes
    };
    std::vector<Scratch> scratch_;  // one per thread

    void make_turns(int i, int j);
    void make_rows();
    void make_scratch();
    // f(scratch, thread, i, first): for each i < n and each first = 0, step, 2 step ... < length, from all threads.
    template <class F>
    void for_batches(int n, int length, int step, F&& f);
    int pairs_from(int z0) const { return std::min(LineFft<Real>::lines, (z_.size() - z0) / 2); }
    void real_forward(int y, int z0, Scratch& s);
    void real_backward(int y, int z0, Scratch& s);
    using LineTransform = void (LineFft<Real>::*)(Complex*, Complex*) const;
    // Columns z0 ... z0 + 7 of a plane: from(k) and to(k) are where row k of them is.
    template <class From, class To>
    void columns(int z0, const From& from, const To& to, LineTransform transform, Scratch& s) const;
    void along_y(const std::vector<Rows>& from, const std::vector<Rows>& to, LineTransform transform);
    void plane_forward(int kx, Scratch& s);
    void plane_backward(int kx, Scratch& s);
    Complex* row_of_z(std::size_t j, const SpectrumRows& rows, Scratch& s);
    void rows_forward(const SpectrumRows& rows, Scratch& s);
    void rows_backward(const SpectrumRows& rows, Scratch& s);
};

template <class Real>
template <class F>
void PencilFft<Real>::for_batches(int n, int length, int step, F&& f) {
    const std::size_t batches = static_cast<std::size_t>((length + step - 1) / step);
    parallel_ranges(static_cast<std::size_t>(n) * batches, [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            f(scratch_[static_cast<std::size_t>(thread)], thread, static_cast<int>(b / batches),
              static_cast<int>(b % batches) * step);
        }
    });
}

template <class Real>
template <class Load>
void PencilFft<Real>::forward_x(Load&& load) {
    make_scratch();
    for_batches(y_.size(), z_.size(), chunk, [&](Scratch& s, int, int y, int z0) {
        load(y, z0, reinterpret_cast<Real*>(s.a.data()));
        real_forward(y, z0, s);
    });
}

template <class Real>
template <class Multiply>
void PencilFft<Real>::along_z(Multiply&& multiply) {
    for_batches(kx_.size(), ky_.size(), LineFft<Real>::lines, [&](Scratch& s, int thread, int x, int y) {
        const SpectrumRows rows{kx_.begin + x, ky_.begin + y, std::min(LineFft<Real>::lines, ky_.size() - y)};
        rows_forward(rows, s);
        multiply(thread, rows, s.a.data());
        rows_backward(rows, s);
    });
}

template <class Real>
template <class Multiply>
void PencilFft<Real>::along_y_and_z(Multiply&& multiply) {
    for_batches(kx_.size(), 1, 1, [&](Scratch& s, int thread, int kx, int) {
        plane_forward(kx, s);
        for (int y = 0; y < ky_.size(); y += LineFft<Real>::lines) {
            const SpectrumRows rows{kx_.begin + kx, y, std::min(LineFft<Real>::lines, ky_.size() - y)};
            rows_forward(rows, s);
            multiply(thread, rows, s.a.data());
            rows_backward(rows, s);
        }
        plane_backward(kx, s);
    });
}

template <class Real>
template <class Store>
void PencilFft<Real>::backward_x(Store&& store) {
    for_batches(y_.size(), z_.size(), chunk, [&](Scratch& s, int, int y, int z0) {
        real_backward(y, z0, s);
        store(y, z0, reinterpret_cast<const Real*>(s.a.data()));
    });
}

extern template class PencilFft<float>;
extern template class PencilFft<double>;

}  // namespace mdsim::mesh
