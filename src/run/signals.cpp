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
    struct sigaction action {};
    action.sa_handler = remember;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGXCPU}) sigaction(signal, &action, nullptr);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, nullptr);
}

void ignore_stop_signals() {
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGXCPU, SIGHUP}) std::signal(signal, SIG_IGN);
}

void stand_still() {
    ::raise(SIGSTOP);
}

int stop_signal() {
    return received;
}

}  // namespace mdsim
