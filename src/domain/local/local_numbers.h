// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mdsim {

/// Finds the local number of an atom by its global one. An open hash table with as many places as local atoms, times
/// two to four.
class LocalNumbers {
  public:
    /// Forgets all and takes these, each of them once. They must stay where they are.
    void assign(std::span<const std::int64_t> ids);
    /// -1 where the atom is not among them.
    int find(std::int64_t id) const;

  private:
    std::size_t start(std::int64_t id) const {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15ULL >> shift_);
    }

    std::span<const std::int64_t> ids_;
    std::vector<int> table_{-1, -1};  ///< local numbers, -1: free; extent: a power of two
    int shift_ = 63;
};

}  // namespace mdsim
