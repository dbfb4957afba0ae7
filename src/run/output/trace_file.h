// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/trace.h"

namespace mdsim {

/// A trace in Google's "Trace Event Format", which chrome://tracing and Perfetto open: a process and a thread for each
/// row, complete events (ph "X") with times in microseconds, the step in their arguments.
std::string as_trace_events(const Trace& trace);

}  // namespace mdsim
