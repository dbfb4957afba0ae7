// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <span>
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

/// Where the atoms are, for words that need it.
struct Places {
    std::span<const Vec3d> x;  ///< [nm], extent: atoms of the topology
    const Box& box;            ///< molecules may lie across its faces
};

/// The atoms that a selection names, in order. docs/selections.md has the language.
/// Residue numbers are those of the topology; copies of a molecule count on from the first.
/// Throws SelectionError where the text does not follow the grammar, or needs places and has none. Selecting nothing
/// is no error here.
std::vector<AtomId> select(std::string_view text, const Topology& topology);
std::vector<AtomId> select(std::string_view text, const Topology& topology, const Places& places);

/// Whether the atoms depend on where they are, and so may differ from frame to frame.
bool needs_places(std::string_view text);

/// Why a selection might hold no atom: names in it that the topology does not have, and what is near to them. Empty
/// where all are there.
std::string names_not_found(std::string_view text, const Topology& topology);

/// Throws SelectionError where text does not follow the grammar.
void check_selection(std::string_view text);

}  // namespace mdsim
