// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parallel/comm.h"

/// All ranks of this test program. A test that fails on one rank must not leave the others waiting: compare after the
/// last message, or REQUIRE what all ranks see alike.
const mdsim::Comm& world();
