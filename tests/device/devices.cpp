// SPDX-License-Identifier: Apache-2.0
#include "tests/device/devices.h"

#include <cstdlib>
#include <utility>

namespace mdsim::test {

std::vector<Case> host_cases(int seeds) {
    std::vector<Case> cases;
    for (const int width : {32, 64}) {
        gpu::HostSettings settings;
        settings.warp_width = width;
        cases.push_back({"host, warps of " + std::to_string(width) + ", in order", gpu::host_device(), settings});
        settings.order = gpu::ThreadOrder::shuffled;
        for (int seed = 0; seed < seeds; ++seed) {
            settings.seed = static_cast<std::uint64_t>(seed);
            cases.push_back({"host, warps of " + std::to_string(width) + ", order " + std::to_string(seed),
                             gpu::host_device(), settings});
        }
    }
    return cases;
}

std::vector<Case> machine_cases() {
    std::vector<Case> cases;
    for (const gpu::Survey& survey : gpu::survey_devices()) {
        for (const gpu::DeviceInfo& info : survey.devices) {
            if (info.unusable.empty()) cases.push_back({info.name, info, {}});
        }
    }
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = host_cases();
    for (Case& c : machine_cases()) cases.push_back(std::move(c));
    return cases;
}

std::filesystem::path source_folder() {
    const char* given = std::getenv("MDSIM_SOURCE_DIR");
    return given != nullptr ? given : MDSIM_SOURCE_DIR;
}

}  // namespace mdsim::test
