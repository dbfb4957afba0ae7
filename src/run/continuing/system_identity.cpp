// SPDX-License-Identifier: Apache-2.0
#include "run/continuing/system_identity.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"

namespace mdsim {

namespace {

/// The checksum of any value of a topology. Records are taken apart by structured bindings, which do not compile any
/// more when a record gets another field: none can be forgotten.
class Digest {
  public:
    std::uint64_t value() const { return sum_.value(); }

    template <class T>
    requires std::is_arithmetic_v<T>
    void add(T number) {
        // Of the two zeros.
        const T normal = number + T{0};
        sum_.add({reinterpret_cast<const char*>(&normal), sizeof normal});
    }
    void add(const std::string& text) {
        add(text.size());
        sum_.add(text);
    }
    template <class T>
    void add(const std::vector<T>& list) {
        add(list.size());
        for (const T& entry : list) add(entry);
    }
    template <class First, class Second, class... More>
    void add(const First& first, const Second& second, const More&... more) {
        add(first);
        add(second);
        (add(more), ...);
    }

    void add(const Vec3d& r) { add(r.x, r.y, r.z); }
    void add(const LjParameters& p) {
        const auto& [c6, c12] = p;
        add(c6, c12);
    }
    void add(const Bond& t) {
        const auto& [i, j, k, r0] = t;
        add(i, j, k, r0);
    }
    void add(const G96Bond& t) {
        const auto& [i, j, k, r0] = t;
        add(i, j, k, r0);
    }
    void add(const Angle& t) {
        const auto& [i, j, k, constant, theta0] = t;
        add(i, j, k, constant, theta0);
    }
    void add(const G96Angle& t) {
        const auto& [i, j, k, constant, theta0] = t;
        add(i, j, k, constant, theta0);
    }
    void add(const UreyBradley& t) {
        const auto& [i, k, constant, r0] = t;
        add(i, k, constant, r0);
    }
    void add(const PeriodicDihedral& t) {
        const auto& [i, j, k, l, multiplicity, constant, phase] = t;
        add(i, j, k, l, multiplicity, constant, phase);
    }
    void add(const HarmonicImproper& t) {
        const auto& [i, j, k, l, constant, xi0] = t;
        add(i, j, k, l, constant, xi0);
    }
    void add(const RyckaertBellemans& t) {
        const auto& [i, j, k, l, c] = t;
        add(i, j, k, l);
        for (const double term : c) add(term);
    }
    template <class T, std::size_t n>
    void add(const std::array<T, n>& list) {
        for (const T& entry : list) add(entry);
    }
    void add(const Cmap& t) {
        const auto& [atoms, grid] = t;
        add(atoms, grid);
    }
    void add(const TwoAtomTerm& t) {
        const auto& [i, j, form, p] = t;
        add(i, j, static_cast<int>(form), p);
    }
    void add(const ThreeAtomTerm& t) {
        const auto& [i, j, k, form, p] = t;
        add(i, j, k, static_cast<int>(form), p);
    }
    void add(const FourAtomTerm& t) {
        const auto& [i, j, k, l, form, p] = t;
        add(i, j, k, l, static_cast<int>(form), p);
    }
    void add(const FlatPositionRestraint& t) {
        const auto& [i, axes, outside, radius, constant] = t;
        add(i, axes, static_cast<int>(outside), radius, constant);
    }
    void add(const CmapGrid& t) {
        const auto& [size, energy] = t;
        add(size, energy);
    }
    void add(const Pair14& t) {
        const auto& [i, j, lj, charge_product] = t;
        add(i, j, lj, charge_product);
    }
    void add(const Exclusion& t) {
        const auto& [i, j] = t;
        add(i, j);
    }
    void add(const Constraint& t) {
        const auto& [i, j, length] = t;
        add(i, j, length);
    }
    void add(const Settle& t) {
        const auto& [oxygen, hydrogen1, hydrogen2, oh, hh] = t;
        add(oxygen, hydrogen1, hydrogen2, oh, hh);
    }
    void add(const PositionRestraint& t) {
        const auto& [i, kx, ky, kz] = t;
        add(i, kx, ky, kz);
    }
    void add(const Residue& r) {
        const auto& [name, number, chain, insertion] = r;
        add(name, number, chain);
        if (insertion != ' ') add(static_cast<int>(insertion));
    }

  private:
    Checksum sum_;
};

/// Numbers things from 0 in the order in which they are first asked for.
class Numbering {
  public:
    explicit Numbering(int count) : number_(static_cast<std::size_t>(count), -1) {}
    int operator()(int thing) {
        int& number = number_[static_cast<std::size_t>(thing)];
        if (number < 0) {
            number = static_cast<int>(order_.size());
            order_.push_back(thing);
        }
        return number;
    }
    const std::vector<int>& order() const { return order_; }

