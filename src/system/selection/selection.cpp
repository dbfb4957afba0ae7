// SPDX-License-Identifier: Apache-2.0
#include "system/selection/selection.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/error.h"
#include "system/geometry/neighbour_grid.h"
#include "system/molecules/numbered_molecules.h"
#include "system/preparation/elements.h"
#include "system/selection/program.h"
#include "system/selection/residue_names.h"
#include "system/selection/words.h"

namespace mdsim {

namespace {

using selection::matches;
using selection::Op;
using selection::Span;
using selection::Step;
using selection::Word;
using Mask = std::vector<char>;  // by atom

bool any_matches(const std::vector<Word>& patterns, std::string_view text) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const Word& p) { return matches(p.text, text); });
}

bool in_spans(const std::vector<Span>& spans, std::int64_t value) {
    return std::any_of(spans.begin(), spans.end(), [&](const Span& s) { return value >= s.first && value <= s.last; });
}

bool is_backbone_name(std::string_view name) {
    return name == "N" || name == "CA" || name == "C" || name == "O";
}

bool is_water_molecule(const MoleculeType& type) {
    if (type.size() != 3) return false;
    const auto count = [&](int element) {
        return std::count_if(type.atoms.begin(), type.atoms.end(), [&](const Atom& a) { return a.element == element; });
    };
    return count(8) == 1 && count(1) == 2;
}

using Copy = NumberedMolecule;

const std::string& chain_of(const Copy& copy, const Residue& residue) {
    return residue.chain.empty() ? copy.chain : residue.chain;
}

const Residue& residue_of(const MoleculeType& type, const Atom& atom) {
    return type.residues[static_cast<std::size_t>(atom.residue)];
}

/// A selection's program evaluated step by step, each on all atoms.
class Evaluator {
  public:
    Evaluator(const Topology& topology, const Places* places)
        : topology_(topology), places_(places), atoms_(static_cast<std::size_t>(topology.atoms())) {}
    std::vector<AtomId> selected(const std::vector<Step>& program);

  private:
    const Topology& topology_;
    const Places* places_;  // null: there are none
    std::size_t atoms_;
    std::vector<Mask> stack_;

    void take(const Step& step);
    Mask leaf(const Step& step) const;
    Mask by_type(const Step& step) const;
    Mask by_residue(const std::function<bool(const Copy&, const Residue&)>& holds) const;
    Mask by_index(const Step& step) const;
    Mask within(const Step& step, const Mask& of) const;
    Mask whole_residues(const Mask& of) const;
    Mask whole_molecules(const Mask& of) const;
};

bool holds(const Step& step, const MoleculeType& type, const Atom& a) {
    const std::string& residue = residue_of(type, a).name;
    switch (step.op) {
        case Op::all:
            return true;
        case Op::protein:
            return is_protein_residue(residue);
        case Op::backbone:
            return is_backbone_name(a.name) && is_protein_residue(residue);
        case Op::water:
            return is_water_residue(residue) || is_water_molecule(type);
        case Op::ions:
            return a.charge != 0.0 && std::count_if(type.atoms.begin(), type.atoms.end(),
                                                    [&](const Atom& other) { return other.residue == a.residue; }) == 1;
        case Op::name:
            return any_matches(step.words, a.name);
        case Op::resname:
            return any_matches(step.words, residue);
        case Op::molecule:
            return any_matches(step.words, type.name);
        case Op::element:
            return std::any_of(step.words.begin(), step.words.end(),
                               [&](const Word& symbol) { return element_from_symbol(symbol.text) == a.element; });
        default:
            return false;
    }
}

// What is the same in all copies of a molecule.
Mask Evaluator::by_type(const Step& step) const {
    std::vector<Mask> of_types;
    for (const MoleculeType& type : topology_.types) {
        Mask& mask = of_types.emplace_back();
        for (const Atom& atom : type.atoms) mask.push_back(holds(step, type, atom) ? 1 : 0);
    }
    Mask mask(atoms_);
    topology_.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const Mask& of_type = of_types[static_cast<std::size_t>(&type - topology_.types.data())];
        std::copy(of_type.begin(), of_type.end(), mask.begin() + first);
    });
    return mask;
}

Mask Evaluator::by_residue(const std::function<bool(const Copy&, const Residue&)>& holds) const {
    Mask mask(atoms_), of_residues;
    for_each_numbered_molecule(topology_, [&](const Copy& copy) {
        of_residues.clear();
        for (const Residue& residue : copy.type.residues) of_residues.push_back(holds(copy, residue) ? 1 : 0);
        for (std::size_t a = 0; a < copy.type.atoms.size(); ++a)
            mask[copy.first + a] = of_residues[static_cast<std::size_t>(copy.type.atoms[a].residue)];
    });
    return mask;
}

