// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/system/intermolecular.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/topology/gromacs/fields.h"
#include "io/topology/gromacs/molecule.h"
#include "system/molecules/term_atoms.h"

namespace mdsim::gromacs {

namespace {

/// Atoms first .. end - 1 of the system become one molecule.
struct Span {
    std::int64_t first, end;
};

/// A molecule behind the atoms of another one.
void append(MoleculeType& to, const MoleculeType& from) {
    const int atoms = to.size(), residues = static_cast<int>(to.residues.size());
    const auto append_terms = [&](auto& list, const auto& more) {
        for (auto term : more) {
            for_each_atom(term, [&](int& i) { i += atoms; });
            list.push_back(term);
        }
    };
    for_each_kind([&](auto list, std::size_t) { append_terms(to.*list, from.*list); });
    append_terms(to.constraints, from.constraints);
    append_terms(to.settles, from.settles);
    append_terms(to.virtual_sites, from.virtual_sites);
    append_terms(to.connections, from.connections);
    for (Atom atom : from.atoms) {
        atom.residue += residues;
        to.atoms.push_back(std::move(atom));
    }
    to.residues.insert(to.residues.end(), from.residues.begin(), from.residues.end());
    to.name += (to.name.empty() ? "" : "+") + from.name;
}

/// The molecules that each range of atoms touches, where ranges overlap all of them together; ascending.
std::vector<Span> spans_of(const Topology& topology, std::vector<Span> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
    std::vector<Span> spans;
    std::size_t next = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const std::int64_t end = first + type.size();
        bool touched = !spans.empty() && first < spans.back().end;
        if (!touched && next < ranges.size() && ranges[next].first < end) {
            spans.push_back({first, end});
            touched = true;
        }
        if (!touched) return;
        spans.back().end = std::max(spans.back().end, end);
        for (; next < ranges.size() && ranges[next].first < end; ++next) {
            spans.back().end = std::max(spans.back().end, ranges[next].end);
        }
    });
    return spans;
}

void drop_unused_types(Topology& topology) {
    std::vector<int> number(topology.types.size(), -1);
    for (const MoleculeBlock& block : topology.blocks) number[static_cast<std::size_t>(block.type)] = 0;
    std::vector<MoleculeType> used;
    for (std::size_t t = 0; t < number.size(); ++t) {
        if (number[t] < 0) continue;
        number[t] = static_cast<int>(used.size());
        used.push_back(std::move(topology.types[t]));
    }
    for (MoleculeBlock& block : topology.blocks) block.type = number[static_cast<std::size_t>(block.type)];
    topology.types = std::move(used);
}

/// The same system with a type of its own for each span; these types are the last ones.
void merge(Topology& topology, const std::vector<Span>& spans) {
    const auto types = static_cast<int>(topology.types.size());
    std::vector<MoleculeType> merged(spans.size());
    std::vector<MoleculeBlock> blocks;
    std::size_t at = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        while (at < spans.size() && first >= spans[at].end) ++at;
        const bool inside = at < spans.size() && first >= spans[at].first;
        const int number = inside ? types + static_cast<int>(at) : static_cast<int>(&type - topology.types.data());
        if (inside) append(merged[at], type);
        if (inside ? merged[at].size() == type.size() : blocks.empty() || blocks.back().type != number) {
            blocks.push_back({number, 0});
        }
        if (!inside || merged[at].size() == type.size()) ++blocks.back().count;
    });
    topology.blocks = std::move(blocks);
    topology.types.insert(topology.types.end(), std::make_move_iterator(merged.begin()),
                          std::make_move_iterator(merged.end()));
    drop_unused_types(topology);
}

}  // namespace

bool Intermolecular::takes(Directive directive) {
    switch (directive) {
        case Directive::bonds:
        case Directive::angles:
        case Directive::dihedrals:
        case Directive::pairs:
        case Directive::pairs_nb:
        case Directive::angle_restraints:
        case Directive::angle_restraints_z:
        case Directive::dihedral_restraints:
        case Directive::distance_restraints:
            return true;
        default:
            return false;
    }
}

void Intermolecular::add(Directive directive, Fields fields, Origin origin) {
    lines_.push_back({directive, {fields.begin(), fields.end()}, origin, 0, 0});
}

std::vector<Intermolecular::Line> Intermolecular::read(std::int64_t atoms, Report& report) const {
    std::vector<Line> lines;
    for (Line line : lines_) {
        const auto count = static_cast<std::size_t>(atoms_of(line.directive));
        bool good = line.fields.size() >= count;
        line.lowest = atoms;
        line.highest = -1;
        for (std::size_t k = 0; good && k < count; ++k) {
            const auto number = to_integer(line.fields[k]);
            good = number && *number >= 1 && *number <= atoms;
            line.lowest = std::min(line.lowest, static_cast<std::int64_t>(number.value_or(0)) - 1);
            line.highest = std::max(line.highest, static_cast<std::int64_t>(number.value_or(0)) - 1);
        }
        if (good) {
            lines.push_back(std::move(line));
        } else {
            report.add(line.origin, "MD224",
                       fmt::format("[ {} ] in [ intermolecular_interactions ]: expected {} numbers of the {} atoms of "
                                   "the system",
                                   name_of(line.directive), count, atoms));
        }
    }
    return lines;
}

void Intermolecular::apply(Topology& topology, const Tables& tables, Report& report) const {
    const std::vector<Line> lines = read(topology.atoms(), report);
    if (lines.empty()) return;
    std::vector<Span> ranges;
    for (const Line& line : lines) ranges.push_back({line.lowest, line.highest + 1});
    const std::vector<Span> spans = spans_of(topology, std::move(ranges));
    merge(topology, spans);
    MoleculeType* const merged = &topology.types[topology.types.size() - spans.size()];
    for (std::size_t s = 0; s < spans.size(); ++s) {
        Molecule molecule(std::move(merged[s]), lines.front().origin, tables, report);
        for (const Line& line : lines) {
            if (line.lowest < spans[s].first || line.highest >= spans[s].end) continue;
            std::vector<std::string> text = line.fields;
            for (std::size_t k = 0; k < static_cast<std::size_t>(atoms_of(line.directive)); ++k) {
                text[k] = std::to_string(*to_integer(text[k]) - spans[s].first);
            }
            const std::vector<std::string_view> fields(text.begin(), text.end());
            molecule.read(line.directive, fields, line.origin, false);
        }
        molecule.report_refused();
        merged[s] = molecule.take();
    }
}

}  // namespace mdsim::gromacs