  private:
    std::vector<int> number_, order_;
};

std::uint64_t checksum_of(const MoleculeType& type, Numbering& atom_types) {
    const auto& [bonds, angles, g96_bonds, g96_angles, urey_bradleys, proper_dihedrals, improper_dihedrals,
                 harmonic_impropers, ryckaert_bellemans, cmaps, pairs14, plain_pairs, two_atom_terms, three_atom_terms,
                 four_atom_terms, exclusions, position_restraints, flat_position_restraints] =
        static_cast<const TermLists&>(type);
    Digest digest;
    digest.add(type.name);
    for (const Atom& atom : type.atoms) {
        const auto& [name, atom_type, element, residue, charge, mass] = atom;
        digest.add(name, atom_types(atom_type), element, residue, charge, mass);
    }
    digest.add(type.residues, bonds, angles, g96_bonds, g96_angles, urey_bradleys, proper_dihedrals, improper_dihedrals,
               harmonic_impropers, ryckaert_bellemans, pairs14, exclusions, type.constraints, type.settles,
               position_restraints, type.connections);
    // What came later than the first checkpoints counts where it is there, so that those can still be continued.
    const auto add_if_any = [&](const auto&... lists) { ((lists.empty() ? void() : digest.add(lists)), ...); };
    add_if_any(cmaps, plain_pairs, two_atom_terms, three_atom_terms, four_atom_terms, flat_position_restraints);
    return digest.value();
}

// Of the atom types that occur, in the order in which they do. Their names are the file's own affair, and the Coulomb
// constant follows from the input.
std::uint64_t checksum_of(const ForceField& field, const std::vector<int>& atom_types) {
    Digest digest;
    digest.add(static_cast<int>(field.source));
    for (const int a : atom_types) {
        for (const int b : atom_types) digest.add(field.pair(a, b));
    }
    if (!field.cmap_grids.empty()) digest.add(field.cmap_grids);
    return digest.value();
}

}  // namespace

void identify_topology(SystemIdentity& identity, const Topology& topology, const std::filesystem::path& file) {
    Numbering types(static_cast<int>(topology.types.size())), atom_types(topology.force_field.types());
    Digest sequence;
    for (const MoleculeBlock& block : topology.blocks) {
        if (block.count == 0) continue;
        const std::size_t known = types.order().size();
        const int number = types(block.type);
        for (std::int64_t copy = 0; copy < block.count; ++copy) sequence.add(number);
        if (types.order().size() == known) continue;
        const MoleculeType& type = topology.types[static_cast<std::size_t>(block.type)];
        identity.push_back(
            {fmt::format("molecule type {} ({})", number + 1, type.name), file, checksum_of(type, atom_types)});
    }
    identity.push_back({"number and order of molecules", file, sequence.value()});
    identity.push_back({"non-bonded parameters", file, checksum_of(topology.force_field, atom_types.order())});
}

namespace {

std::uint64_t checksum_of(const std::vector<Vec3d>& vectors) {
    Digest digest;
    digest.add(vectors);
    return digest.value();
}

// A box of lengths and angles comes from cosines, whose last bit may be another one on another processor.
std::uint64_t checksum_of(const Box& box) {
    Digest digest;
    for (const Vec3d& row : box.rows()) {
        for (int a = 0; a < 3; ++a) digest.add(std::round(1e9 * row[a]));
    }
    return digest.value();
}

}  // namespace

void identify_coordinates(SystemIdentity& identity, const Structure& structure, const std::filesystem::path& file) {
    identity.push_back({"positions", file, checksum_of(structure.x)});
    identity.push_back({"velocities", file, checksum_of(structure.v)});
    identity.push_back({"box", file, checksum_of(structure.box)});
}

void identify_reference(SystemIdentity& identity, const Structure& structure, const std::filesystem::path& file,
                        const std::string& user) {
    identity.push_back({user + ": positions", file, checksum_of(structure.x)});
    identity.push_back({user + ": box", file, checksum_of(structure.box)});
}

std::map<std::string, std::uint64_t> checksums_of(const SystemIdentity& identity) {
    std::map<std::string, std::uint64_t> checksums;
    for (const IdentityPart& part : identity) checksums[part.name] = part.checksum;
    return checksums;
}

namespace {

constexpr std::size_t named_at_most = 6;

std::string list_of(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t n = 0; n < std::min(names.size(), named_at_most); ++n) text += (n == 0 ? "" : ", ") + names[n];
    if (names.size() > named_at_most) text += fmt::format(" and {} more", names.size() - named_at_most);
    return text;
}

}  // namespace

void require_same_system(const std::map<std::string, std::uint64_t>& stored, const SystemIdentity& now) {
    std::map<std::filesystem::path, std::vector<std::string>> changed;
    for (const IdentityPart& part : now) {
        const auto found = stored.find(part.name);
        if (found != stored.end() && found->second != part.checksum) changed[part.file].push_back(part.name);
    }
    const std::map<std::string, std::uint64_t> present = checksums_of(now);
    for (const auto& [name, checksum] : stored) {
        if (!present.contains(name)) changed[now.front().file].push_back(name + " (gone)");
    }
    Problems problems;
    for (const auto& [file, names] : changed) {
        problems.add({.code = "MD409",
                      .place = {file.string()},
                      .what = "this file, or one that it includes, is not what it was when this run was begun: " +
                              list_of(names),
                      .why = "a run continues with the system that it was begun with (comments, names and places of "
                             "files do not matter)",
                      .remedy = "put the file back as it was, or start over with --restart (the old outputs are kept "
                                "aside)"});
    }
    problems.throw_if_any();
}

}  // namespace mdsim
