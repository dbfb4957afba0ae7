// SPDX-License-Identifier: Apache-2.0
#include "domain/local/local_topology.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

/// The atoms of one term, in local numbers.
struct TermAtoms {
    std::array<int, 8> atom;
    std::size_t count = 0;

    std::span<const int> all() const { return {atom.data(), count}; }
};

template <class T>
TermAtoms atoms_of(const T& term) {
    TermAtoms out;
    for_each_atom(term, [&](int i) { out.atom[out.count++] = i; });
    return out;
}

// Whether the lowest region of a term along an axis is this rank's. `image` is what its atom's place lacks to stand
// beside the first atom, whole boxes in units of the lattice.
bool lowest_is_home(const LocalAtoms& atoms, const TermAtoms& term, int axis) {
    const unsigned bit = 1u << axis;
    const auto place = [&](int i) { return atoms.places[static_cast<std::size_t>(i)][axis]; };
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    bool home = false;
    for (const int i : term.all()) {
        const std::int64_t d = place(i) - place(term.atom[0]);
        const std::int64_t image = static_cast<std::int32_t>(static_cast<std::uint32_t>(d)) - d;
        const bool at_home = (atoms.zones[static_cast<std::size_t>(i)].above & bit) == 0;
        home = image < lowest ? at_home : home || (image == lowest && at_home);
        lowest = std::min(lowest, image);
    }
    return home;
}

// An axis along which all atoms are at home decides nothing.
bool computed_here(const LocalAtoms& atoms, const TermAtoms& term) {
    unsigned above = 0;
    for (const int i : term.all()) above |= atoms.zones[static_cast<std::size_t>(i)].above;
    for (int axis = 0; axis < 3; ++axis) {
        if ((above >> axis & 1u) != 0 && !lowest_is_home(atoms, term, axis)) return false;
    }
    return true;
}

// Lists that want the lower number first get it.
template <class T>
void put_in_order(T&) {}
void put_in_order(Exclusion& e) {
    if (e.i > e.j) std::swap(e.i, e.j);
}

LocalTerms joined(std::span<const LocalTerms> parts) {
    LocalTerms all;
    for_each_kind([&](auto list, std::size_t) {
        std::size_t size = 0;
        for (const LocalTerms& part : parts) size += (part.*list).size();
        (all.*list).reserve(size);
        for (const LocalTerms& part : parts) {
            (all.*list).insert((all.*list).end(), (part.*list).begin(), (part.*list).end());
        }
    });
    return all;
}

}  // namespace

// Sorting has the periodic dihedrals of the same four atoms stand together wherever the file has them: they share their
// geometry, and the sum of their slopes is rounded once, on any number of ranks.
LocalTopology::TypeTerms LocalTopology::terms_of(const MoleculeType& type) {
    TypeTerms out{type, {}};
    for_each_kind([&](auto kind, std::size_t number) {
        auto& list = out.terms.*kind;
        if (list.empty()) return;
        std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
            const TermAtoms p = atoms_of(a), q = atoms_of(b);
            return std::ranges::lexicographical_compare(p.all(), q.all());
        });
        std::vector<std::uint32_t>& begin = out.begin[number];
        begin.assign(type.atoms.size() + 1, 0);
        for (const auto& term : list) ++begin[static_cast<std::size_t>(first_atom(term)) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
    });
    return out;
}

LocalTopology::LocalTopology(const Topology& topology) : topology_(topology), molecules_(topology) {
    for (const MoleculeType& type : topology.types) types_.push_back(terms_of(type));
}

std::int64_t LocalTopology::all_terms() const {
    std::int64_t count = 0;
    for (const MoleculeBlock& block : topology_.blocks) {
        const TypeTerms& type = types_[static_cast<std::size_t>(block.type)];
        count += block.count * static_cast<std::int64_t>(term_count_of(type.terms));
    }
    return count;
}

LocalTerms LocalTopology::build(const LocalAtoms& atoms) {
    MDSIM_EXPECT(atoms.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()));
    if (static_cast<std::int64_t>(atoms.home) == atoms.all) return unrolled();
    MDSIM_EXPECT(atoms.places.size() == atoms.size() && atoms.zones.size() == atoms.size());
    numbers_.assign(atoms.ids, atoms.home);
    std::vector<LocalTerms> parts(static_cast<std::size_t>(thread_count()));
    for_each_kind([&](auto list, std::size_t kind) {
        for (LocalTerms& part : parts) (part.*list).reserve((expected_[kind] + expected_[kind] / 32) / parts.size());
    });
    parallel_ranges(atoms.size(), [&](int thread, std::size_t begin, std::size_t end) {
        append_terms(atoms, begin, end, parts[static_cast<std::size_t>(thread)]);
    });
    LocalTerms all = parts.size() == 1 ? std::move(parts.front()) : joined(parts);
    for_each_kind([&](auto list, std::size_t kind) { expected_[kind] = (all.*list).size(); });
    return all;
}

