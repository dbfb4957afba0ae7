// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "core/error.h"

namespace mdsim {

/// How the program ends with an exception: its exit code, and what it says on standard error and in the log of a run.
struct ProgramEnd {
    ExitCode exit;
    std::string text;
};

ProgramEnd end_of(const std::exception& error);

}  // namespace mdsim
