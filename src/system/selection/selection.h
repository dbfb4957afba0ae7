// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// What is wrong with the text of a selection. Callers add file, line and key.
class SelectionError : public std::exception {
  public:
    SelectionError(std::size_t column, std::string what, std::string remedy)
        : column_(column), what_(std::move(what)), remedy_(std::move(remedy)) {}

    std::size_t column() const { return column_; }  ///< in the text, from 1
    const char* what() const noexcept override { return what_.c_str(); }
    const std::string& remedy() const { return remedy_; }  ///< may be empty

  private:
    std::size_t column_;
    std::string what_, remedy_;
};

/// The atoms that a selection names, in order. Grammar, weakest binding first:
///
///     A or B, A and B, not A, ( A )
///     all, none
///     protein, backbone   residues with amino acids' names (also those of AMBER, CHARMM and GROMACS variants, and
///     caps);
///                         of these the atoms N, CA, C, O
///     water               residues with water's names, or molecules of one oxygen and two hydrogens
///     ions                residues of one charged atom
///     name N..., resname N...   names, where * stands for any letters and ? for one
///     element S...        chemical symbols, in any case
///     resid R...          residue numbers and ranges: 5  1-10  15 to 20
///     index R...          atom numbers from 1, in the order of the input
///
/// Items of a list are separated by blanks or commas. Names that are words of the grammar are written in 'quotes'.
/// Residue numbers are those of the topology; copies of a molecule count on from the first.
/// Throws SelectionError where text does not follow the grammar. Selecting nothing is no error here.
std::vector<AtomId> select(std::string_view text, const Topology& topology);

/// Throws SelectionError where text does not follow the grammar.
void check_selection(std::string_view text);

}  // namespace mdsim
