// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim {

/// From now on SIGTERM, SIGINT, SIGUSR1 and SIGXCPU ask for a clean stop in place of ending the process; a second one
/// of the same kind ends it at once, as if it had not been caught. SIGHUP, which comes more than once when a terminal
/// goes, asks for a clean stop however often it comes, and nohup still makes it do nothing. SIGPIPE does nothing: what
/// cannot be printed is in the log.
void catch_stop_signals();

/// From now on they do nothing: a launcher that sees the first rank leave with another exit code than 0 ends the
/// others, which leave by themselves with the same one.
void ignore_stop_signals();

/// Stops this process with all its threads until it gets SIGCONT; signals that come meanwhile are noticed then.
void stand_still();

/// The number of the signal that asked for a stop, or 0.
int stop_signal();

}  // namespace mdsim
