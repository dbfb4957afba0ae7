// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "io/topology/charmm/parameters.h"
#include "io/topology/charmm/statements.h"

namespace mdsim::charmm {

/// Puts the statements of parameter sections (ATOMS, BONDS ... NBFIX) into the tables. One object serves all files,
/// since later ones override earlier ones: the notes say how many entries each file replaced, and which was the first.
class ParameterSections {
  public:
    explicit ParameterSections(Parameters& out) : out_(out) {}

    /// A new part, "read para card" or a file: its dihedrals take the place of all terms that others gave the same
    /// types.
    void begin_part();
    /// One statement that is not END. Throws Error (MD233, MD235).
    void read(const Statement& statement);
    /// The part ends: throws where a map is incomplete.
    void end_part();
    /// A line "MASS number type mass", of a parameter or of a topology file.
    void read_mass(const Statement& statement, bool of_topology_file);
    /// Adds what was replaced and left out to the notes.
    void add_notes();

  private:
    enum class Section { none, atoms, bonds, angles, dihedrals, impropers, cmaps, nonbonded, nbfix, unused };
    struct Heading;
    struct Replaced {
        std::string file;
        const char* kind;
        int count;
        std::string first;
    };

    bool open_section(const Statement& statement);
    void read_bond(const Statement& statement);
    void read_angle(const Statement& statement);
    void read_dihedral(const Statement& statement);
    void read_improper(const Statement& statement);
    void read_cmap(const Statement& statement);
    void read_nonbonded_options(const Statement& statement);
    void read_nonbonded(const Statement& statement);
    void read_nbfix(const Statement& statement);
    void finish_cmap();

    void require_words(const Statement& statement, std::initializer_list<std::size_t> counts, const char* due) const;
    double number(const Statement& statement, std::size_t word) const;
    int whole_number(const Statement& statement, std::size_t word) const;
    double depth(const Statement& statement, std::size_t word) const;
    template <std::size_t n>
    static std::array<std::string, n> types_of(const Statement& statement);
    TorsionParameters torsion(const Statement& statement) const;
    template <class Map, class Key, class Value>
    void put(Map& map, const Key& key, Value value, const char* kind, const Statement& statement);
    void replaced(const char* kind, const Statement& statement);

    Parameters& out_;
    int part_ = 0;
    Section section_ = Section::none;
    std::string heading_;  // of the section, as it is written
    std::vector<Replaced> replaced_;
    // Dihedrals whose terms of earlier parts were dropped, with these, until the part has ended.
    struct Dropped {
        Types<4> types;
        std::vector<TorsionParameters> terms;
        Statement by;
    };
    std::vector<Dropped> dropped_;
    Types<8> cmap_types_;
    CmapGrid cmap_;
    Statement cmap_statement_;
    int highest_number_ = 0;  // of types in topology files
    bool run_settings_noted_ = false;
};

template <std::size_t n>
std::array<std::string, n> ParameterSections::types_of(const Statement& statement) {
    std::array<std::string, n> types;
    std::copy_n(statement.upper.begin(), n, types.begin());
    return types;
}

template <class Map, class Key, class Value>
void ParameterSections::put(Map& map, const Key& key, Value value, const char* kind, const Statement& statement) {
    auto [entry, fresh] = map.try_emplace(key, typename Map::mapped_type{value, part_});
    if (fresh) return;
    if (!(entry->second.value == value)) replaced(kind, statement);
    entry->second = {std::move(value), part_};
}

}  // namespace mdsim::charmm
