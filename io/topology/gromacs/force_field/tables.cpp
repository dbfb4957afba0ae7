// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/force_field/tables.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "io/topology/gromacs/fields.h"

namespace mdsim::gromacs {

namespace {

bool is_letter(std::string_view text) {
    return text.size() == 1 && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
}

/// 1, 2, 3 or GROMACS' own words for them; 0 for anything else.
int combination_rule(std::string_view text) {
    if (text == "1" || same_name(text, "Geometric")) return 1;
    if (text == "2" || same_name(text, "Arithmetic")) return 2;
    if (text == "3" || same_name(text, "GeomSigEps")) return 3;
    return 0;
}

}  // namespace

void Tables::read(Directive directive, Fields fields, Origin origin) {
    switch (directive) {
        case Directive::defaults:
            read_defaults(fields, origin);
            break;
        case Directive::atomtypes:
            read_atom_type(fields, origin);
            break;
        case Directive::pairtypes:
        case Directive::nonbond_params:
            read_pair(directive, fields, origin);
            break;
        case Directive::cmaptypes:
            cmap_types_.read(fields, origin, bonded_numbers_, report_);
            break;
        default:
            read_bonded(directive, fields, origin);
            break;
    }
}

int Tables::find_atom_type(std::string_view name) const {
    const auto found = type_numbers_.find(std::string(name));
    return found == type_numbers_.end() ? -1 : found->second;
}

void Tables::read_defaults(Fields fields, Origin origin) {
    if (defaults_) {
        report_.add(origin, "MD227", "a second [ defaults ]",
                    fmt::format("the first is at {}", report_.describe(defaults_->origin)),
                    "include one force field only");
        return;
    }
    Defaults out{.origin = origin};
    out.combination_rule = fields.size() > 1 ? combination_rule(fields[1]) : 0;
    if (out.combination_rule == 0) {
        report_.add(origin, "MD224", "[ defaults ]: the combination rule (second number) must be 1, 2 or 3");
    }
    if (fields.front() != "1" && !same_name(fields.front(), "LJ")) {
        report_.add(origin, "MD229",
                    fmt::format("[ defaults ]: the non-bonded function {} is not supported", fields.front()),
                    "function 2 is Buckingham's; mdsim computes Lennard-Jones (1)");
    }
    if (fields.size() > 2) out.generate_pairs = fields[2].front() == 'y' || fields[2].front() == 'Y';
    for (std::size_t i = 3; i < std::min<std::size_t>(fields.size(), 5); ++i) {
        const auto value = to_number(fields[i]);
        if (!value) report_.add(origin, "MD224", fmt::format("[ defaults ]: \"{}\" is not a number", fields[i]));
        (i == 3 ? out.fudge_lj : out.fudge_qq) = value.value_or(1.0);
    }
    if (fields.size() > 5 && to_number(fields[5]) != 12.0) {
        report_.add(origin, "MD229", fmt::format("[ defaults ]: a repulsion power of {} is not supported", fields[5]),
                    "mdsim computes 12-6 Lennard-Jones");
    }
    defaults_ = out;
}

void Tables::read_atom_type(Fields fields, Origin origin) {
    // name [bonded type] [atomic number] mass charge particle v w; which of the optional ones are there shows where
    // the particle, a single letter, stands (manual 2022, section "Atom types").
    std::size_t particle = 0;
    for (const std::size_t candidate : {5, 3, 4}) {
        if (particle == 0 && fields.size() > candidate && is_letter(fields[candidate])) particle = candidate;
    }
    const auto number = [&](std::size_t i) { return i < fields.size() ? to_number(fields[i]) : std::nullopt; };
    const auto mass = number(particle - 2), charge = number(particle - 1);
    const auto v = number(particle + 1), w = number(particle + 2);
    if (particle == 0 || !mass || !charge || !v || !w || fields.size() != particle + 3) {
        report_.add(origin, "MD224",
                    "[ atomtypes ]: expected name [bonded type] [atomic number] mass charge particle-type and two "
                    "Lennard-Jones parameters");
        return;
    }
    AtomType type{.name = std::string(fields[0]),
                  .mass = *mass,
                  .charge = *charge,
                  .particle = static_cast<char>(std::toupper(static_cast<unsigned char>(fields[particle].front()))),
                  .lj = {*v, *w},
                  .origin = origin};
    std::string_view bonded_name = fields[0];
    std::optional<int> element = 0;
    if (particle == 5) {
        bonded_name = fields[1];
        element = to_integer(fields[2]);
    } else if (particle == 4) {
        element = to_integer(fields[1]);
        if (!element) bonded_name = fields[1];
    }
    if (!element && particle == 5) {
        report_.add(origin, "MD224", fmt::format("[ atomtypes ]: \"{}\" is no atomic number", fields[2]));
    }
    type.element = std::max(element.value_or(0), 0);
    add_atom_type(std::move(type), bonded_name);
}

void Tables::add_atom_type(AtomType type, std::string_view bonded_name) {
    const auto next = static_cast<int>(bonded_numbers_.size());
    type.bonded = bonded_numbers_.try_emplace(std::string(bonded_name), next).first->second;
    const auto [place, is_new] = type_numbers_.try_emplace(type.name, static_cast<int>(atom_types_.size()));
    if (is_new) {
        atom_types_.push_back(std::move(type));
        return;
    }
    const AtomType& old = atom_types_[static_cast<std::size_t>(place->second)];
    const bool same = old.bonded == type.bonded && old.mass == type.mass && old.charge == type.charge &&
                      old.particle == type.particle && old.lj == type.lj;
    if (!same) {
        report_.add(type.origin, "MD227", fmt::format("[ atomtypes ]: \"{}\" is defined a second time", type.name),
                    fmt::format("other values stand at {}", report_.describe(old.origin)), "keep one of the two");
    }
}

bool Tables::resolve(Directive directive, const TypeLine& line, Origin origin, BondedTypes& out) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(line.atoms); ++i) {
        const auto found = bonded_numbers_.find(std::string(line.names[i]));
        if (directive == Directive::dihedraltypes && line.names[i] == "X") {
            out[i] = -1;
        } else if (found != bonded_numbers_.end()) {
            out[i] = found->second;
        } else {
            report_.add(
                origin, "MD226",
                fmt::format("[ {} ]: \"{}\" is no bonded type of [ atomtypes ]", name_of(directive), line.names[i]));
            return false;
        }
    }
    return true;
}

