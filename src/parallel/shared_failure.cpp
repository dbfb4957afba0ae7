// SPDX-License-Identifier: Apache-2.0
#include "parallel/shared_failure.h"

namespace mdsim {

void SharedFailure::throw_if_any() {
    const std::optional<Error> own = std::exchange(kept_, std::nullopt);
    throw_together(comm_, own);
}

}  // namespace mdsim
