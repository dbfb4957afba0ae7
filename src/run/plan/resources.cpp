// SPDX-License-Identifier: Apache-2.0
#include "run/plan/resources.h"

#include <algorithm>

#include "io/trajectory/xtc.h"
#include "run/build.h"
#include "run/plan/traffic_model.h"

namespace mdsim {

namespace {

// Position and velocity, three doubles each.
constexpr double checkpoint_bytes = 48.0;
// Of an atom in a .vtp: position, and what is the same in all frames, and each vector more; compressed and in base64,
// as measured for ubiquitin in water.
constexpr double vtk_bytes = 11.0, vtk_vector_bytes = 14.0;
// A line of a .gro, without and with a velocity.
constexpr double gro_bytes = 45.0, gro_velocity_bytes = 24.0;
// A row of NAME.energies.csv.
constexpr double row_bytes = 900.0;

double frames(const Cadence& every, const StageInput& stage) {
    return every.never() ? 0.0 : static_cast<double>(stage.steps) / static_cast<double>(every.in_steps(stage.timestep));
}

}  // namespace

double mesh_bytes(const MeshWork& mesh) {
    const double half = static_cast<double>(mesh.points[0] / 2 + 1) * mesh.points[1] * mesh.points[2];
    return mesh.value_bytes * (mesh.size() + 3.0 * half);
}

MemoryUse predict_memory(const Workload& work, const MemoryCosts& costs, const Layout& layout) {
    const ExpectedTraffic traffic = expected_traffic(work, layout);
    const double base = costs.fixed + (layout.ranks() > 1 ? mpi_bytes : 0.0);
    MemoryUse use;
    use.rank = base + costs.local_atom * (traffic.home_atoms + traffic.halo_atoms);
    if (work.mesh) use.rank += mesh_bytes(*work.mesh) / traffic.mesh_solvers;
    use.first_rank = std::max(use.rank, base + costs.reading * static_cast<double>(work.atoms));
    use.node = use.first_rank + (layout.ranks_per_node - 1) * use.rank;
    return use;
}

double measured_xtc_bytes(const Setup& setup, const TrajectoryInput& output) {
    std::vector<Vec3d> x;
    for (const AtomId atom : select_atoms(setup, output.select, "output.trajectory.select"))
        x.push_back(setup.start.x[static_cast<std::size_t>(atom)]);
    const Frame frame{.box = setup.start.box, .x = x};
    const std::string bytes = encode_xtc_frame(frame, static_cast<float>(1.0 / output.precision));
    return static_cast<double>(bytes.size()) / static_cast<double>(x.size());
}

double output_bytes(const Setup& setup, const StageInput& stage, double xtc) {
    if (stage.kind == StageKind::minimise) return 0.0;
    double bytes = row_bytes * frames(stage.output.energies, stage);
    for (const TrajectoryInput& t : stage.output.trajectories) {
        const double atoms = static_cast<double>(select_atoms(setup, t.select, "output.trajectory.select").size());
        for (const TrajectoryFormat format : t.formats) {
            const FormatFacts& facts = facts_of(format);
            const double vectors =
                1.0 + (t.velocities && facts.velocities ? 1.0 : 0.0) + (t.forces && facts.forces ? 1.0 : 0.0);
            double of_atom = 12.0 * vectors;
            if (format == TrajectoryFormat::xtc) of_atom = xtc;
            if (format == TrajectoryFormat::vtk) of_atom = vtk_bytes + vtk_vector_bytes * vectors;
            if (format == TrajectoryFormat::gro) of_atom = gro_bytes + gro_velocity_bytes * (vectors - 1.0);
            bytes += frames(t.every, stage) * atoms * of_atom;
        }
    }
    return bytes;
}

DiskUse predict_disk(const Setup& setup, const StageInput& stage) {
    double xtc = usual_xtc_bytes;
    for (const TrajectoryInput& t : stage.output.trajectories) {
        if (std::find(t.formats.begin(), t.formats.end(), TrajectoryFormat::xtc) != t.formats.end())
            xtc = measured_xtc_bytes(setup, t);
    }
    DiskUse use;
    for (const StageInput& each : setup.input.stages) use.outputs += output_bytes(setup, each, xtc);
    use.checkpoints = 2.0 * checkpoint_bytes * static_cast<double>(setup.topology.atoms());
    use.per_ns = output_bytes(setup, stage, xtc) * 1000.0 / stage.duration;
    return use;
}

}  // namespace mdsim
