// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "domain/local/local_atoms.h"
#include "domain/local/local_numbers.h"
#include "system/molecules/molecule_index.h"
#include "system/molecules/term_atoms.h"

namespace mdsim {

/// Makes the terms and the parameters of a rank's local atoms from the molecule types. Beside the types themselves it
/// needs memory and time for local atoms only. The topology must outlive it.
class LocalTopology {
  public:
    explicit LocalTopology(const Topology& topology);

    /// The terms that this rank computes, in local numbers: molecule by molecule where all atoms are at home, else atom
    /// by atom. The same with any number of threads.
    ///
    /// Every term is computed by one rank. Where it is, its atoms agree: laid out as one group, each in the image
    /// nearest to its first atom, the group has along each split axis a lowest region, counted on over the ends of the
    /// box; the rank of the regions that are lowest along all axes computes it. From there all other regions of the
    /// group lie above, so they are in its halo as far as that reaches, and no other rank takes the term: seen from
    /// there either the group has no atom at home along some axis, or an atom above stands in an image that is lower
    /// than those of all atoms at home. A term whose atoms are farther apart than the halo reaches is made nowhere, and
    /// none is made twice; so where the numbers of terms of all ranks add up to `all_terms`, each is made once.
    LocalTerms build(const LocalAtoms& atoms);
    /// Number of terms of the whole system; the sum over ranks of term_count_of(build()) where none is lost.
    std::int64_t all_terms() const;

    LocalParameters local_parameters(std::span<const std::int64_t> ids) const;
    AtomParameters parameters(std::span<const std::int64_t> ids) const;

  private:
    /// The terms of a molecule type, sorted by their atoms, and where those of each first atom begin.
    struct TypeTerms {
        TermLists terms;
        std::array<std::vector<std::uint32_t>, term_kinds> begin;  ///< extent of each: atoms + 1, or 0: no such terms
    };
    static TypeTerms terms_of(const MoleculeType& type);
    LocalTerms unrolled() const;
    template <class F>
    void for_atoms(std::span<const std::int64_t> ids, F&& f) const;
    void append_terms(const LocalAtoms& atoms, std::size_t begin, std::size_t end, LocalTerms& to) const;
    template <class T>
    bool make_local(const LocalAtoms& atoms, const AtomPlace& place, int number, T& term) const;
    const TypeTerms& of(const MoleculeType& type) const {
        return types_[static_cast<std::size_t>(&type - topology_.types.data())];
    }

    const Topology& topology_;
    MoleculeIndex molecules_;
    std::vector<TypeTerms> types_;  ///< extent: molecule types
    LocalNumbers numbers_;
    std::array<std::size_t, term_kinds> expected_{};  ///< terms of each kind: as many as there were the last time
};

/// All atoms of a system as those of the only rank.
LocalAtoms all_atoms(const Topology& topology);

}  // namespace mdsim
