// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "parallel/comm.h"

namespace mdsim {

/// Ends all ranks of a launch with one message and one exit code, whether an error was met by all of them or by one
/// while the others wait for its messages.
class FailTogether {
  public:
    /// Made by all ranks together, before anything can fail.
    explicit FailTogether(const Comm& world);

    /// What main returns after this exception. Where all ranks come here within a second, the first one prints its
    /// message and all return, each with the highest exit code of all. Else this rank prints its own (each rank a
    /// little later than the one before, so that the end that the first one brings silences the others) and ends all
    /// of them by Comm::abort.
    int end(const std::exception& error) const;

  private:
    const Comm& world_;
    Comm group_;  ///< of the same ranks: what is going on in the other one is not disturbed
};

}  // namespace mdsim
