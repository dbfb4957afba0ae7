// SPDX-License-Identifier: Apache-2.0
#include "io/structure/structure_file.h"

#include "core/error.h"
#include "io/structure/gro.h"

namespace mdsim {

Structure read_structure(const std::filesystem::path& file) {
    if (file.extension() == ".gro") return read_gro(file);
    throw_input_error({.code = "MD301",
                       .place = {file.string()},
                       .what = "the format of these coordinates is not known",
                       .remedy = "give a .gro, .pdb, .cif, .inpcrd or .rst7"});
}

}  // namespace mdsim
