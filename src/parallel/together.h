// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/error.h"
#include "parallel/comm.h"

namespace mdsim {

/// Called by all ranks: where any of them has a failure, all throw that of the lowest rank that has one.
void throw_together(const Comm& comm, const std::optional<Error>& failure);

/// Calls f, which must not talk to other ranks, on all ranks. Where it throws an Error on some, all of them throw the
/// one of the lowest rank, so that none waits in its next call for one that has failed.
template <class F>
void together(const Comm& comm, F&& f) {
    if (comm.alone()) {
        f();
        return;
    }
    std::optional<Error> failure;
    try {
        f();
    } catch (const Error& error) {
        failure = error;
    }
    throw_together(comm, failure);
}

/// The same with f on the leading rank alone.
template <class F>
void lead_alone(const Comm& comm, F&& f) {
    together(comm, [&] {
        if (comm.leads()) f();
    });
}

}  // namespace mdsim
