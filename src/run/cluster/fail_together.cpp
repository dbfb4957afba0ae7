// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/fail_together.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/program_end.h"

namespace mdsim {

namespace {

using Milliseconds = std::chrono::milliseconds;

// Ranks that have no message have left it to another one.
void print(const ProgramEnd& end) {
    if (!end.text.empty()) std::fprintf(stderr, "%s\n", end.text.c_str());
    std::fflush(nullptr);
}

}  // namespace

FailTogether::FailTogether(const Comm& world) : world_(world), group_(world.split(0)) {}

int FailTogether::end(const std::exception& error) const {
    const ProgramEnd end = end_of(error);
    auto exit = static_cast<std::int64_t>(end.exit);
    Request all = group_.begin_max(std::span(&exit, 1));
    // The leading rank may have last words to write (RunOutput::note_failure) before it comes here.
    const int patience = world_.leads() ? 200 : 1200;
    for (int waited = 0; !all.test(); ++waited) {
        std::this_thread::sleep_for(Milliseconds(5));
        if (waited < patience) continue;
        std::this_thread::sleep_for(Milliseconds(20) * std::min(world_.rank(), 50));
        print(end);
        world_.abort(static_cast<int>(end.exit));
    }
    if (world_.leads()) print(end);
    return static_cast<int>(exit);
}

}  // namespace mdsim
