// SPDX-License-Identifier: Apache-2.0
#include "io/topology/pdb_writer.h"

#include <cmath>
#include <cstring>

#include "core/units.h"
#include "io/text/text_output.h"
#include "system/molecules/chain_letters.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

double angle(const Vec3d& a, const Vec3d& b) {
    return std::acos(dot(a, b) / (norm(a) * norm(b))) * 180.0 / units::pi;
}

void write_cell(TextOutput& out, const Box& box) {
    if (!box.periodic()) return;
    const Mat3d& r = box.rows();
    out.print("CRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} P 1           1\n", 10.0 * norm(r[0]),
              10.0 * norm(r[1]), 10.0 * norm(r[2]), angle(r[1], r[2]), angle(r[0], r[2]), angle(r[0], r[1]));
}

/// A coordinate in Angstrom in eight columns.
struct Coordinate {
    char text[9];
    explicit Coordinate(double nm) {
        const double value = 10.0 * nm;
        const int decimals = std::abs(value) < 999.0 ? 3 : std::abs(value) < 99999.0 ? 1 : 0;
        const auto end = fmt::format_to_n(text, 8, "{:8.{}f}", value, decimals);
        *end.out = '\0';
    }
};

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

/// What every copy of a molecule type has in its lines.
struct Columns {
    std::string name, element;
};

std::vector<Columns> columns_of(const MoleculeType& type) {
    std::vector<Columns> columns;
    for (const Atom& atom : type.atoms) columns.push_back({padded_name(atom), upper(element_symbol(atom.element))});
    return columns;
}

/// One letter.
std::string chain_of(const MoleculeType& type, std::int64_t polymer) {
    const std::string& named = type.residues.front().chain;
    const std::string letter = named.empty() ? chain_letter(type, polymer) : named.substr(0, 1);
    return letter.empty() ? " " : letter;
}

}  // namespace

void write_pdb_topology(const std::filesystem::path& file, const Topology& topology, const std::vector<Vec3d>& x,
                        const Box& box) {
    TextOutput out(file);
    out.print("TITLE     {:.60}\n", topology.title.empty() ? "written by mdsim" : topology.title);
    write_cell(out, box);
    std::int64_t serial = 1, residue_number = 0, polymer = 0;
    std::vector<std::vector<Columns>> columns;
    for (const MoleculeType& type : topology.types) columns.push_back(columns_of(type));
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto& names = columns[static_cast<std::size_t>(&type - topology.types.data())];
        const std::string chain = chain_of(type, polymer);
        int residue = -1;
        for (int i = 0; i < type.size(); ++i, ++serial) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            if (atom.residue != residue) {
                residue = atom.residue;
                ++residue_number;
            }
            const Vec3d& at = x[static_cast<std::size_t>(first + i)];
            const Columns& own = names[static_cast<std::size_t>(i)];
            out.print("ATOM  {:5} {} {:<4.4}{}{:4}    {}{}{}  1.00  0.00          {:>2}\n", serial % 100000, own.name,
                      type.residues[static_cast<std::size_t>(residue)].name, chain, residue_number % 10000,
                      Coordinate(at.x).text, Coordinate(at.y).text, Coordinate(at.z).text, own.element);
        }
        if (type.residues.size() > 1) {
            out.print("TER\n");
            ++polymer;
        }
    });
    out.print("END\n");
    out.close();
}

}  // namespace mdsim