void Tables::read_bonded(Directive directive, Fields fields, Origin origin) {
    const auto line = split_type_line(directive, fields);
    if (!line) {
        const int atoms = atoms_of(directive);
        report_.add(origin, "MD224",
                    fmt::format("[ {} ]: expected {} bonded types, a function number and parameters",
                                name_of(directive), atoms == 4 ? "4 (or 2)" : std::to_string(atoms)));
        return;
    }
    const Function* function = find_function(directive, line->function);
    if (function == nullptr) {
        report_.add(origin, "MD225", fmt::format("[ {} ]: unknown function {}", name_of(directive), line->function));
        return;
    }
    // An entry of a function that mdsim lacks has no effect here; the molecule that uses the function is refused.
    if (function->kind == Kind::unsupported) return;
    BondedParameters entry{.origin = origin};
    const auto values = read_parameters(directive, *function, line->values, origin, report_);
    if (!values || !resolve(directive, *line, origin, entry.types)) return;
    entry.values = *values;
    const bool adds = directive == Directive::dihedraltypes && line->function == 9;
    bonded_.try_emplace(function->kind, line->atoms)
        .first->second.add(entry, adds ? BondedTable::Repeat::adds : BondedTable::Repeat::replaces, report_);
}

std::span<const BondedParameters> Tables::find(Kind kind, const BondedTypes& types) const {
    const auto table = bonded_.find(kind);
    return table == bonded_.end() ? std::span<const BondedParameters>{} : table->second.find(types);
}

void Tables::read_pair(Directive directive, Fields fields, Origin origin) {
    const auto number = fields.size() > 2 ? to_integer(fields[2]) : std::nullopt;
    if (number != 1) {
        report_.add(origin, number ? "MD229" : "MD224",
                    fmt::format("[ {} ]: expected two atom types, function 1 and two parameters", name_of(directive)));
        return;
    }
    const auto values =
        read_parameters(directive, *find_function(Directive::pairs, 1), fields.subspan(3), origin, report_);
    std::array<int, 2> key{find_atom_type(fields[0]), find_atom_type(fields[1])};
    for (std::size_t i = 0; i < 2; ++i) {
        if (key[i] >= 0) continue;
        report_.add(origin, "MD226", fmt::format("[ {} ]: unknown atom type \"{}\"", name_of(directive), fields[i]));
    }
    if (!values || key[0] < 0 || key[1] < 0) return;
    std::sort(key.begin(), key.end());
    // As in GROMACS, a later line for the same pair counts.
    (directive == Directive::pairtypes ? pairs_ : nonbonded_)[key] = {(*values)[0], (*values)[1]};
}

}  // namespace mdsim::gromacs
