// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mdsim {

/// Finds the local number of an atom by its global one. Those that ascend are searched; for the others there is an open
/// hash table with as many places as there are of them, times two to four.
class LocalNumbers {
  public:
    /// Forgets all and takes these, each of them once, of which the first `sorted` ascend. They must stay where they
    /// are.
    void assign(std::span<const std::int64_t> ids, std::size_t sorted);
    /// -1 where the atom is not among them.
    int find(std::int64_t id) const;

  private:
    std::size_t start(std::int64_t id) const {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15ULL >> shift_);
    }

    std::span<const std::int64_t> ids_;
    std::size_t sorted_ = 0;
    std::vector<int> table_{-1, -1};  ///< local numbers from sorted_ on, -1: free; extent: a power of two
    int shift_ = 63;
};

}  // namespace mdsim
