// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include <cstdint>

#include <catch2/catch.hpp>

#include "world.h"

namespace {
const mdsim::Comm* all_ranks = nullptr;
}

const mdsim::Comm& world() {
    return *all_ranks;
}

// Fails on all ranks where it fails on one.
int main(int argc, char** argv) {
    const mdsim::RankProgram program(argc, argv);
    all_ranks = &program.world();
    std::int64_t failed = Catch::Session().run(argc, argv);
    world().max(std::span(&failed, 1));
    return failed != 0 ? 1 : 0;
}
