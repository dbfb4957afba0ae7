// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace mdsim {

/// A thread beside that of the loop. It takes no signals (a new thread inherits the mask): those are for the loop,
/// which looks for them, and none may end a wait of this one.
template <class F>
std::thread side_thread(F&& work) {
    sigset_t every, before;
    sigfillset(&every);
    ::pthread_sigmask(SIG_SETMASK, &every, &before);
    std::thread thread(std::forward<F>(work));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}  // namespace mdsim
