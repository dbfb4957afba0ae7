// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/vendor/architectures.h"

#include <algorithm>
#include <charconv>

namespace mdsim::gpu {

namespace {

// Machine code runs on devices of the same major version and the same or a later minor one, PTX on all later ones, and
// code of an architecture with a letter on that alone (CUDA C++ Programming Guide, "Binary compatibility", "PTX
// compatibility").
bool runs_on_nvidia(int device, std::string_view entry) {
    int code = 0;
    const char* end = entry.data() + entry.size();
    const auto [rest, error] = std::from_chars(entry.data(), end, code);
    if (error != std::errc()) return true;  // "all", "native": not known here
    const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
    if (!suffix.empty() && suffix.front() != '-') return device == code;
    const bool machine_code = suffix != "-virtual", later = suffix != "-real";
    return (machine_code && device / 10 == code / 10 && device >= code) || (later && device >= code);
}

bool runs_on_amd(std::string_view device, std::string_view entry) {
    return device.substr(0, device.find(':')) == entry.substr(0, entry.find(':'));
}

}  // namespace

bool has_kernels_for(std::string_view architecture, std::string_view built) {
    int number = 0;
    const bool nvidia = architecture.starts_with("sm_");
    if (nvidia) std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), number);
    while (!built.empty()) {
        const std::size_t end = std::min(built.find(','), built.size());
        const std::string_view entry = built.substr(0, end);
        if (nvidia ? runs_on_nvidia(number, entry) : runs_on_amd(architecture, entry)) return true;
        built.remove_prefix(std::min(end + 1, built.size()));
    }
    return false;
}

}  // namespace mdsim::gpu
