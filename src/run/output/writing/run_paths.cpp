// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/run_paths.h"

#include <fmt/format.h>

namespace mdsim {

namespace {
const char* suffix_of(TrajectoryFormat format) {
    return format == TrajectoryFormat::h5md ? ".h5" : ".xtc";
}
}  // namespace

std::filesystem::path RunPaths::of_entry(std::size_t entry, const std::string& suffix) const {
    return file((entry == 0 ? std::string() : fmt::format(".{}", entry + 1)) + suffix);
}

std::filesystem::path RunPaths::trajectory(std::size_t entry, TrajectoryFormat format) const {
    return of_entry(entry, suffix_of(format));
}

bool has_own_topology(const OutputInput& output, std::size_t entry) {
    return entry == 0 || output.trajectories[entry].select != output.trajectories[0].select;
}

std::vector<std::filesystem::path> RunPaths::all(const OutputInput& output) const {
    std::vector<std::filesystem::path> paths{file(".log"), file(".energies.csv"), checkpoint().newest,
                                             checkpoint().previous};
    for (std::size_t n = 0; n < output.trajectories.size(); ++n) {
        for (const TrajectoryFormat format : output.trajectories[n].formats) paths.push_back(trajectory(n, format));
        if (!has_own_topology(output, n)) continue;
        paths.push_back(of_entry(n, ".pdb"));
        paths.push_back(of_entry(n, ".psf"));
    }
    return paths;
}

}  // namespace mdsim
