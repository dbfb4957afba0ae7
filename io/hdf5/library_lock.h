// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace mdsim::h5 {

/// HDF5 as Debian builds it must not be used by two threads at the same time. Whoever may run beside another thread
/// that uses it holds this meanwhile: a conversion reads one frame and writes another.
class LibraryLock {
  public:
    LibraryLock() : lock_(mutex()) {}

  private:
    std::scoped_lock<std::mutex> lock_;

    static std::mutex& mutex() {
        static std::mutex the_only;
        return the_only;
    }
};

}  // namespace mdsim::h5
