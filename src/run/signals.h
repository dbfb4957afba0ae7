// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim {

/// From now on SIGTERM, SIGINT and SIGUSR1 ask for a clean stop in place of ending the process; a second one of the
/// same kind ends it at once, as if it had not been caught.
void catch_stop_signals();

/// The number of the signal that asked for a stop, or 0.
int stop_signal();

}  // namespace mdsim
