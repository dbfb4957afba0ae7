// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/mesh_tile.h"

#include "core/error.h"

namespace mdsim::mesh {

template <class Real>
MeshTile<Real>::MeshTile(const MeshSettings& settings, const MeshLayout& layout, int tile, const Comm& comm)
    : layout_(layout),
      comm_(&comm),
      block_({}, 0),
      fft_(layout.pencils, tile),
      influence_(settings.mesh, fft_.part(), settings.coulomb_constant, settings.split, settings.window) {}

// Receives are posted before the work that makes what is sent, so that a piece of a rank that is ahead goes straight to
// where it belongs.
template <class Real>
template <class Work>
void MeshTile<Real>::exchange_after(const Turn<Real>& turn, const Pieces& from, Pieces& to, MeshTag tag, Work&& work) {
    const auto rank_of = [&](std::size_t i) { return layout_.rank_of_tile[static_cast<std::size_t>(turn.tiles[i])]; };
    requests_.clear();
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (i == turn.own) continue;
        requests_.push_back(comm_->begin_receive(rank_of(i), tag, std::as_writable_bytes(std::span(to[i]))));
    }
    work();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (i == turn.own) continue;
        requests_.push_back(
            comm_->begin_send(rank_of(i), tag, std::as_bytes(std::span(from[i])), Traffic::mesh_transpose));
    }
}

template <class Real>
void MeshTile<Real>::multiply(int thread, const SpectrumRows& rows, std::complex<Real>* spectrum) {
    influence_.apply(rows, spectrum, with_energy_ ? &sums_[static_cast<std::size_t>(thread)] : nullptr);
}

template <class Real>
void MeshTile<Real>::begin(const Box& box, bool with_energy) {
    MDSIM_EXPECT(solved());
    influence_.set_box(box);
    with_energy_ = with_energy;
    sums_.assign(static_cast<std::size_t>(thread_count()), WaveSums{});
    block_.forget_overload();
    Turn<Real>& xy = fft_.x_to_y();
    exchange_after(xy, xy.before, xy.after, x_to_y_tag,
                   [&] { fft_.forward_x([&](int y, int z0, Real* lines) { block_.load(y, z0, lines); }); });
    next_ = fft_.goes_by_planes() ? Next::planes : Next::y;
}

template <class Real>
bool MeshTile<Real>::advance() {
    if (solved() || !done_all(requests_)) return false;
    Turn<Real>&xy = fft_.x_to_y(), &yz = fft_.y_to_z();
    const auto multiplied = [&](int thread, const SpectrumRows& rows, std::complex<Real>* spectrum) {
        multiply(thread, rows, spectrum);
    };
    switch (next_) {
        case Next::planes:
            exchange_after(xy, xy.after, xy.before, y_to_x_tag, [&] { fft_.along_y_and_z(multiplied); });
            next_ = Next::back_x;
            break;
        case Next::y:
            exchange_after(yz, yz.before, yz.after, y_to_z_tag, [&] { fft_.forward_y(); });
            next_ = Next::z;
            break;
        case Next::z:
            exchange_after(yz, yz.after, yz.before, z_to_y_tag, [&] { fft_.along_z(multiplied); });
            next_ = Next::back_y;
            break;
        case Next::back_y:
            exchange_after(xy, xy.after, xy.before, y_to_x_tag, [&] { fft_.backward_y(); });
            next_ = Next::back_x;
            break;
        default:
            fft_.backward_x([&](int y, int z0, const Real* lines) { block_.store(y, z0, lines); });
            next_ = Next::nothing;
    }
    return true;
}

template class MeshTile<float>;
template class MeshTile<double>;

}  // namespace mdsim::mesh
