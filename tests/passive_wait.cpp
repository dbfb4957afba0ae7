// SPDX-License-Identifier: Apache-2.0
// For tests with more ranks than processors, by LD_PRELOAD: a rank that waits for messages, or a thread for others,
// sleeps in the place of yielding. One that yields goes behind everything that runs on the machine, time and again.
#include <ctime>

extern "C" int sched_yield() noexcept {
    const timespec time{0, 20000};
    nanosleep(&time, nullptr);
    return 0;
}
