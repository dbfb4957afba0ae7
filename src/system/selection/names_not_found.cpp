// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "system/molecules/chain_letters.h"
#include "system/selection/program.h"
#include "system/selection/selection.h"
#include "system/selection/words.h"

namespace mdsim {

namespace {

using selection::Op;
using selection::Step;
using selection::Word;
using Names = std::set<std::string>;

Names chains_of(const Topology& topology) {
    Names names;
    std::int64_t polymers = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
        for (const Residue& residue : type.residues) {
            names.insert(residue.chain.empty() ? chain_letter(type, polymers) : residue.chain);
        }
        if (type.residues.size() > 1) ++polymers;
    });
    return names;
}

Names names_of(const Topology& topology, Op op) {
    if (op == Op::chain) return chains_of(topology);
    Names names;
    for (const MoleculeType& type : topology.types) {
        if (op == Op::molecule) names.insert(type.name);
        if (op == Op::name) {
            for (const Atom& atom : type.atoms) names.insert(atom.name);
        }
        if (op == Op::resname) {
            for (const Residue& residue : type.residues) names.insert(residue.name);
        }
    }
    return names;
}

const char* kind_of(Op op) {
    switch (op) {
        case Op::name:
            return "atom";
        case Op::resname:
            return "residue";
        case Op::chain:
            return "chain";
        case Op::molecule:
            return "molecule";
        default:
            return nullptr;
    }
}

// Nothing where a name is there.
std::string about(const Word& word, const char* kind, const Names& names) {
    const auto fits = [&](const std::string& name) { return selection::matches(word.text, name); };
    if (std::any_of(names.begin(), names.end(), fits)) return {};
    std::string text =
        "no " + std::string(kind) + " is called '" + word.text + "' (column " + std::to_string(word.column) + ")";
    const std::vector<std::string> known(names.begin(), names.end());
    const std::string near = selection::nearest_name(word.text, known);
    return near.empty() ? text : text + ", but there is '" + near + "'";
}

}  // namespace

std::string names_not_found(std::string_view text, const Topology& topology) {
    std::string found;
    for (const Step& step : selection::parse(text)) {
        const char* kind = kind_of(step.op);
        if (kind == nullptr) continue;
        const Names names = names_of(topology, step.op);
        for (const Word& word : step.words) {
            const std::string line = about(word, kind, names);
            if (!line.empty()) found += (found.empty() ? "" : "; ") + line;
        }
    }
    return found;
}

}  // namespace mdsim
