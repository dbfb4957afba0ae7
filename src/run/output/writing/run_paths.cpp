// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/run_paths.h"

#include <fmt/format.h>

#include "io/trajectory/trajectory_file.h"

namespace mdsim {

std::filesystem::path RunPaths::of_entry(std::size_t entry, const std::string& suffix) const {
    return file((entry == 0 ? std::string() : fmt::format(".{}", entry + 1)) + suffix);
}

std::filesystem::path RunPaths::trajectory(std::size_t entry, TrajectoryFormat format) const {
    return of_entry(entry, std::string(facts_of(format).ending));
}

std::filesystem::path RunPaths::map(std::size_t entry, MapFormat format) const {
    const std::string number = entry == 0 ? std::string() : fmt::format(".{}", entry + 1);
    return file(".map" + number + (format == MapFormat::vti ? ".vti" : ".dx"));
}

bool has_own_topology(const OutputInput& output, std::size_t entry) {
    return entry == 0 || output.trajectories[entry].select != output.trajectories[0].select;
}

std::vector<std::filesystem::path> RunPaths::all(const OutputInput& output) const {
    std::vector<std::filesystem::path> paths{file(".log"), file(".energies.csv"), checkpoint().newest,
                                             checkpoint().previous};
    for (std::size_t n = 0; n < output.trajectories.size(); ++n) {
        for (const TrajectoryFormat format : output.trajectories[n].formats) {
            paths.push_back(trajectory(n, format));
            for (const auto& beside : files_beside(paths.back(), format)) paths.push_back(beside);
        }
        if (!has_own_topology(output, n)) continue;
        paths.push_back(of_entry(n, ".pdb"));
        paths.push_back(of_entry(n, ".psf"));
    }
    for (std::size_t n = 0; n < output.maps.size(); ++n) {
        for (const MapFormat format : output.maps[n].formats) paths.push_back(map(n, format));
    }
    return paths;
}

}  // namespace mdsim
