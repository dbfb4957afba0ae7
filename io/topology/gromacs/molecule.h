// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/topology/gromacs/directive.h"
#include "io/topology/gromacs/force_field/tables.h"
#include "io/topology/gromacs/report.h"
#include "system/topology.h"

namespace mdsim::gromacs {

/// Reads one [ moleculetype ] with what follows it, line by line.
class Molecule {
  public:
    /// `fields` are those of the line below [ moleculetype ]: name and nrexcl.
    Molecule(Fields fields, Origin origin, const Tables& tables, Report& report);

    /// Goes on with a molecule that is complete but for terms; `take` gives it back.
    Molecule(MoleculeType type, Origin origin, const Tables& tables, Report& report)
        : origin_(origin), tables_(tables), report_(report), type_(std::move(type)) {}
    MoleculeType take() { return std::move(type_); }

    const std::string& name() const { return type_.name; }
    Origin origin() const { return origin_; }
    bool has_atoms() const { return !type_.atoms.empty(); }

    /// One line of a directive of Section::molecule. `leap_order`: impropers are to be looked up in the order of
    /// AmberTools' LEaP, which is refused where it matters.
    void read(Directive directive, Fields fields, Origin origin, bool leap_order);
    /// Something mdsim cannot compute. It is a problem only where the molecule is used: force fields come with many
    /// molecules that a system does not have. Each `what` is told once.
    void refuse(Origin origin, std::string what, std::string why);

    /// What was refused goes to the report.
    void report_refused() const;
    /// The molecule type with its exclusions; atom types are numbers of Tables::atom_types(), grids of CMAPs those of
    /// Tables::cmap_types().
    MoleculeType finish();

  private:
    struct Refused {
        Origin origin;
        std::string code, what, why;
    };
    /// A line of [ bonds ], [ angles ] ... taken apart.
    struct Term {
        Directive directive;
        const Function* function;
        std::array<int, 4> atoms;
        Fields parameters;
        Origin origin;
        bool leap_order;
    };

    /// What is still to be checked of an atom once all lines are read.
    struct AtomSource {
        Origin origin;
        char particle;  ///< as in AtomType
    };

    void read_atom(Fields fields, Origin origin);
    std::optional<int> read_site_atom(Directive directive, std::string_view field, Origin origin);
    void read_virtual_site(Directive directive, Fields fields, Origin origin);
    std::optional<std::array<double, 3>> read_site_parameters(Directive directive, int function, std::size_t count,
                                                              Fields given, Origin origin);
    void read_site_of_many(Fields fields, Origin origin);
    void add_site(VirtualSite site, Origin origin);
    void check_sites();
    bool read_residue(std::string_view number, std::string_view name, Origin origin);
    void check_particle(const AtomType& type, const Atom& atom, Origin origin);
    void add_refused(Refused refused);
    void read_state_b(Fields fields, const Atom& atom, Origin origin);
    void read_exclusions(Fields fields, Origin origin);
    void read_term(Directive directive, Fields fields, Origin origin, bool leap_order);
    void read_cmap(Fields fields, Origin origin);
    bool read_atoms(Directive directive, Fields fields, Origin origin, std::span<int> atoms);
    bool types_known(std::span<const int> atoms) const;

    void add_term(const Term& term);
    void add_pair(const Term& term);
    void add_settle(const Term& term, const Values& values);
    void add_two_atom_term(const Term& term, const Values& values);
    void add_angle(const Term& term, const Values& values);
    void add_dihedral(const Term& term, const Values& values);
    void add_periodic(const Term& term, const Values& values);
    /// Of the forms that few force fields have (TwoAtomForm and so on); false where the term is of another one.
    void add_distance_restraint(const Term& term, const Values& values);
    bool add_rare_form(const Term& term, const Values& values);
    bool add_rare_bond(const Term& term, const Values& values);
    bool add_rare_angle(const Term& term, const Values& values);
    bool add_rare_dihedral(const Term& term, const Values& values);
    std::vector<Values> parameters_from_tables(const Term& term);

    Origin origin_;
    const Tables& tables_;
    Report& report_;
    MoleculeType type_;
    std::vector<AtomSource> atom_sources_;
    int exclusion_bonds_ = 0;  // nrexcl
    std::vector<Exclusion> chemical_bonds_;
    std::vector<Exclusion> explicit_exclusions_;
    std::vector<int> distance_restraints_;  // their numbers
    std::vector<Refused> refused_;
};

}  // namespace mdsim::gromacs
