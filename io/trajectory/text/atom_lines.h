// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// What the line of an atom has before and after its coordinates, the same in every frame.
class AtomLines {
  public:
    std::size_t size() const { return ends_.size() / 2; }
    std::string_view head(std::size_t atom) const { return piece(2 * atom); }
    std::string_view tail(std::size_t atom) const { return piece(2 * atom + 1); }

    /// Residue, atom and atom number in five columns each; numbers go on from 0 after 99999, as readers expect.
    static AtomLines of_gro(const Topology& topology);
    /// Serial numbers go on from 0 after 99999 and residues after 9999, as readers expect: MDAnalysis and MDTraj take
    /// hybrid-36 numbers for hexadecimal ones or for missing.
    static AtomLines of_pdb(const Topology& topology);
    /// Words, so that nothing is cut or wrapped. The model's number comes after the tail.
    static AtomLines of_cif(const Topology& topology);

  private:
    std::string text_;
    std::vector<std::uint64_t> ends_;

    std::string_view piece(std::size_t n) const {
        const std::uint64_t begin = n == 0 ? 0 : ends_[n - 1];
        return std::string_view(text_).substr(begin, ends_[n] - begin);
    }
    void end_piece() { ends_.push_back(text_.size()); }
};

}  // namespace mdsim
