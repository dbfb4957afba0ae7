// SPDX-License-Identifier: Apache-2.0
#include "run/signals.h"

#include <csignal>
#include <initializer_list>

namespace mdsim {

namespace {
// A signal handler can reach nothing but a variable of this kind.
volatile std::sig_atomic_t received = 0;

void remember(int signal) {
    received = signal;
}
}  // namespace

void catch_stop_signals() {
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) {
        struct sigaction action {};
        action.sa_handler = remember;
        action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

int stop_signal() {
    return received;
}

}  // namespace mdsim
