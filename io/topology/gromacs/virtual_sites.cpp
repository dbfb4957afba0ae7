// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/topology/gromacs/fields.h"
#include "io/topology/gromacs/molecule.h"

namespace mdsim::gromacs {

namespace {

/// A function of [ virtual_sitesN ]. GROMACS Reference Manual 2022, "Virtual sites" in the chapter of topologies.
struct SiteForm {
    Directive directive;
    int number;
    int parents, parameters;
};
constexpr std::array forms{
    SiteForm{Directive::virtual_sites1, 1, 1, 0}, SiteForm{Directive::virtual_sites2, 1, 2, 1},
    SiteForm{Directive::virtual_sites2, 2, 2, 1}, SiteForm{Directive::virtual_sites3, 1, 3, 2},
    SiteForm{Directive::virtual_sites3, 2, 3, 2}, SiteForm{Directive::virtual_sites3, 3, 3, 2},
    SiteForm{Directive::virtual_sites3, 4, 3, 3}, SiteForm{Directive::virtual_sites4, 1, 4, 3},
    SiteForm{Directive::virtual_sites4, 2, 4, 3},
};

/// Kind and parameters by the numbers as the file gives them.
void fill(const SiteForm& form, const std::array<double, 3>& given, VirtualSite& site) {
    const auto [a, b, c] = given;
    const auto set = [&](SiteKind kind, std::vector<double> parameters) {
        site.kind = kind;
        site.parameters = std::move(parameters);
    };
    const int key = 10 * form.parents + form.number;
    const double theta = a * units::pi / 180.0;  // of 3fad
    switch (key) {
        case 11:
            return set(SiteKind::weighted, {1.0});
        case 21:
            return set(SiteKind::weighted, {1.0 - a, a});
        case 22:
            return set(SiteKind::along, {a, 1.0});
        case 31:
            return set(SiteKind::weighted, {1.0 - a - b, a, b});
        case 32:
            return set(SiteKind::along, {b, 1.0 - a, a});
        case 33:
            return set(SiteKind::angle, {b * std::cos(theta), b * std::sin(theta)});
        case 34:
            return set(SiteKind::out_of_plane, {a, b, c});
        case 41:
            return set(SiteKind::along, {c, 1.0 - a - b, a, b});
        default:
            return set(SiteKind::normal, {c, a, b});
    }
}

}  // namespace

std::optional<int> Molecule::read_site_atom(Directive directive, std::string_view field, Origin origin) {
    const auto number = to_integer(field);
    if (number && *number >= 1 && *number <= type_.size()) return *number - 1;
    report_.add(origin, "MD224",
                fmt::format("[ {} ]: \"{}\" is not one of the {} atoms of {}", name_of(directive), field, type_.size(),
                            type_.name),
                "", "check that the directive stands below the right [ moleculetype ]");
    return std::nullopt;
}

void Molecule::read_virtual_site(Directive directive, Fields fields, Origin origin) {
    if (directive == Directive::virtual_sitesn) return read_site_of_many(fields, origin);
    const auto first =
        std::find_if(forms.begin(), forms.end(), [&](const SiteForm& form) { return form.directive == directive; });
    const auto atoms = static_cast<std::size_t>(first->parents) + 1;
    if (fields.size() <= atoms) {
        report_.add(origin, "MD224",
                    fmt::format("[ {} ]: expected {} atom numbers and a function", name_of(directive), atoms));
        return;
    }
    const auto number = to_integer(fields[atoms]);
    const auto form = std::find_if(forms.begin(), forms.end(), [&](const SiteForm& f) {
        return f.directive == directive && number && f.number == *number;
    });
    if (form == forms.end()) {
        report_.add(origin, "MD225", fmt::format("[ {} ]: unknown function \"{}\"", name_of(directive), fields[atoms]));
        return;
    }
    VirtualSite site{};
    for (std::size_t k = 0; k < atoms; ++k) {
        const auto atom = read_site_atom(directive, fields[k], origin);
        if (!atom) return;
        if (k == 0) site.i = *atom;
        if (k > 0) site.parents.push_back(*atom);
    }
    const auto values = read_site_parameters(directive, form->number, static_cast<std::size_t>(form->parameters),
                                             fields.subspan(atoms + 1), origin);
    if (!values) return;
    fill(*form, *values, site);
    add_site(std::move(site), origin);
}

std::optional<std::array<double, 3>> Molecule::read_site_parameters(Directive directive, int function,
                                                                    std::size_t count, Fields given, Origin origin) {
    if (given.empty() && count > 0) {
        refuse(origin, fmt::format("[ {} ]: virtual sites without parameters are not supported", name_of(directive)),
               "mdsim does not work them out from the bonds and angles of the force field, as grompp does");
        return std::nullopt;
    }
    if (given.size() != count) {
        report_.add(origin, "MD224",
                    fmt::format("[ {} ]: {} parameters for function {}, which has {}", name_of(directive), given.size(),
                                function, count));
        return std::nullopt;
    }
    std::array<double, 3> values{};
    for (std::size_t n = 0; n < given.size(); ++n) {
        const auto value = to_number(given[n]);
        if (!value) {
            report_.add(origin, "MD224", fmt::format("[ {} ]: \"{}\" is not a number", name_of(directive), given[n]));
            return std::nullopt;
        }
        values[n] = *value;
    }
    return values;
}

// Site, function, parents: 1 centre of geometry, 2 centre of mass, 3 weights behind the atoms they belong to.
void Molecule::read_site_of_many(Fields fields, Origin origin) {
    const auto number = fields.size() > 1 ? to_integer(fields[1]) : std::nullopt;
    const std::size_t stride = number == 3 ? 2 : 1;
    if (!number || *number < 1 || *number > 3 || fields.size() < 2 + stride || (fields.size() - 2) % stride != 0) {
        report_.add(origin, "MD224", "[ virtual_sitesn ]: expected the site, a function from 1 to 3 and atom numbers",
                    "with function 3 each atom number is followed by its weight");
        return;
    }
    const auto site = read_site_atom(Directive::virtual_sitesn, fields[0], origin);
    if (!site) return;
    VirtualSite out{*site, SiteKind::weighted, {}, {}};
    double total = 0.0;
    for (std::size_t at = 2; at < fields.size(); at += stride) {
        const auto atom = read_site_atom(Directive::virtual_sitesn, fields[at], origin);
        const auto given = stride == 2 ? to_number(fields[at + 1]) : std::optional<double>(1.0);
        if (!atom || !given) {
            if (!given)
                report_.add(origin, "MD224", fmt::format("[ virtual_sitesn ]: \"{}\" is no weight", fields[at + 1]));
            return;
        }
        const double weight = *number == 2 ? type_.atoms[static_cast<std::size_t>(*atom)].mass : *given;
        total += weight;
        const auto known = std::find(out.parents.begin(), out.parents.end(), *atom);
        if (known != out.parents.end()) {
            out.parameters[static_cast<std::size_t>(known - out.parents.begin())] += weight;
        } else {
            out.parents.push_back(*atom);
            out.parameters.push_back(weight);
        }
    }
    if (!(std::abs(total) > 0.0)) {
        report_.add(origin, "MD224", "[ virtual_sitesn ]: the weights sum to nothing");
        return;
    }
    for (double& weight : out.parameters) weight /= total;
    add_site(std::move(out), origin);
}

void Molecule::add_site(VirtualSite site, Origin origin) {
    const auto named = [&](int atom) { return std::count(site.parents.begin(), site.parents.end(), atom); };
    for (const int parent : site.parents) {
        if (parent != site.i && named(parent) == 1) continue;
        report_.add(origin, "MD224", fmt::format("a virtual site for which atom {} is named twice", parent + 1));
        return;
    }
    const auto known = std::find_if(type_.virtual_sites.begin(), type_.virtual_sites.end(),
                                    [&](const VirtualSite& other) { return other.i == site.i; });
    if (known != type_.virtual_sites.end()) {
        report_.add(origin, "MD227",
                    fmt::format("the virtual site {} of {} is made a second time", site.i + 1, type_.name));
        return;
    }
    type_.virtual_sites.push_back(std::move(site));
}

// What can be told only once all lines are read.
void Molecule::check_sites() {
    std::vector<bool> site(type_.atoms.size(), false);
    for (const VirtualSite& s : type_.virtual_sites) site[static_cast<std::size_t>(s.i)] = true;
    for (std::size_t i = 0; i < site.size(); ++i) {
        const Atom& atom = type_.atoms[i];
        const AtomSource& source = atom_sources_[i];
        if (site[i] && atom.mass != 0.0) {
            report_.add(
                source.origin, "MD228",
                fmt::format("[ atoms ]: the virtual site {} of {} has the mass {} u", atom.name, type_.name, atom.mass),
                "a virtual site moves with the atoms that it is made from", "give it the mass 0");
        } else if (!site[i] && (source.particle == 'V' || source.particle == 'D')) {
            report_.add(
                source.origin, "MD228",
                fmt::format("[ atoms ]: nothing says where the virtual site {} of {} is", atom.name, type_.name),
                fmt::format("the particle type of its atom type is {}", source.particle),
                "a line in [ virtual_sites1 ] ... [ virtual_sitesn ]");
        } else if (!site[i] && !(atom.mass > 0.0)) {
            report_.add(source.origin, "MD228",
                        fmt::format("[ atoms ]: the atom {} of {} has the mass {} u", atom.name, type_.name, atom.mass),
                        "an atom needs a positive mass in [ atoms ] or [ atomtypes ] to move");
        }
    }
    const auto fixed = [&](int i, int j) {
        return site[static_cast<std::size_t>(i)] || site[static_cast<std::size_t>(j)];
    };
    for (const Constraint& c : type_.constraints) {
        if (!fixed(c.i, c.j)) continue;
        report_.add(origin_, "MD229",
                    fmt::format("[ constraints ]: a fixed distance of {} between atoms {} and {}, of which one is a "
                                "virtual site, is not supported",
                                type_.name, c.i + 1, c.j + 1),
                    "where a site is follows from its parents alone");
    }
    if (const int wrong = put_in_order(type_.virtual_sites); wrong >= 0) {
        report_.add(
            atom_sources_[static_cast<std::size_t>(wrong)].origin, "MD224",
            fmt::format("the virtual site {} of {} is made, by way of others, from itself", wrong + 1, type_.name));
    }
}

}  // namespace mdsim::gromacs
