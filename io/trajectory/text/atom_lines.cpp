// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/text/atom_lines.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "system/molecules/numbered_molecules.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

/// An atom with all that text formats say of it.
struct NamedAtom {
    const Atom& atom;
    std::string_view residue, chain;
    char insertion;
    std::int64_t residue_number, number;  // from 1
    bool ends_polymer;
};

template <class F>
void for_each_named_atom(const Topology& topology, F&& f) {
    const bool several = topology.molecules() > 1;
    for_each_numbered_molecule(topology, [&](const NumberedMolecule& molecule) {
        const MoleculeType& type = molecule.type;
        for (int i = 0; i < type.size(); ++i) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            const Residue& residue = type.residues[static_cast<std::size_t>(atom.residue)];
            const std::string_view chain = residue.chain.empty() && several ? molecule.chain : residue.chain;
            f(NamedAtom{atom, residue.name, chain, residue.insertion, residue.number + molecule.residue_shift,
                        static_cast<std::int64_t>(molecule.first) + i + 1,
                        several && type.residues.size() > 1 && i + 1 == type.size()});
        }
    });
}

// What is left of a number in some columns.
std::int64_t wrapped(std::int64_t number, std::int64_t limit) {
    return number >= 0 ? number % limit : number % (limit / 10);
}

/// Names of up to three letters begin in the second column, unless the element needs both.
std::string padded_name(const Atom& atom) {
    const bool shift = atom.name.size() < 4 && element_symbol(atom.element).size() < 2;
    return shift ? fmt::format(" {:<3}", atom.name) : fmt::format("{:<4.4}", atom.name);
}

std::string upper(std::string_view symbol) {
    std::string text(symbol);
    for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return text;
}

/// A value of a CIF loop: a dot for none, quotes where there are blanks or quotes in it or it would mean something
/// else.
std::string cif_word(std::string_view text) {
    if (text.empty()) return ".";
    const bool plain = text.find_first_of(" \t'\"#") == std::string_view::npos && text[0] != '_' && text[0] != '$' &&
                       text[0] != '[' && text[0] != ']' && text[0] != ';' && text != "." && text != "?";
    if (plain) return std::string(text);
    const char quote = text.find('"') == std::string_view::npos ? '"' : '\'';
    return fmt::format("{}{}{}", quote, text, quote);
}

}  // namespace

AtomLines AtomLines::of_gro(const Topology& topology) {
    AtomLines lines;
    for_each_named_atom(topology, [&](const NamedAtom& a) {
        fmt::format_to(std::back_inserter(lines.text_), "{:5}{:<5.5}{:>5.5}{:5}", wrapped(a.residue_number, 100000),
                       a.residue, a.atom.name, a.number % 100000);
        lines.end_piece();
        lines.text_ += '\n';
        lines.end_piece();
    });
    return lines;
}

AtomLines AtomLines::of_pdb(const Topology& topology) {
    AtomLines lines;
    for_each_named_atom(topology, [&](const NamedAtom& a) {
        fmt::format_to(std::back_inserter(lines.text_), "ATOM  {:5} {} {:<4.4}{:1.1}{:4}{}   ", a.number % 100000,
                       padded_name(a.atom), a.residue, a.chain, wrapped(a.residue_number, 10000), a.insertion);
        lines.end_piece();
        fmt::format_to(std::back_inserter(lines.text_), "  1.00  0.00          {:>2}\n{}",
                       upper(element_symbol(a.atom.element)), a.ends_polymer ? "TER\n" : "");
        lines.end_piece();
    });
    return lines;
}

AtomLines AtomLines::of_cif(const Topology& topology) {
    AtomLines lines;
    for_each_named_atom(topology, [&](const NamedAtom& a) {
        const std::string atom = cif_word(a.atom.name), residue = cif_word(a.residue), chain = cif_word(a.chain);
        const std::string symbol = cif_word(element_symbol(a.atom.element));
        fmt::format_to(std::back_inserter(lines.text_), "ATOM {} {} {} . {} {} . {} {} ", a.number, symbol, atom,
                       residue, chain, a.residue_number, a.insertion == ' ' ? '?' : a.insertion);
        lines.end_piece();
        fmt::format_to(std::back_inserter(lines.text_), " {} {} {} {} ", a.residue_number, residue, chain, atom);
        lines.end_piece();
    });
    return lines;
}

}  // namespace mdsim
