// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel/comm.h"
#include "system/fields/atom_fields.h"

namespace mdsim {

/// The home atoms of a rank, by ascending id, while some go and others come. A record has the id of an atom and its
/// fields.
class HomeFields {
  public:
    /// Both must outlive it. Extent of each field: ids.
    HomeFields(std::vector<std::int64_t>& ids, State& state) : ids_(ids), fields_(moving_fields(state)) {}

    /// Records of these atoms.
    Bytes pack(std::span<const std::uint32_t> atoms) const;
    /// Drops all atoms but those for which stays(number of the atom).
    template <class Stays>
    void keep(Stays&& stays);
    /// Takes in the atoms of records, in any order.
    void merge(std::span<const Bytes> parts);
    /// Gives memory back that is of no use for the atoms that are here.
    void release_room();

  private:
    std::vector<std::int64_t>& ids_;
    std::vector<std::vector<Vec3d>*> fields_;

    std::size_t record() const { return sizeof(std::int64_t) + fields_.size() * sizeof(Vec3d); }
    void move(std::size_t from, std::size_t to) {
        ids_[to] = ids_[from];
        for (std::vector<Vec3d>* field : fields_) (*field)[to] = (*field)[from];
    }
    void resize(std::size_t atoms);
};

template <class Stays>
void HomeFields::keep(Stays&& stays) {
    std::size_t kept = 0;
    for (std::size_t n = 0; n < ids_.size(); ++n) {
        if (!stays(n)) continue;
        if (kept < n) move(n, kept);
        ++kept;
    }
    resize(kept);
}

}  // namespace mdsim
