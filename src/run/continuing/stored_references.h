// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "run/build.h"

namespace mdsim {

/// References of restraints as a checkpoint has them (Checkpoint::numbers): one list of numbers an entry, and their
/// boxes.
std::map<std::string, std::vector<double>> as_numbers(const RestraintReferences& references);
/// Back from there, for so many entries.
RestraintReferences restore_references(const std::map<std::string, std::vector<double>>& numbers, std::size_t entries);

}  // namespace mdsim
