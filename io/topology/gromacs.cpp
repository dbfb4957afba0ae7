// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include <fmt/format.h>

#include "core/units.h"
#include "io/topology/gromacs/fields.h"
#include "io/topology/gromacs/molecule.h"
#include "io/topology/gromacs/preprocessor.h"
#include "io/topology/gromacs/system/intermolecular.h"

namespace mdsim {

namespace gromacs {

namespace {

/// Hands every line to the part that its directive belongs to, and puts the topology together at the end.
class Reader {
  public:
    Reader(const std::filesystem::path& file, const GromacsOptions& options)
        : preprocessor_(file, options, report_), tables_(report_) {}

    Topology read();

  private:
    struct Count {
        std::size_t molecule;  // into molecules_
        std::int64_t copies;
    };

    void change_directive(const Line& line);
    bool in_order(const DirectiveInfo& info, Origin origin);
    void data(const Line& line);
    void start_molecule(Fields fields, Origin origin);
    void read_molecule_line(Fields fields, Origin origin);
    void read_count(Fields fields, Origin origin);
    void refused();
    std::ptrdiff_t find_molecule(std::string_view name, Origin origin);
    Topology assemble();
    void number_types(Topology& topology);
    void number_cmap_grids(Topology& topology);
    void fill_lennard_jones(ForceField& field, const std::vector<int>& used);

