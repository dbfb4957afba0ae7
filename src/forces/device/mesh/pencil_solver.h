// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "forces/device/mesh/mesh_solver.h"
#include "forces/device/mesh/piece_exchange.h"
#include "forces/mesh/ranks/mesh_route.h"

namespace mdsim {

/// A tile of a mesh whose lines are spread over the devices of several ranks: its lines along z, then along y, then
/// along x, and back. In between ranks send each other what they need next, those of a row of tiles between z and y,
/// those of a column between y and x (mesh::Pencils). Every number is computed as MeshSolver computes it for the whole
/// mesh, by the same kernels, so its bits are the same.
class PencilSolver {
  public:
    /// layout: of a mesh that is along_lines, with tile_of_rank; comm must outlive it.
    PencilSolver(const gpu::Device& device, const Comm& comm, const mesh::MeshSettings& settings,
                 const mesh::MeshLayout& layout, int tile, Transport transport);

    MeshNodes nodes() const { return solver_.nodes(); }
    /// The charges of the nodes are in the stream; it and the box of `run` must stay until progress is true.
    void begin(gpu::Stream& stream, const MeshRun& run);
    /// True once the potential of the nodes is in the stream.
    bool progress();
    /// As those of MeshSolver.
    void download_sums(gpu::Stream& stream) { solver_.download_sums(stream); }
    void report(EnergySums& energies) const { solver_.report(energies); }

  private:
    enum class Stage { to_y, to_x, from_x, from_y, done };

    MeshSolver solver_;
    std::optional<PieceExchange> with_y_, with_x_;  // none where this tile has whole lines anyway
    gpu::Stream* stream_ = nullptr;
    std::optional<MeshRun> run_;
    Stage stage_ = Stage::done;

    std::optional<PieceExchange>& turn() {
        return stage_ == Stage::to_y || stage_ == Stage::from_y ? with_y_ : with_x_;
    }
    PieceExchange::Way way() const;
    void begin_turn(Stage stage);
    void finish_turn();
    void go_on();
};

/// What the tile has of the spectrum along z, [nz/2 + 1][its x][its y], and the others of its row need for lines along
/// y, [its kz][its x][ny].
SharedPieces pieces_along_y(const mesh::MeshLayout& layout, int tile);
/// What it has of the spectrum along y, [its kz][ny][its x], and the others of its column need for lines along x,
/// [its kz][its ky][nx].
SharedPieces pieces_along_x(const mesh::MeshLayout& layout, int tile);

}  // namespace mdsim
