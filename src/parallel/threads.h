// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>

#include <omp.h>

namespace mdsim {

/// Threads that a parallel region will have.
inline int thread_count() {
    return omp_get_max_threads();
}

/// Processors that this process may use.
inline int processor_count() {
    return omp_get_num_procs();
}

/// Sets it for the whole process; 0: as many as the process may use (OMP_NUM_THREADS, or its processors).
inline void set_thread_count(int threads) {
    omp_set_num_threads(threads > 0 ? threads : omp_get_max_threads());
}

/// Runs f(thread, begin, end) once on every thread, the range [0, n) cut into equal contiguous parts of whole blocks
/// of `grain` items. An exception leaves the region only after all threads are done (the first one is rethrown).
template <class F>
void parallel_ranges(std::size_t n, std::size_t grain, F&& f) {
    std::exception_ptr error;
#pragma omp parallel
    {
        const auto threads = static_cast<std::size_t>(omp_get_num_threads());
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        const std::size_t blocks = (n + grain - 1) / grain;
        const std::size_t begin = blocks * thread / threads * grain;
        std::size_t end = blocks * (thread + 1) / threads * grain;
        if (end > n) end = n;
        try {
            if (begin < end) f(static_cast<int>(thread), begin, end);
        } catch (...) {
#pragma omp critical(mdsim_parallel_ranges)
            if (!error) error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

template <class F>
void parallel_ranges(std::size_t n, F&& f) {
    parallel_ranges(n, 1, static_cast<F&&>(f));
}

}  // namespace mdsim