Mask Evaluator::by_index(const Step& step) const {
    Mask mask(atoms_);
    const auto last = static_cast<std::int64_t>(atoms_);
    for (const Span& span : step.spans) {
        for (std::int64_t i = std::max<std::int64_t>(span.first, 1); i <= std::min(span.last, last); ++i)
            mask[static_cast<std::size_t>(i - 1)] = 1;
    }
    return mask;
}

Mask Evaluator::within(const Step& step, const Mask& of) const {
    if (places_ == nullptr)
        throw SelectionError(step.column, "'within' needs positions, and here there are none",
                             "select by names or numbers here");
    std::vector<Vec3d> near;
    for (std::size_t i = 0; i < atoms_; ++i) {
        if (of[i]) near.push_back(places_->x[i]);
    }
    if (near.empty()) return of;
    // Farther than that are no two atoms in a periodic box.
    const Mat3d& rows = places_->box.rows();
    if (places_->box.periodic() && step.distance >= norm(rows[0]) + norm(rows[1]) + norm(rows[2]))
        return Mask(atoms_, 1);
    const NeighbourGrid grid(places_->box, near, step.distance);
    Mask mask = of;
    for (std::size_t i = 0; i < atoms_; ++i) {
        if (!mask[i]) mask[i] = grid.any(places_->x[i]) ? 1 : 0;
    }
    return mask;
}

Mask Evaluator::whole_residues(const Mask& of) const {
    Mask mask(atoms_), touched;
    topology_.for_each_molecule([&](const MoleculeType& type, std::int64_t first_atom, std::int64_t) {
        const auto first = static_cast<std::size_t>(first_atom);
        touched.assign(type.residues.size(), 0);
        for (std::size_t a = 0; a < type.atoms.size(); ++a)
            touched[static_cast<std::size_t>(type.atoms[a].residue)] |= of[first + a];
        for (std::size_t a = 0; a < type.atoms.size(); ++a)
            mask[first + a] = touched[static_cast<std::size_t>(type.atoms[a].residue)];
    });
    return mask;
}

Mask Evaluator::whole_molecules(const Mask& of) const {
    Mask mask(atoms_);
    topology_.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const bool touched =
            std::find(of.begin() + first, of.begin() + first + type.size(), 1) != of.begin() + first + type.size();
        std::fill_n(mask.begin() + first, type.size(), touched ? 1 : 0);
    });
    return mask;
}

Mask Evaluator::leaf(const Step& step) const {
    switch (step.op) {
        case Op::index:
            return by_index(step);
        case Op::resid:
            return by_residue([&](const Copy& copy, const Residue& residue) {
                return in_spans(step.spans, residue.number + copy.residue_shift);
            });
        case Op::chain:
            return by_residue([&](const Copy& copy, const Residue& residue) {
                return any_matches(step.words, chain_of(copy, residue));
            });
        default:
            return by_type(step);
    }
}

void Evaluator::take(const Step& step) {
    switch (step.op) {
        case Op::op_not:
            for (char& chosen : stack_.back()) chosen ^= 1;
            return;
        case Op::op_and:
        case Op::op_or: {
            const Mask right = std::move(stack_.back());
            stack_.pop_back();
            Mask& left = stack_.back();
            for (std::size_t i = 0; i < atoms_; ++i) {
                left[i] = static_cast<char>(step.op == Op::op_and ? left[i] & right[i] : left[i] | right[i]);
            }
            return;
        }
        case Op::within:
            stack_.back() = within(step, stack_.back());
            return;
        case Op::same_residue:
            stack_.back() = whole_residues(stack_.back());
            return;
        case Op::same_molecule:
            stack_.back() = whole_molecules(stack_.back());
            return;
        default:
            stack_.push_back(leaf(step));
    }
}

std::vector<AtomId> Evaluator::selected(const std::vector<Step>& program) {
    for (const Step& step : program) take(step);
    std::vector<AtomId> atoms;
    for (std::size_t i = 0; i < atoms_; ++i) {
        if (stack_.back()[i]) atoms.push_back(AtomId{static_cast<std::int64_t>(i)});
    }
    return atoms;
}

}  // namespace

std::vector<AtomId> select(std::string_view text, const Topology& topology) {
    return Evaluator(topology, nullptr).selected(selection::parse(text));
}

std::vector<AtomId> select(std::string_view text, const Topology& topology, const Places& places) {
    MDSIM_EXPECT(places.x.size() == static_cast<std::size_t>(topology.atoms()));
    return Evaluator(topology, &places).selected(selection::parse(text));
}

bool needs_places(std::string_view text) {
    const std::vector<Step> program = selection::parse(text);
    return std::any_of(program.begin(), program.end(), [](const Step& step) { return step.op == Op::within; });
}

void check_selection(std::string_view text) {
    selection::parse(text);
}

}  // namespace mdsim
