// SPDX-License-Identifier: Apache-2.0
#include "io/topology/names_file.h"

#include "core/error.h"
#include "io/topology/charmm/psf_reader.h"
#include "io/topology/topology_file.h"
#include "io/trajectory/trajectory_file.h"

namespace mdsim {

bool is_topology_file(const std::filesystem::path& file) {
    return topology_format(file).has_value();
}

Topology read_names(const std::filesystem::path& file) {
    if (topology_format(file) == TopologyFormat::charmm) return read_psf(file).topology;
    if (topology_format(file)) return read_topology(file, {});
    const auto reader = open_trajectory(file);
    if (const Topology* names = reader->topology()) return *names;
    throw_input_error({.code = "MD209",
                       .place = {file.string()},
                       .what = "this file has no names of atoms",
                       .remedy = "give a .top, .prmtop, .psf, .pdb, .gro or .cif file"});
}

}  // namespace mdsim
