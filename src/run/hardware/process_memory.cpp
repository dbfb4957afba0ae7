// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/process_memory.h"

#include <fstream>
#include <malloc.h>
#include <sstream>
#include <string>

namespace mdsim {

// proc(5): "VmRSS:   123 kB" and "VmHWM:", the peak of it.
ProcessMemory process_memory() {
    ProcessMemory memory;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kilobytes = 0;
        words >> name >> kilobytes;
        if (name == "VmRSS:") memory.resident = 1024 * kilobytes;
        if (name == "VmHWM:") memory.peak = 1024 * kilobytes;
    }
    return memory;
}

void give_back_freed_memory() {
    malloc_trim(0);
}

}  // namespace mdsim
