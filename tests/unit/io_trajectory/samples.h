// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "io/trajectory/trajectory_file.h"

namespace mdsim {

/// Waters and one residue with names as long as the formats take them; at least `atoms` atoms.
inline Topology sample_topology(std::int64_t atoms) {
    Topology topology;
    topology.title = "sample";
    topology.force_field.type_names = {"X"};
    topology.force_field.lj.resize(1);
    MoleculeType ligand;
    ligand.name = "ligand";
    ligand.residues.push_back({"LIGAN", 7, "B"});
    ligand.atoms.push_back({.name = "C1234", .element = 6, .charge = 0.5, .mass = 12.011});
    topology.types.push_back(ligand);
    topology.blocks.push_back({0, 1});
    if (atoms < 2) return topology;
    MoleculeType water;
    water.name = "water";
    water.residues.push_back({"SOL", 1, ""});
    water.atoms.push_back({.name = "OW", .element = 8, .charge = -0.8, .mass = 15.999});
    water.atoms.push_back({.name = "HW1", .element = 1, .charge = 0.4, .mass = 1.008});
    water.atoms.push_back({.name = "HW2", .element = 1, .charge = 0.4, .mass = 1.008});
    water.connections = {{0, 1}, {0, 2}};
    topology.types.push_back(water);
    topology.blocks.push_back({1, (atoms + 1) / 3});
    return topology;
}

/// Frames with places on both sides of zero.
inline std::vector<StoredFrame> sample_frames(std::int64_t atoms, int count, const Cell& box, double first_time,
                                              unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-9.0, 90.0), speed(-2.0, 2.0), force(-800.0, 800.0);
    std::vector<StoredFrame> frames(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
        StoredFrame& frame = frames[static_cast<std::size_t>(n)];
        frame.step = 500 + 50 * n;
        frame.time = first_time + 0.1 * n;
        frame.box = box;
        for (std::int64_t i = 0; i < atoms; ++i) {
            frame.x.push_back({place(random), place(random), place(random)});
            frame.v.push_back({speed(random), speed(random), speed(random)});
            frame.f.push_back({force(random), force(random), force(random)});
        }
    }
    return frames;
}

inline void write_frames(const std::filesystem::path& path, TrajectoryFormat format, const Topology& topology,
                         const std::vector<StoredFrame>& frames) {
    const auto writer = make_trajectory_writer(
        path, format,
        {.topology = &topology, .title = topology.title, .velocities = WithVelocities::yes, .forces = WithForces::yes});
    for (const StoredFrame& frame : frames) writer->append(frame.view());
    writer->finish();
}

inline std::vector<StoredFrame> read_frames(const std::filesystem::path& path) {
    const auto reader = open_trajectory(path);
    std::vector<StoredFrame> frames;
    StoredFrame frame;
    while (reader->read(frame)) frames.push_back(frame);
    return frames;
}

}  // namespace mdsim
