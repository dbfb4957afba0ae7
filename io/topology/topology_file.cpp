// SPDX-License-Identifier: Apache-2.0
#include "io/topology/topology_file.h"

#include "core/error.h"
#include "io/topology/gromacs.h"

namespace mdsim {

Topology read_topology(const std::filesystem::path& file, const TopologyOptions& options) {
    const std::string extension = file.extension().string();
    if (extension == ".top" || extension == ".itp") {
        return read_gromacs_topology(file, {options.include_path, options.define});
    }
    throw_input_error({.code = "MD201",
                       .place = {file.string()},
                       .what = "the format of this topology is not known",
                       .remedy = "give a GROMACS .top or an AMBER .prmtop"});
}

}  // namespace mdsim