    Report report_;
    Preprocessor preprocessor_;
    Tables tables_;
    std::deque<Molecule> molecules_;
    std::vector<Count> counts_;
    std::string title_;
    std::optional<DirectiveInfo> current_;
    Origin current_origin_;
    bool told_ = false;  // whether the directive at hand was refused already
    bool seen_system_ = false;
    std::optional<Intermolecular> between_;  // behind [ intermolecular_interactions ]
};

Topology Reader::read() {
    Line line;
    while (preprocessor_.next(line)) {
        if (line.text.front() == '[') {
            change_directive(line);
        } else {
            data(line);
        }
    }
    if (counts_.empty() && report_.empty()) {
        report_.add({}, "MD223", "no molecules: [ molecules ] is missing or empty",
                    "this may be a part of a topology (.itp), made to be included",
                    "name the .top that has [ system ] and [ molecules ]");
    }
    for (std::size_t m = 0; m < molecules_.size(); ++m) {
        const auto used = [m](const Count& count) { return count.molecule == m && count.copies > 0; };
        if (std::any_of(counts_.begin(), counts_.end(), used)) molecules_[m].report_refused();
    }
    report_.throw_if_any();
    Topology topology = assemble();
    report_.throw_if_any();
    return topology;
}

void Reader::change_directive(const Line& line) {
    const std::string_view text = line.text;
    const std::size_t end = text.find(']');
    const std::string_view name = trim(text.substr(1, end == std::string_view::npos ? end : end - 1));
    current_ = DirectiveInfo{"", Directive::none, Section::system, {}};
    current_origin_ = line.origin;
    told_ = false;
    if (end == std::string_view::npos || !trim(text.substr(end + 1)).empty()) {
        report_.add(line.origin, "MD223", fmt::format("\"{}\" is no directive: expected [ name ] alone", text), "",
                    "put comments behind a ;");
        return;
    }
    const auto info = find_directive(name);
    if (!info) {
        report_.add(line.origin, "MD223", fmt::format("[ {} ] is not a directive of GROMACS topologies", name), "",
                    fmt::format("did you mean [ {} ]?", nearest_directive(name)));
    } else if (between_) {
        if (Intermolecular::takes(info->directive)) {
            current_ = info;
        } else {
            report_.add(line.origin, "MD229",
                        fmt::format("[ {} ] in [ intermolecular_interactions ] is not supported", info->name),
                        "mdsim computes bonds, angles, dihedrals, pairs and restraints between molecules");
        }
    } else if (in_order(*info, line.origin)) {
        current_ = info;
        if (info->directive == Directive::intermolecular_interactions) between_.emplace();
    }
}

bool Reader::in_order(const DirectiveInfo& info, Origin origin) {
    std::string_view why;
    if (info.section == Section::force_field && !molecules_.empty()) {
        why = "the tables of the force field must stand before the first [ moleculetype ]";
    } else if (info.directive != Directive::defaults && info.directive != Directive::system && !tables_.defaults()) {
        why = "[ defaults ] must come first; it is in the force field's forcefield.itp";
    } else if (info.directive == Directive::moleculetype && tables_.atom_types().empty()) {
        why = "[ atomtypes ] must come before";
    } else if (info.section == Section::molecule && info.directive != Directive::moleculetype && molecules_.empty()) {
        why = "it describes a molecule and must stand below a [ moleculetype ]";
    } else if (info.section == Section::molecule && info.directive != Directive::moleculetype &&
               info.directive != Directive::atoms && !molecules_.back().has_atoms()) {
        why = "[ atoms ] of the molecule must come before";
    } else if (info.directive == Directive::molecules && !seen_system_) {
        why = "[ system ] must come before";
    } else if (info.directive == Directive::intermolecular_interactions && counts_.empty()) {
        why = "[ molecules ] must come before";
    } else if (info.section == Section::molecule && seen_system_) {
        why = "molecules are described before [ system ]";
    }
    seen_system_ = seen_system_ || info.directive == Directive::system;
    if (why.empty()) return true;
    report_.add(origin, "MD223", fmt::format("[ {} ] is out of place", info.name), std::string(why));
    return false;
}

void Reader::data(const Line& line) {
    const std::vector<std::string_view> fields = split(line.text);
    if (!current_) {
        // Force fields of CHARMM keep their heading: lines that begin with a star.
        if (line.text.front() == '*' || told_) return;
        report_.add(line.origin, "MD223", fmt::format("\"{}\" stands before the first [ directive ]", line.text),
                    "a topology begins with [ defaults ] or with #include of a force field");
        told_ = true;
        return;
    }
    if (between_ && Intermolecular::takes(current_->directive)) {
        return between_->add(current_->directive, fields, line.origin);
    }
    switch (current_->directive) {
        case Directive::none:
        case Directive::skipped:
            return;
        case Directive::refused:
            return refused();
        case Directive::moleculetype:
            return start_molecule(fields, line.origin);
        case Directive::system:
            title_ += (title_.empty() ? "" : " ") + line.text;
            return;
        case Directive::molecules:
            return read_count(fields, line.origin);
        case Directive::intermolecular_interactions:
            report_.add(line.origin, "MD223",
                        fmt::format("\"{}\" stands before a directive such as [ bonds ]", line.text));
            return;
        default:
            break;
    }
    if (current_->section == Section::force_field) return tables_.read(current_->directive, fields, line.origin);
    molecules_.back().read(current_->directive, fields, line.origin,
                           preprocessor_.defined("_FF_AMBER_LEAP_ATOM_REORDERING"));
}

void Reader::refused() {
    if (told_) return;
    told_ = true;
    molecules_.back().refuse(current_origin_, fmt::format("[ {} ] is not supported", current_->name),
                             std::string(current_->reason));
}

void Reader::start_molecule(Fields fields, Origin origin) {
    for (const Molecule& other : molecules_) {
        if (other.name() != fields.front()) continue;
        report_.add(origin, "MD227", fmt::format("[ moleculetype ]: \"{}\" is defined a second time", fields.front()),
                    fmt::format("the first is at {}", report_.describe(other.origin())), "keep one of the two");
        break;
    }
    if (told_) report_.add(origin, "MD224", "[ moleculetype ]: more than one line below it");
    told_ = true;
    molecules_.emplace_back(fields, origin, tables_, report_);
}

std::ptrdiff_t Reader::find_molecule(std::string_view name, Origin origin) {
    // The exact name first; without it a name that differs in case only, if there is just one (as in GROMACS).
    std::ptrdiff_t loose = -1;
    int matches = 0;
    const auto lower = [](std::string_view text) {
        std::string out;
        for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return out;
    };
    for (std::size_t m = 0; m < molecules_.size(); ++m) {
        if (molecules_[m].name() == name) return static_cast<std::ptrdiff_t>(m);
        if (lower(molecules_[m].name()) != lower(name)) continue;
        loose = static_cast<std::ptrdiff_t>(m);
        ++matches;
    }
    if (matches == 1) return loose;
    std::string names;
    for (const Molecule& molecule : molecules_) names += (names.empty() ? "" : ", ") + molecule.name();
    report_.add(origin, "MD231", fmt::format("[ molecules ]: no moleculetype called \"{}\"", name),
                "defined are: " + names, "include the .itp that defines it, or correct the name");
    return -1;
}

void Reader::read_count(Fields fields, Origin origin) {
    const auto copies = fields.size() == 2 ? to_integer(fields[1]) : std::nullopt;
    if (!copies || *copies < 0) {
        report_.add(origin, "MD224", "[ molecules ]: expected the name of a molecule and how many there are");
        return;
    }
    const std::ptrdiff_t molecule = find_molecule(fields[0], origin);
    if (molecule < 0) return;
    if (!molecules_[static_cast<std::size_t>(molecule)].has_atoms()) {
        report_.add(origin, "MD231", fmt::format("[ molecules ]: the molecule \"{}\" has no atoms", fields[0]));
    }
    counts_.push_back({static_cast<std::size_t>(molecule), *copies});
}

Topology Reader::assemble() {
    Topology topology;
    topology.title = title_;
    std::vector<int> number(molecules_.size(), -1);
    for (const Count& count : counts_) {
        if (count.copies == 0) continue;
        int& type = number[count.molecule];
        if (type < 0) {
            type = static_cast<int>(topology.types.size());
            topology.types.push_back(molecules_[count.molecule].finish());
        }
        topology.blocks.push_back({type, count.copies});
    }
    if (topology.blocks.empty()) report_.add({}, "MD223", "[ molecules ] has only molecules with a count of 0");
    if (between_) between_->apply(topology, tables_, report_);
    number_types(topology);
    number_cmap_grids(topology);
    return topology;
}

void Reader::number_types(Topology& topology) {
    ForceField& field = topology.force_field;
    field.source = ForceFieldSource::gromacs;
    field.coulomb_constant = units::coulomb_codata2018;
    std::vector<int> number(tables_.atom_types().size(), -1);
    std::vector<int> used;
    for (MoleculeType& molecule : topology.types) {
        for (Atom& atom : molecule.atoms) {
            const auto old = static_cast<std::size_t>(atom.type);
            if (number[old] < 0) {
                number[old] = static_cast<int>(used.size());
                used.push_back(atom.type);
                field.type_names.push_back(tables_.atom_types()[old].name);
            }
            atom.type = number[old];
        }
    }
    fill_lennard_jones(field, used);
}

// Of the grids of the force field those that are used.
void Reader::number_cmap_grids(Topology& topology) {
    std::vector<CmapGrid>& grids = topology.force_field.cmap_grids;
    std::map<int, int> number;
    for (MoleculeType& molecule : topology.types) {
        for (Cmap& cmap : molecule.cmaps) {
            const auto [place, is_new] = number.try_emplace(cmap.grid, static_cast<int>(grids.size()));
            if (is_new) grids.push_back(tables_.cmap_types().grid(cmap.grid));
            cmap.grid = place->second;
        }
    }
}

void Reader::fill_lennard_jones(ForceField& field, const std::vector<int>& used) {
    field.lj.reserve(used.size() * used.size());
    for (const int a : used) {
        for (const int b : used) {
            const LjParameters lj = tables_.lennard_jones(a, b);
            field.lj.push_back(lj);
            if (std::isfinite(lj.c6) && std::isfinite(lj.c12)) continue;
            const auto& types = tables_.atom_types();
            const AtomType& first = types[static_cast<std::size_t>(a)];
            report_.add(first.origin, "MD224",
                        fmt::format("[ atomtypes ]: the Lennard-Jones parameters of {} and {} cannot be combined",
                                    first.name, types[static_cast<std::size_t>(b)].name),
                        "a geometric mean needs numbers of the same sign", "give the pair in [ nonbond_params ]");
        }
    }
}

}  // namespace

}  // namespace gromacs

Topology read_gromacs_topology(const std::filesystem::path& file, const GromacsOptions& options) {
    return gromacs::Reader(file, options).read();
}

}  // namespace mdsim
