// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "io/topology/charmm/parameters.h"

namespace mdsim::charmm {

/// Reads parameter files (.prm, .par), topology files (.rtf, of which lines MASS alone matter once a PSF is made) and
/// streams (.str, .inp) with several such parts, in this order; streams may name further files (`stream`, `open` with
/// `read`, or one name to a line), which count from their own folder. What a file is, its name's end and its first
/// statement say. Later parameters take the place of earlier ones; Parameters::notes says so. Of a stream's script only
/// `set` of a cell (A, B, C, ALPHA, BETA, GAMMA) is carried out. Throws Error: MD233 with file, line and column for
/// what is no such file, MD235 for what mdsim does not compute.
Parameters read_parameters(const std::vector<std::filesystem::path>& files);

}  // namespace mdsim::charmm
