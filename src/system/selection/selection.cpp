// SPDX-License-Identifier: Apache-2.0
#include "system/selection/selection.h"

#include <algorithm>
#include <cstdint>

#include "system/preparation/elements.h"
#include "system/selection/program.h"
#include "system/selection/residue_names.h"

namespace mdsim {

namespace {

using selection::Op;
using selection::Span;
using selection::Step;

/// * stands for any letters, ? for one.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(p, text); });
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

/// A selection's program evaluated on one molecule type after the other.
class Evaluator {
  public:
    Evaluator(const std::vector<Step>& program, const Topology& topology);
    std::vector<AtomId> selected();

  private:
    using Mask = std::vector<char>;

    const std::vector<Step>& program_;
    const Topology& topology_;
    bool per_copy_ = false;                         ///< resid or index: differs between copies of a molecule
    std::vector<std::vector<Mask>> leaves_;         ///< by type and step; empty masks where a leaf is per copy
    std::vector<Mask> whole_;                       ///< by type: the result, where no leaf is per copy
    std::vector<std::int64_t> first_residue_seen_;  ///< by type: number of residues before its first copy, -1 before

    Mask leaf_mask(const Step& step, const MoleculeType& type) const;
    bool leaf_value(const Step& step, const MoleculeType& type, std::size_t atom) const;
    bool evaluate(int type, std::size_t atom, std::int64_t index, std::int64_t residue_shift, Mask& stack) const;
};

Evaluator::Evaluator(const std::vector<Step>& program, const Topology& topology)
    : program_(program), topology_(topology) {
    for (const Step& step : program_) per_copy_ = per_copy_ || step.op == Op::resid || step.op == Op::index;
    first_residue_seen_.assign(topology.types.size(), -1);
    Mask stack;
    for (std::size_t t = 0; t < topology.types.size(); ++t) {
        const MoleculeType& type = topology.types[t];
        std::vector<Mask> masks;
        for (const Step& step : program_) masks.push_back(leaf_mask(step, type));
        leaves_.push_back(std::move(masks));
        whole_.emplace_back();
        if (per_copy_) continue;
        for (std::size_t a = 0; a < type.atoms.size(); ++a) {
            whole_[t].push_back(evaluate(static_cast<int>(t), a, 0, 0, stack) ? 1 : 0);
        }
    }
}

Evaluator::Mask Evaluator::leaf_mask(const Step& step, const MoleculeType& type) const {
    switch (step.op) {
        case Op::resid:
        case Op::index:
        case Op::op_not:
        case Op::op_and:
        case Op::op_or:
            return {};
        default:
            break;
    }
    Mask mask(type.atoms.size());
    for (std::size_t a = 0; a < mask.size(); ++a) mask[a] = leaf_value(step, type, a) ? 1 : 0;
    return mask;
}

bool Evaluator::leaf_value(const Step& step, const MoleculeType& type, std::size_t atom) const {
    const Atom& a = type.atoms[atom];
    const std::string& residue = type.residues[static_cast<std::size_t>(a.residue)].name;
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
        case Op::element:
            return std::any_of(step.words.begin(), step.words.end(),
                               [&](const std::string& symbol) { return element_from_symbol(symbol) == a.element; });
        default:
            return false;
    }
}

bool Evaluator::evaluate(int type, std::size_t atom, std::int64_t index, std::int64_t residue_shift,
                         Mask& stack) const {
    const std::vector<Mask>& masks = leaves_[static_cast<std::size_t>(type)];
    const MoleculeType& molecule = topology_.types[static_cast<std::size_t>(type)];
    stack.clear();
    for (std::size_t s = 0; s < program_.size(); ++s) {
        const Step& step = program_[s];
        if (step.op == Op::op_not) {
            stack.back() = stack.back() ? 0 : 1;
        } else if (step.op == Op::op_and || step.op == Op::op_or) {
            const char right = stack.back();
            stack.pop_back();
            stack.back() = step.op == Op::op_and ? (stack.back() & right) : (stack.back() | right);
        } else if (step.op == Op::index) {
            stack.push_back(in_spans(step.spans, index) ? 1 : 0);
        } else if (step.op == Op::resid) {
            const auto residue = static_cast<std::size_t>(molecule.atoms[atom].residue);
            stack.push_back(in_spans(step.spans, molecule.residues[residue].number + residue_shift) ? 1 : 0);
        } else {
            stack.push_back(masks[s][atom]);
        }
    }
    return stack.back() != 0;
}

std::vector<AtomId> Evaluator::selected() {
    std::vector<AtomId> atoms;
    Mask stack;
    std::int64_t first = 0, residues = 0, last_number = 0;
    for (const MoleculeBlock& block : topology_.blocks) {
        const auto t = static_cast<std::size_t>(block.type);
        const MoleculeType& type = topology_.types[t];
        const auto count = static_cast<std::int64_t>(type.residues.size());
        if (first_residue_seen_[t] < 0) first_residue_seen_[t] = residues;
        for (std::int64_t copy = 0; copy < block.count; ++copy, first += type.size(), residues += count) {
            // Coordinate files number waters and ions on from the molecule before them.
            const bool counts_on = count == 1 && first > 0;
            const std::int64_t shift =
                counts_on ? last_number + 1 - type.residues[0].number : residues - first_residue_seen_[t];
            if (count > 0) last_number = type.residues.back().number + shift;
            for (std::size_t a = 0; a < type.atoms.size(); ++a) {
                const std::int64_t id = first + static_cast<std::int64_t>(a);
                const bool chosen = per_copy_ ? evaluate(block.type, a, id + 1, shift, stack) : whole_[t][a] != 0;
                if (chosen) atoms.push_back(AtomId{id});
            }
        }
    }
    return atoms;
}

}  // namespace

std::vector<AtomId> select(std::string_view text, const Topology& topology) {
    const std::vector<Step> program = selection::parse(text);
    return Evaluator(program, topology).selected();
}

void check_selection(std::string_view text) {
    selection::parse(text);
}

}  // namespace mdsim
