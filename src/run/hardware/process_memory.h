// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mdsim {

/// Memory of this process that is in use [bytes]: now, and the most since its start. 0 where the kernel does not say.
struct ProcessMemory {
    std::int64_t resident = 0, peak = 0;
};
ProcessMemory process_memory();

/// Gives memory back to the system that was freed but is kept for later: what reading the input took, mainly.
void give_back_freed_memory();

}  // namespace mdsim
