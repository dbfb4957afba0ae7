// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/output/append_file.h"
#include "system/topology.h"

namespace mdsim {

enum class WithVelocities { no, yes };
enum class WithForces { no, yes };
/// A file whose name is for a while is made complete by TrajectoryWriter::moved_to.
enum class FileName { lasting, for_a_while };

/// What a writer has to know beside the frames.
struct TrajectoryInfo {
    /// Of the atoms that frames have, in their order: names, elements, masses, charges, bonds (`subset` makes one of a
    /// selection). Text formats need it, H5MD
    /// keeps it unless all names are empty; the others look at its number of atoms alone. Must outlive the
    /// writer.
    const Topology* topology = nullptr;
    /// Numbers of these atoms in the whole system, from 0; empty: 0, 1, 2, ...
    std::vector<std::int64_t> ids;
    std::string title;
    /// Rounding of positions [nm]: XTC always rounds, to 0.001 nm where this says nothing; H5MD rounds where it is
    /// given; the others never.
    std::optional<double> precision;
    WithVelocities velocities = WithVelocities::no;
    WithForces forces = WithForces::no;
    /// Of a run, whose frames come with energies and, in a periodic box, with images: whether there is a box.
    std::optional<bool> run_in_box;
    /// Of a run: what its checkpoints rely on.
    Durability durability = Durability::synced;
    FileName name = FileName::lasting;
    /// Where it is known beforehand: a PDB file of one frame has no MODEL records.
    std::optional<std::int64_t> frames;
    /// Files for ParaView: into how many pieces, at most, the atoms of a frame are cut.
    std::size_t pieces = 1;
    /// Where from, for formats that keep it: "input", "build", "force_field_hash", ...
    std::map<std::string, std::string> provenance;
};

}  // namespace mdsim
