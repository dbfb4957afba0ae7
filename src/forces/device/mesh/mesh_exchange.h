// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forces/device/device_message.h"
#include "forces/device/mesh/device_mesh.h"
#include "forces/mesh/ranks/home_nodes.h"
#include "gpu/kernels/mesh/ranks/node_boxes.h"

namespace mdsim {

/// The mesh of several ranks, each with a device: every rank spreads the charges of its home atoms over a mesh of its
/// own and sends the box of nodes that they reach to the rank that solves; that one adds them, as integers, solves with
/// the kernels and transforms of one rank, and sends each box of the potential back. So the bits are those of one rank
/// with one device of the same kind. One rank alone puts everything into the stream at once.
///
/// How a term of a device calls it:
///
///   made on all ranks, after a DeviceMesh that has Solving::here on the solver and Solving::elsewhere on all others
///   atoms have changed    DeviceMesh::assign and set_clusters; assign and plan of this
///   in an evaluation      begin, when points of home clusters and zeros in sums and flags are in the stream;
///                         progress between other work, and at last over and over until it is true: then the forces
///                         are in the stream
///   the stream came by    DeviceMesh::report, where energies are wanted; and the next begin
///
/// While a rank waits for anything else that others send, it has to call progress as well: they may be waiting for
/// this. Nothing here waits for the device or for another rank, and MPI is called by the thread that calls this.
class MeshExchange {
  public:
    /// comm and mesh must outlive it.
    MeshExchange(const gpu::Device& device, const Comm& comm, int solver, DeviceMesh& mesh, Transport transport);
    /// Waits until what was sent has gone, but not after an error.
    ~MeshExchange();
    MeshExchange(const MeshExchange&) = delete;
    MeshExchange& operator=(const MeshExchange&) = delete;

    /// The local atoms have changed; plan follows.
    void assign(const LocalSystem& system) { home_.assign(system); }
    /// All ranks tell each other which nodes their atoms reach from now on. Collective; nothing of this object or of
    /// the mesh may be in a stream. Puts the mesh to zero, in the stream in which it will be used: an atom that has
    /// gone beyond the nodes of its rank, in an evaluation that is repeated, left its charge there.
    void plan(const Box& cell, gpu::Stream& stream);

    /// Puts into the stream what this rank can do by itself. The stream and the box of `run` must stay until progress
    /// is true. A rank without atoms has no clusters in its run.
    void begin(gpu::Stream& stream, const DeviceMesh::Run& run);
    /// Sends what is ready and puts into the stream what follows from what has come. True when this rank has nothing
    /// left to do in this evaluation and no other rank waits for it.
    bool progress();
    /// Beside the stream of begin there is this one, in which the solver packs; for a timeline.
    gpu::Stream& packing_stream() { return packing_; }

  private:
    enum class Stage { charges, potential, done };
    // Of a rank with atoms elsewhere: its nodes go to the solver.
    struct Out {
        Out(const gpu::Device& device, MeshExchange& exchange, Transport transport);

        kernels::NodeRange nodes{};
        OutMessage<std::int32_t> charges;
        InMessage<float> potential;
        Request sending, coming;
    };
    // Of the solver: nodes of another rank.
    struct In {
        In(const gpu::Device& device, MeshExchange& exchange, Transport transport, int rank);

        int rank;
        kernels::NodeRange nodes{};
        std::size_t begin = 0;  // of both messages, in the arrays below
        InMessage<std::int32_t> charges;
        OutMessage<float> potential;
        Request coming, sending;
        bool added = false, sent = false;
    };

    const Comm* comm_;
    int solver_;
    DeviceMesh* mesh_;
    mesh::HomeNodes home_;
    gpu::Stream packing_;
    gpu::Event solved_;
    // What travels, of all ranks one behind the other where this one solves.
    gpu::Buffer<std::int32_t> charges_;
    gpu::Buffer<float> potentials_;
    Out out_;
    std::vector<std::unique_ptr<In>> ins_;  // of all other ranks, where this one solves

    gpu::Stream* stream_ = nullptr;
    std::optional<DeviceMesh::Run> run_;
    Stage stage_ = Stage::done;

    void plan_out(const mesh::NodeBox& own);
    void plan_ins(const std::vector<mesh::NodeBox>& boxes);
    void begin_out();
    void begin_ins();
    bool send_charges();
    bool collect_charges();
    void solve();
    void pack_potentials();
    bool send_potential();
    bool collect_potential();
};

}  // namespace mdsim
