// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/topology/gromacs/directive.h"
#include "io/topology/gromacs/force_field/bonded_table.h"
#include "io/topology/gromacs/force_field/cmap_types.h"
#include "io/topology/gromacs/force_field/parameters.h"
#include "io/topology/gromacs/report.h"
#include "system/force_field.h"

namespace mdsim::gromacs {

/// [ defaults ]. Combination rules: 1: c6 and c12, both by the geometric mean; 2: sigma by the arithmetic, epsilon by
/// the geometric mean; 3: both by the geometric mean.
struct Defaults {
    int combination_rule = 1;
    bool generate_pairs = false;
    double fudge_lj = 1.0;
    double fudge_qq = 1.0;
    Origin origin;
};

/// Two numbers as the file gives them: c6 and c12 with combination rule 1, else sigma [nm] and epsilon [kJ/mol].
struct VanDerWaals {
    double v = 0.0;
    double w = 0.0;
    friend bool operator==(const VanDerWaals&, const VanDerWaals&) = default;
};

struct AtomType {
    std::string name;
    int bonded = 0;     ///< number of its bonded type
    int element = 0;    ///< atomic number, 0 where the file gives none
    double mass = 0.0;  ///< [u]
    double charge = 0.0;
    char particle = 'A';  ///< A atom, V or D virtual site, S shell
    VanDerWaals lj;
    Origin origin;
};

/// The force field's part of a topology: [ defaults ] to [ dihedraltypes ] and the non-bonded tables.
class Tables {
  public:
    explicit Tables(Report& report) : report_(report) {}

    /// One line of a directive of Section::force_field.
    void read(Directive directive, Fields fields, Origin origin);

    const std::optional<Defaults>& defaults() const { return defaults_; }
    const std::vector<AtomType>& atom_types() const { return atom_types_; }
    /// -1 where there is no such type.
    int find_atom_type(std::string_view name) const;

    /// The lines that give the parameters for these bonded types; several for a dihedral with several periodicities.
    std::span<const BondedParameters> find(Kind kind, const BondedTypes& types) const;

    const CmapTypes& cmap_types() const { return cmap_types_; }

    /// Of two atom types, by [ nonbond_params ] or the combination rule.
    LjParameters lennard_jones(int a, int b) const;
    /// The same for 1-4 pairs without numbers of their own: by [ pairtypes ] or, with gen-pairs, from the above times
    /// fudgeLJ. Nothing where neither holds.
    std::optional<LjParameters> pair14(int a, int b) const;
    /// Parameters as the file gives them (VanDerWaals) as c6 and c12.
    LjParameters convert(const VanDerWaals& given) const;

  private:
    using PairTable = std::map<std::array<int, 2>, VanDerWaals>;

    void read_defaults(Fields fields, Origin origin);
    void read_atom_type(Fields fields, Origin origin);
    void add_atom_type(AtomType type, std::string_view bonded_name);
    void read_bonded(Directive directive, Fields fields, Origin origin);
    bool resolve(Directive directive, const TypeLine& line, Origin origin, BondedTypes& out);
    void read_pair(Directive directive, Fields fields, Origin origin);
    VanDerWaals combine(const VanDerWaals& a, const VanDerWaals& b) const;

    Report& report_;
    std::optional<Defaults> defaults_;
    std::vector<AtomType> atom_types_;
    std::unordered_map<std::string, int> type_numbers_;
    std::unordered_map<std::string, int> bonded_numbers_;
    std::map<Kind, BondedTable> bonded_;
    CmapTypes cmap_types_;
    PairTable nonbonded_;
    PairTable pairs_;
};

}  // namespace mdsim::gromacs
