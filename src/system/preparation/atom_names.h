// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// Names for messages, kept by molecule type, so that it costs little and needs no topology at hand.
class AtomNames {
  public:
    AtomNames() = default;
    explicit AtomNames(const Topology& topology);

    /// "residue LYS 12, atom HZ1 (number 345 of the input, molecule Protein)"; numbers count from 1.
    std::string describe(std::int64_t atom) const;

  private:
    struct Name {
        std::string atom, residue;
    };
    struct Block {
        std::int64_t first;  // first atom of the block
        std::size_t type;
    };
    struct Type {
        std::string name;
        std::vector<Name> atoms;
    };
    std::vector<Type> types_;
    std::vector<Block> blocks_;
    std::int64_t atoms_ = 0;
};

}  // namespace mdsim
