// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber.h"

#include <cmath>

#include <fmt/format.h>

#include "io/topology/amber/terms.h"
#include "io/topology/split_molecules.h"

namespace mdsim {

namespace {

using amber::Pointers;
using amber::PrmtopFile;

// BOX_DIMENSIONS is one angle and three lengths. Only for a rectangular box and a truncated octahedron does the one
// angle say what the other two are ("Amber file formats", POINTERS and BOX_DIMENSIONS); for others only the restart
// does.
Box read_box(const PrmtopFile& file, const Pointers& pointers) {
    if (pointers.box == 0 || !file.has("BOX_DIMENSIONS")) return {};
    const std::vector<double> values = file.reals("BOX_DIMENSIONS", 4);
    const Vec3d lengths{values[1] * 0.1, values[2] * 0.1, values[3] * 0.1};
    for (int axis = 0; axis < 3; ++axis) {
        if (!(lengths[axis] > 0.0)) {
            file.refuse(file.place("BOX_DIMENSIONS", axis + 1), fmt::format("a box length of {} A", values[1]));
        }
    }
    const double beta = values[0];
    if (!(beta > 10.0 && beta < 170.0)) {
        file.refuse(file.place("BOX_DIMENSIONS", 0), fmt::format("a box angle of {} degrees", beta));
    }
    const bool octahedron = pointers.box == 2 || std::abs(beta - 109.4712) < 0.01;
    if (!octahedron && beta != 90.0) return {};
    return Box::from_lengths_angles(lengths, {beta, beta, beta});
}

}  // namespace

Topology read_amber_topology(const std::filesystem::path& file) {
    const PrmtopFile prmtop(file);
    const Pointers pointers = read_pointers(prmtop);
    MoleculeType whole;
    amber::read_atoms(prmtop, pointers, whole);
    ForceField force_field = amber::read_force_field(prmtop, pointers);
    amber::read_bonds(prmtop, pointers, whole);
    amber::guess_elements(whole);
    amber::read_angles(prmtop, pointers, whole);
    amber::read_extra_points(prmtop, whole);
    amber::read_dihedrals(prmtop, pointers, amber::read_lj14(prmtop, pointers, force_field), whole);
    amber::read_charmm_terms(prmtop, whole);
    amber::read_cmaps(prmtop, whole, force_field);
    amber::read_exclusions(prmtop, pointers, whole);
    amber::check_unused_sections(prmtop, pointers);
    Topology topology = split_molecules(std::move(whole));
    topology.file_box = read_box(prmtop, pointers);
    topology.title = prmtop.line(prmtop.has("TITLE") ? "TITLE" : "CTITLE");
    topology.force_field = std::move(force_field);
    return topology;
}

}  // namespace mdsim
