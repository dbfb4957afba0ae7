// SPDX-License-Identifier: Apache-2.0
#include "io/topology/split_molecules.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "system/molecules/components.h"
#include "system/molecules/term_atoms.h"

namespace mdsim {

namespace {

// Every list of terms of a molecule type, for code that treats them alike.
template <class Molecule>
auto lists(Molecule& m) {
    return std::tie(m.bonds, m.angles, m.g96_bonds, m.g96_angles, m.urey_bradleys, m.proper_dihedrals,
                    m.improper_dihedrals, m.harmonic_impropers, m.ryckaert_bellemans, m.cmaps, m.pairs14, m.plain_pairs,
                    m.two_atom_terms, m.three_atom_terms, m.four_atom_terms, m.flat_position_restraints, m.exclusions,
                    m.constraints, m.settles, m.virtual_sites, m.position_restraints, m.connections);
}

template <class Molecule, class F>
void for_each_list(Molecule& m, F&& f) {
    std::apply([&](auto&... list) { (f(list), ...); }, lists(m));
}

/// First atoms of the molecules, and the number of atoms at the end.
std::vector<int> find_bounds(const MoleculeType& whole) {
    Components components(whole.size());
    for_each_list(whole, [&](const auto& list) {
        for (const auto& term : list) {
            for_each_atom(term, [&](int atom) { components.join(first_atom(term), atom); });
        }
    });
    std::vector<int> last(whole.atoms.size(), 0);  // of a component, at its root
    for (int i = 0; i < whole.size(); ++i) last[static_cast<std::size_t>(components.root(i))] = i;
    std::vector<int> bounds;
    int end = 0;
    for (int i = 0; i < whole.size(); ++i) {
        if (i == end) bounds.push_back(i);
        end = std::max(end, last[static_cast<std::size_t>(components.root(i))] + 1);
    }
    bounds.push_back(whole.size());
    return bounds;
}

/// Order of the terms of one list by molecule: where each molecule's terms begin, and the terms' numbers.
struct Grouping {
    std::vector<std::size_t> begin;
    std::vector<std::size_t> order;
};

template <class T>
Grouping group(const std::vector<T>& list, const std::vector<int>& molecule_of, std::size_t molecules) {
    Grouping g;
    g.begin.assign(molecules + 1, 0);
    g.order.resize(list.size());
    const auto molecule = [&](const T& term) {
        return static_cast<std::size_t>(molecule_of[static_cast<std::size_t>(first_atom(term))]);
    };
    for (const T& term : list) ++g.begin[molecule(term) + 1];
    std::partial_sum(g.begin.begin(), g.begin.end(), g.begin.begin());
    std::vector<std::size_t> next(g.begin.begin(), g.begin.end() - 1);
    for (std::size_t n = 0; n < list.size(); ++n) g.order[next[molecule(list[n])]++] = n;
    return g;
}

void add_to_hash(std::size_t& hash, std::size_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
}

std::size_t hash_of(const MoleculeType& m) {
    std::size_t hash = m.atoms.size();
    for (const Atom& atom : m.atoms) {
        add_to_hash(hash, std::hash<std::string>{}(atom.name));
        add_to_hash(hash, std::hash<double>{}(atom.charge));
        add_to_hash(hash, static_cast<std::size_t>(atom.type));
    }
    for (const Residue& residue : m.residues) add_to_hash(hash, std::hash<std::string>{}(residue.name));
    for_each_list(m, [&](const auto& list) {
        add_to_hash(hash, list.size());
        for (const auto& term : list) {
            for_each_atom(term, [&](int atom) { add_to_hash(hash, static_cast<std::size_t>(atom)); });
        }
    });
    return hash;
}

/// Cuts molecules out of the whole system.
class Splitter {
  public:
    explicit Splitter(MoleculeType&& whole) : whole_(std::move(whole)), bounds_(find_bounds(whole_)) {
        std::vector<int> molecule_of(whole_.atoms.size());
        for (std::size_t m = 0; m + 1 < bounds_.size(); ++m) {
            std::fill(molecule_of.begin() + bounds_[m], molecule_of.begin() + bounds_[m + 1], static_cast<int>(m));
        }
        for_each_list(whole_,
                      [&](const auto& list) { groups_.push_back(group(list, molecule_of, bounds_.size() - 1)); });
    }

    Topology split() {
        Topology topology;
        std::unordered_multimap<std::size_t, int> known;
        for (std::size_t m = 0; m + 1 < bounds_.size(); ++m) {
            const bool again = m > 0 && is_copy(normal_[static_cast<std::size_t>(topology.blocks.back().type)], m);
            const int type = again ? topology.blocks.back().type : find_or_add(topology, known, cut(m), m);
            if (topology.blocks.empty() || topology.blocks.back().type != type) topology.blocks.push_back({type, 0});
            ++topology.blocks.back().count;
        }
        return topology;
    }
    /// Every residue has atoms, and of one molecule.
    bool residues_stay() const {
        const int atoms = whole_.size(), residues = static_cast<int>(whole_.residues.size());
        if (atoms == 0) return residues == 0;
        return residue(0) == 0 && residue(atoms - 1) == residues - 1 &&
               std::all_of(bounds_.begin() + 1, bounds_.end() - 1,
                           [this](int first) { return residue(first) == residue(first - 1) + 1; });
    }
    MoleculeType take_whole() { return std::move(whole_); }

