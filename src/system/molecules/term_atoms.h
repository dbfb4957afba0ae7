// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "system/terms.h"

namespace mdsim {

/// The atoms of a term of any kind, by reference and in their order: f(int&), or f(const int&) of a constant term. A
/// Cmap has some of them twice.
template <class T, class F>
void for_each_atom(T& term, F&& f) {
    if constexpr (requires { term.oxygen; }) {
        f(term.oxygen);
        f(term.hydrogen1);
        f(term.hydrogen2);
    } else if constexpr (requires { term.atoms; }) {
        for (auto& atom : term.atoms) f(atom);
    } else {
        f(term.i);
        if constexpr (requires { term.j; }) f(term.j);
        if constexpr (requires {
                          term.k;
                          requires std::is_same_v < std::remove_cvref_t<decltype(term.k)>,
                          int > ;
                      }) {
            f(term.k);
        }
        if constexpr (requires { term.l; }) f(term.l);
        if constexpr (requires { term.parents; }) {
            for (auto& parent : term.parents) f(parent);
        }
    }
}

/// The first of them.
template <class T>
int first_atom(const T& term) {
    if constexpr (requires { term.oxygen; }) {
        return term.oxygen;
    } else if constexpr (requires { term.atoms; }) {
        return term.atoms.front();
    } else {
        return term.i;
    }
}

/// Kinds of terms: the lists of TermLists.
inline constexpr int term_kinds = 18;

/// Calls f(pointer to the list, number of the kind) for every kind.
template <class F>
void for_each_kind(F&& f) {
    int kind = 0;
    const auto all = [&](auto... list) { (f(list, static_cast<std::size_t>(kind++)), ...); };
    using T = TermLists;
    all(&T::bonds, &T::angles, &T::g96_bonds, &T::g96_angles, &T::urey_bradleys, &T::proper_dihedrals,
        &T::improper_dihedrals, &T::harmonic_impropers, &T::ryckaert_bellemans, &T::cmaps, &T::pairs14, &T::plain_pairs,
        &T::two_atom_terms, &T::three_atom_terms, &T::four_atom_terms, &T::exclusions, &T::position_restraints,
        &T::flat_position_restraints);
}

/// Number of terms of all kinds.
inline std::size_t term_count_of(const TermLists& lists) {
    std::size_t count = 0;
    for_each_kind([&](auto list, std::size_t) { count += (lists.*list).size(); });
    return count;
}

}  // namespace mdsim
