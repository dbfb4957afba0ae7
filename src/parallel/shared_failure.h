// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "core/error.h"
#include "parallel/comm.h"
#include "parallel/together.h"

namespace mdsim {

/// An error of physics on one rank, kept until all ranks have agreed that there is one, so that all of them end in the
/// same place of the loop with the same message. What a rank computes between the two is of no use and does no harm.
class SharedFailure {
  public:
    explicit SharedFailure(const Comm& comm) : comm_(comm) {}

    /// f(), whose error is kept where there are other ranks, and thrown at once where there are none.
    template <class F>
    void keep(F&& f) {
        if (comm_.alone()) return static_cast<void>(std::forward<F>(f)());
        try {
            std::forward<F>(f)();
        } catch (const Error& error) {
            if (!kept_) kept_.emplace(error);
        }
    }
    bool kept() const { return kept_.has_value(); }
    /// Where any rank has kept one, throws that of the lowest rank on all. Collective.
    void throw_if_any();

  private:
    const Comm& comm_;
    std::optional<Error> kept_;
};

}  // namespace mdsim