  private:
    // Residues are numbered from 0 here, so that copies compare equal.
    MoleculeType cut(std::size_t m) const {
        MoleculeType molecule;
        const int first = bounds_[m], end = bounds_[m + 1];
        const int first_residue = residue(first);
        molecule.atoms.assign(whole_.atoms.begin() + first, whole_.atoms.begin() + end);
        for (Atom& atom : molecule.atoms) atom.residue -= first_residue;
        molecule.residues.assign(whole_.residues.begin() + first_residue,
                                 whole_.residues.begin() + residue(end - 1) + 1);
        for (std::size_t r = 0; r < molecule.residues.size(); ++r) molecule.residues[r].number = static_cast<int>(r);
        const auto from = lists(whole_);
        const auto to = lists(molecule);
        [&]<std::size_t... n>(std::index_sequence<n...>) {
            (copy(std::get<n>(from), std::get<n>(to), groups_[n], m), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<decltype(to)>>{});
        return molecule;
    }

    // Whether cut(m) would be this type, most of which are waters one behind the other: found without cutting them.
    bool is_copy(const MoleculeType& type, std::size_t m) const {
        const int first = bounds_[m];
        if (bounds_[m + 1] - first != type.size()) return false;
        for (int i = 0; i < type.size(); ++i) {
            Atom atom = whole_.atoms[static_cast<std::size_t>(first + i)];
            atom.residue -= residue(first);
            if (atom != type.atoms[static_cast<std::size_t>(i)]) return false;
        }
        for (std::size_t r = 0; r < type.residues.size(); ++r) {
            Residue there = whole_.residues[static_cast<std::size_t>(residue(first)) + r];
            there.number = static_cast<int>(r);
            if (there != type.residues[r]) return false;
        }
        return [&]<std::size_t... n>(std::index_sequence<n...>) {
            return (same_terms(std::get<n>(lists(whole_)), std::get<n>(lists(type)), groups_[n], m) && ...);
        }
        (std::make_index_sequence<std::tuple_size_v<decltype(lists(type))>>{});
    }

    template <class T>
    bool same_terms(const std::vector<T>& from, const std::vector<T>& type, const Grouping& g, std::size_t m) const {
        if (g.begin[m + 1] - g.begin[m] != type.size()) return false;
        for (std::size_t n = 0; n < type.size(); ++n) {
            T term = from[g.order[g.begin[m] + n]];
            for_each_atom(term, [this, m](int& atom) { atom -= bounds_[m]; });
            if (term != type[n]) return false;
        }
        return true;
    }

    template <class T>
    void copy(const std::vector<T>& from, std::vector<T>& to, const Grouping& g, std::size_t m) const {
        to.reserve(g.begin[m + 1] - g.begin[m]);
        for (std::size_t n = g.begin[m]; n < g.begin[m + 1]; ++n) {
            to.push_back(from[g.order[n]]);
            for_each_atom(to.back(), [this, m](int& atom) { atom -= bounds_[m]; });
        }
    }

    int find_or_add(Topology& topology, std::unordered_multimap<std::size_t, int>& known, MoleculeType&& molecule,
                    std::size_t m) {
        const std::size_t hash = hash_of(molecule);
        const auto [begin, end] = known.equal_range(hash);
        for (auto candidate = begin; candidate != end; ++candidate) {
            if (normal_[static_cast<std::size_t>(candidate->second)] == molecule) return candidate->second;
        }
        const int type = static_cast<int>(topology.types.size());
        known.emplace(hash, type);
        normal_.push_back(molecule);
        for (std::size_t r = 0; r < molecule.residues.size(); ++r) {
            const std::size_t source = static_cast<std::size_t>(residue(bounds_[m])) + r;
            molecule.residues[r].number = whole_.residues[source].number;
        }
        molecule.name = molecule.residues.size() == 1 ? molecule.residues[0].name : fmt::format("molecule_{}", m + 1);
        topology.types.push_back(std::move(molecule));
        return type;
    }

    int residue(int atom) const { return whole_.atoms[static_cast<std::size_t>(atom)].residue; }

    MoleculeType whole_;
    std::vector<int> bounds_;
    std::vector<Grouping> groups_;      // in the order of lists()
    std::vector<MoleculeType> normal_;  // types with residues numbered from 0 and without a name, as cut() makes them
};

}  // namespace

Topology split_molecules(MoleculeType&& whole) {
    return Splitter(std::move(whole)).split();
}

Topology split_where_residues_stay(MoleculeType&& whole) {
    Splitter splitter(std::move(whole));
    if (splitter.residues_stay()) return splitter.split();
    Topology topology;
    topology.types.push_back(splitter.take_whole());
    topology.types[0].name = "SYSTEM";
    topology.blocks.push_back({0, 1});
    return topology;
}

}  // namespace mdsim
