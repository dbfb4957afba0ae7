// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/rank_places.h"

#include <algorithm>
#include <sstream>

namespace mdsim {

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

std::vector<std::string> gather_texts(const Comm& world, const std::string& text) {
    std::vector<std::string> texts;
    for (const Bytes& bytes : world.gather(bytes_of(text)))
        texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return texts;
}

std::vector<RankPlace> share_places(const Comm& world, const RankPlace& own) {
    std::string all;
    for (const std::string& text : gather_texts(world, own.host + "\n" + own.cores + "\n")) all += text;
    world.broadcast(all);
    std::vector<RankPlace> places;
    std::istringstream lines(all);
    for (RankPlace one; std::getline(lines, one.host) && std::getline(lines, one.cores);) places.push_back(one);
    return places;
}

// Where Slurm binds no processors, only its variable tells how many of the host's are ours.
int default_threads(int processors, int sharing, int on_host, const Environment& environment) {
    if (environment("OMP_NUM_THREADS") != nullptr) return 0;
    const int share = processors / sharing;
    const std::optional<int> of_job = number_of(environment, "SLURM_CPUS_ON_NODE");
    return std::max(1, of_job ? std::min(share, *of_job / on_host) : share);
}

}  // namespace mdsim
