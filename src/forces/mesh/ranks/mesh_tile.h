// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "forces/mesh/influence.h"
#include "forces/mesh/mesh_block.h"
#include "forces/mesh/mesh_term.h"
#include "forces/mesh/ranks/mesh_layout.h"
#include "forces/mesh/transform/pencil_fft.h"
#include "parallel/comm.h"

namespace mdsim::mesh {

/// Messages of the mesh: no other part of a step uses these numbers.
enum MeshTag : int { charges_tag = 401, potential_tag, x_to_y_tag, y_to_z_tag, z_to_y_tag, y_to_x_tag };

inline void wait_all(std::vector<Request>& requests) {
    for (Request& request : requests) request.wait();
    requests.clear();
}

/// True once all are done; does not wait.
inline bool done_all(std::vector<Request>& requests) {
    std::erase_if(requests, [](Request& request) { return request.test(); });
    return requests.empty();
}

/// What one of the ranks that transform does: it has the charges of its tile of the mesh, computes with the others the
/// potential, and has that of its tile. Bits: those that Fft3d and Influence give for the whole mesh.
template <class Real>
class MeshTile {
  public:
    /// comm must outlive it.
    MeshTile(const MeshSettings& settings, const MeshLayout& layout, int tile, const Comm& comm);

    /// Becomes the nodes of the tile before anything is solved: of its own or a part of another block.
    MeshBlock<Real>& block() { return block_; }
    /// Begins to turn charges into potential. Called by all ranks that have a tile; the box must stay until it is done.
    void begin(const Box& box, bool with_energy);
    /// Goes on by one direction of the transform if its pieces have come; does not wait. False where they have not.
    bool advance();
    /// Waits for them.
    void wait() { wait_all(requests_); }
    /// Whether the potential is there.
    bool solved() const { return next_ == Next::nothing; }
    /// What the wave vectors of this tile add, by threads; after begin with energy, once it is solved.
    std::span<const WaveSums> sums() const { return sums_; }

  private:
    const MeshLayout& layout_;
    const Comm* comm_;
    MeshBlock<Real> block_;
    PencilFft<Real> fft_;
    Influence<Real> influence_;
    std::vector<WaveSums> sums_;
    std::vector<Request> requests_;  // of the pieces that `next_` takes, and of those from which they were made
    // What comes next, with pieces from the other tiles.
    enum class Next { planes, y, z, back_y, back_x, nothing };
    Next next_ = Next::nothing;
    bool with_energy_ = false;

    using Pieces = std::vector<AlignedVector<std::complex<Real>>>;
    template <class Work>
    void exchange_after(const Turn<Real>& turn, const Pieces& from, Pieces& to, MeshTag tag, Work&& work);
    void multiply(int thread, const SpectrumRows& rows, std::complex<Real>* spectrum);
};

extern template class MeshTile<float>;
extern template class MeshTile<double>;

}  // namespace mdsim::mesh