// Where all atoms are at home local numbers are global ones.
LocalTerms LocalTopology::unrolled() const {
    LocalTerms out;
    for_each_kind([&](auto list, std::size_t) {
        std::size_t size = 0;
        for (const MoleculeBlock& block : topology_.blocks) {
            size += static_cast<std::size_t>(block.count) *
                    (types_[static_cast<std::size_t>(block.type)].terms.*list).size();
        }
        (out.*list).reserve(size);
    });
    topology_.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const TypeTerms& terms = of(type);
        for_each_kind([&](auto list, std::size_t) {
            for (auto term : terms.terms.*list) {
                for_each_atom(term, [&](int& i) { i += static_cast<int>(first); });
                (out.*list).push_back(term);
            }
        });
    });
    return out;
}

// The terms of which atoms begin .. end - 1 are the first one.
void LocalTopology::append_terms(const LocalAtoms& atoms, std::size_t begin, std::size_t end, LocalTerms& to) const {
    PlaceWalk walk(molecules_);
    for (std::size_t n = begin; n < end; ++n) {
        const AtomPlace& place = walk.place(atoms.ids[n]);
        const TypeTerms& type = of(*place.type);
        const auto atom = static_cast<std::size_t>(place.atom);
        for_each_kind([&](auto list, std::size_t kind) {
            if (type.begin[kind].empty()) return;
            for (std::size_t t = type.begin[kind][atom]; t < type.begin[kind][atom + 1]; ++t) {
                auto term = (type.terms.*list)[t];
                if (make_local(atoms, place, static_cast<int>(n), term)) (to.*list).push_back(term);
            }
        });
    }
}

// The numbers within the molecule become local ones; false where an atom is not here or another rank computes the term.
// `number`: of the first atom. Most neighbours in a molecule are neighbours here, too.
template <class T>
bool LocalTopology::make_local(const LocalAtoms& atoms, const AtomPlace& place, int number, T& term) const {
    bool here = true;
    for_each_atom(term, [&](int& i) {
        const std::int64_t id = place.first_atom + i;
        const auto guess = static_cast<std::size_t>(number + (i - place.atom));
        i = guess < atoms.size() && atoms.ids[guess] == id ? static_cast<int>(guess) : numbers_.find(id);
        here = here && i >= 0;
    });
    if (!here || !computed_here(atoms, atoms_of(term))) return false;
    put_in_order(term);
    return true;
}

// f(n, atom) for all of them, from all threads.
template <class F>
void LocalTopology::for_atoms(std::span<const std::int64_t> ids, F&& f) const {
    parallel_ranges(ids.size(), [&](int, std::size_t begin, std::size_t end) {
        PlaceWalk walk(molecules_);
        for (std::size_t n = begin; n < end; ++n) {
            const AtomPlace& place = walk.place(ids[n]);
            f(n, place.type->atoms[static_cast<std::size_t>(place.atom)]);
        }
    });
}

LocalParameters LocalTopology::local_parameters(std::span<const std::int64_t> ids) const {
    LocalParameters out{std::vector<double>(ids.size()), std::vector<int>(ids.size())};
    for_atoms(ids, [&](std::size_t n, const Atom& atom) {
        out.charge[n] = atom.charge;
        out.type[n] = atom.type;
    });
    return out;
}

AtomParameters LocalTopology::parameters(std::span<const std::int64_t> ids) const {
    AtomParameters out;
    out.id.assign(ids.begin(), ids.end());
    out.mass.resize(ids.size());
    out.inverse_mass.resize(ids.size());
    out.charge.resize(ids.size());
    out.type.resize(ids.size());
    for_atoms(ids, [&](std::size_t n, const Atom& atom) {
        out.mass[n] = atom.mass;
        out.inverse_mass[n] = atom.mass > 0.0 ? 1.0 / atom.mass : 0.0;
        out.charge[n] = atom.charge;
        out.type[n] = atom.type;
    });
    return out;
}

LocalAtoms all_atoms(const Topology& topology) {
    LocalAtoms atoms;
    atoms.all = topology.atoms();
    atoms.home = static_cast<std::size_t>(atoms.all);
    atoms.ids.resize(atoms.home);
    std::iota(atoms.ids.begin(), atoms.ids.end(), 0);
    atoms.zones.resize(atoms.home);
    return atoms;
}

}  // namespace mdsim
