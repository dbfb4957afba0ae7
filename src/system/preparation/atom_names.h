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

    /// "residue LYS 12, atom HZ1 (number 345 of the input, molecule Protein)". Atoms count from 1. A residue has the
    /// number of its topology where the molecule is there once; residues of repeated molecules count through the
    /// system.
    std::string describe(std::int64_t atom) const;

  private:
    struct Name {
        std::string atom;
        std::size_t residue;
    };
    struct Block {
        std::int64_t first, first_residue;  // of the system
        std::int64_t copies;
        std::size_t type;
    };
    struct Type {
        std::string name;
        std::vector<Name> atoms;
        std::vector<Residue> residues;
    };
    std::vector<Type> types_;
    std::vector<Block> blocks_;
    std::int64_t atoms_ = 0;
};

}  // namespace mdsim
