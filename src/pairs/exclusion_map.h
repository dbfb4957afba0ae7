// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// The excluded partners of every atom, in both directions.
class ExclusionMap {
  public:
    /// Pairs i < j of atoms below `atoms`, each once, in any order.
    ExclusionMap(std::size_t atoms, std::span<const Exclusion> pairs);

    std::span<const std::uint32_t> partners(std::size_t atom) const {
        return {partners_.data() + first_[atom], partners_.data() + first_[atom + 1]};
    }

  private:
    std::vector<std::uint32_t> first_;     // extent: atoms + 1
    std::vector<std::uint32_t> partners_;  // extent: twice the pairs
};

}  // namespace mdsim
