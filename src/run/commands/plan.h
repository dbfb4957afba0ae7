// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "run/setup.h"

namespace mdsim {

/// What would run: version and build, machine and placement, the input with every default in force and where it came
/// from, the system, the forces as chosen, stages, output sizes and memory. Makes all parts of every stage on the way,
/// so that whatever is wrong with them is found before anything runs. The first lines of every log.
std::vector<std::string> describe_run(const Setup& setup);

}  // namespace mdsim
