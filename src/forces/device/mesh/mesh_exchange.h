// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forces/device/mesh/charged_clusters.h"
#include "forces/device/mesh/pencil_solver.h"
#include "forces/device/mesh/piece_exchange.h"
#include "forces/mesh/ranks/home_nodes.h"
#include "forces/mesh/ranks/mesh_route.h"

namespace mdsim {

/// How many of `devices` a mesh is spread over: one below 2^20 nodes, about 100^3, which it solves by the time that the
/// messages of several would take; else as many as get 2^17 nodes each (docs/gpu.md has the count).
int devices_for_mesh(const std::array<int, 3>& mesh, int devices);

/// The mesh of several ranks, each with a device. A device has the box of nodes that its home atoms reach, over which
/// it spreads their charges; these go to the tiles of those nodes and are added there, as integers; the devices that
/// have tiles solve together (PencilSolver); and the potential goes back the same way. So the bits are those of one
/// rank with one device of the same kind.
///
/// How a term of a device calls it, on all ranks:
///
///   atoms have changed    assign, set_clusters and plan
///   in an evaluation      begin, when points of home clusters and zeros in sums and flags are in the stream;
///                         progress between other work, and at last over and over until it is true: then the forces
///                         are in the stream
///   the stream came by    report, where energies are wanted; and the next begin
///
/// While a rank waits for anything else that others send, it has to call progress as well: they may be waiting for
/// this. Nothing here waits for the device or for another rank, and MPI is called by the thread that calls this.
class MeshExchange {
  public:
    /// mesh_ranks: whose devices get a tile each, as far as the mesh can be cut; ascending, at least one. comm must
    /// outlive it.
    MeshExchange(const gpu::Device& device, const Comm& comm, const mesh::MeshSettings& settings,
                 std::vector<int> mesh_ranks, Transport transport);

    /// The local atoms have changed; set_clusters and plan follow.
    void assign(const LocalSystem& system);
    /// New clusters: the charges of home atoms go up. Not in a step.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream) { atoms_.set_clusters(clusters, stream); }
    /// All ranks tell each other which nodes their atoms reach from now on, and at the first time decide who has which
    /// tile. Collective; nothing of this object may be in a stream.
    void plan(const Box& cell, gpu::Stream& stream);

    /// Puts into the stream what this rank can do by itself. The stream and the box of `run` must stay until progress
    /// is true. A rank without atoms has no clusters in its run.
    void begin(gpu::Stream& stream, const MeshRun& run);
    /// Sends what is ready and puts into the stream what follows from what has come. True when this rank has nothing
    /// left to do in this evaluation and no other rank waits for it.
    bool progress();
    /// Adds the sums of the wave vectors of this rank's tile, of the last evaluation with energy.
    void report(EnergySums& energies) const;

    /// Who has which tile of the mesh, whose axes are along_lines.
    const mesh::MeshLayout& layout() const { return layout_; }

  private:
    enum class Stage { charges, solve, potential, done };

    const gpu::Device& device_;
    const Comm* comm_;
    std::vector<int> mesh_ranks_;
    Transport transport_;
    ChargedClusters atoms_;
    mesh::HomeNodes home_;
    // The nodes that home atoms reach.
    kernels::NodeRange range_{};
    gpu::Buffer<std::int32_t> grid_;  // zero between evaluations
    gpu::Buffer<float> potential_;
    PieceExchange nodes_;  // between those and the tiles
    mesh::MeshLayout layout_;
    std::unique_ptr<PencilSolver> tile_;  // where this rank has one

    gpu::Stream* stream_ = nullptr;
    std::optional<MeshRun> run_;
    Stage stage_ = Stage::done;

    const std::array<int, 3>& mesh() const { return atoms_.settings().mesh; }
    MeshNodes home_nodes() const { return {range_, grid_.data(), potential_.data()}; }
    MeshNodes tile_nodes() const { return tile_ ? tile_->nodes() : MeshNodes{}; }
    void make_tile(const std::vector<mesh::NodeBox>& boxes);
    SharedPieces pieces(const std::vector<mesh::NodeBox>& boxes) const;
    bool came();
    void go_on();
    void solve();
    void begin_potential();
    void finish();
};

}  // namespace mdsim
