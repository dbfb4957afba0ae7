// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/plan/layout.h"
#include "run/setup.h"

namespace mdsim {

/// What a process of mdsim takes [bytes].
struct MemoryCosts {
    double fixed = 0.0;       ///< whatever it computes
    double local_atom = 0.0;  ///< a home or halo atom, while it runs
    double reading = 0.0;     ///< an atom of the whole system, on the rank that reads the input
};
/// Of MPI itself, for each rank: what Open MPI 4.1 was measured to add to a process, with two and four ranks [bytes].
inline constexpr double mpi_bytes = 17e6;

/// Of one rank, of the first one (which reads the input), and of the fullest node [bytes].
struct MemoryUse {
    double rank = 0.0, first_rank = 0.0, node = 0.0;
};
MemoryUse predict_memory(const Workload& work, const MemoryCosts& costs, const Layout& layout);
/// Bytes of the mesh, on all ranks together: charges and potentials, half a spectrum, and the influence function.
double mesh_bytes(const MeshWork& mesh);

/// What a frame takes in an XTC file: 4.5 bytes an atom for water rounded to 0.001 nm.
inline constexpr double usual_xtc_bytes = 4.5;
/// The same, measured by writing the atoms of this output as they are at the start [bytes an atom].
double measured_xtc_bytes(const Setup& setup, const TrajectoryInput& output);

/// What a stage will write [bytes]: trajectories and energies. xtc: bytes of an atom in a frame.
double output_bytes(const Setup& setup, const StageInput& stage, double xtc = usual_xtc_bytes);

/// What a run leaves on the disk [bytes].
struct DiskUse {
    double outputs = 0.0;      ///< of all stages as the input has them
    double checkpoints = 0.0;  ///< the two that are kept
    double per_ns = 0.0;       ///< of the stage that is planned for
};
DiskUse predict_disk(const Setup& setup, const StageInput& stage);

}  // namespace mdsim
