// SPDX-License-Identifier: Apache-2.0
#include "domain/local/local_topology.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "domain/cut_system.h"
#include "parallel/threads.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

/// The terms of a rank with global numbers, those of exclusions ascending again.
LocalTerms global(LocalTerms terms, const LocalAtoms& atoms) {
    for_each_kind([&](auto list, std::size_t) {
        for (auto& term : terms.*list) {
            for_each_atom(term, [&](int& i) { i = static_cast<int>(atoms.ids[static_cast<std::size_t>(i)]); });
        }
    });
    for (Exclusion& e : terms.exclusions) e = {std::min(e.i, e.j), std::max(e.i, e.j)};
    return terms;
}

/// By atoms. Terms of the same atoms stay in their order, which all ranks share.
void sort_by_atoms(LocalTerms& terms) {
    const auto atoms_of = [](const auto& term) {
        std::vector<int> atoms;
        for_each_atom(term, [&](int i) { atoms.push_back(i); });
        return atoms;
    };
    for_each_kind([&](auto list, std::size_t) {
        std::stable_sort((terms.*list).begin(), (terms.*list).end(),
                         [&](const auto& a, const auto& b) { return atoms_of(a) < atoms_of(b); });
    });
}

struct Made {
    LocalTerms terms;  ///< of all ranks, with global numbers, by atoms
    std::int64_t count = 0;
};

Made build_on_all(const System& system, const CutSystem& cut) {
    Made made;
    LocalTopology topology(system.topology);
    for (const LocalAtoms& atoms : cut.ranks) {
        const LocalTerms terms = topology.build(atoms);
        made.count += static_cast<std::int64_t>(term_count_of(terms));
        const LocalTerms of_rank = global(terms, atoms);
        for_each_kind([&](auto list, std::size_t) {
            (made.terms.*list).insert((made.terms.*list).end(), (of_rank.*list).begin(), (of_rank.*list).end());
        });
    }
    sort_by_atoms(made.terms);
    return made;
}

void check_each_made_once(const System& system, const Bounds& bounds, unsigned seed, double reach = 1.0) {
    LocalTerms expected = make_local_terms(system.topology);
    sort_by_atoms(expected);
    const Made made = build_on_all(system, cut(system, bounds, reach, seed));
    CHECK(made.count == LocalTopology(system.topology).all_terms());
    CHECK((made.terms == expected));
}

const std::vector<std::array<int, 3>> grids{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 2, 1},
                                            {1, 3, 1}, {4, 1, 1}, {2, 2, 2}, {1, 3, 2}, {3, 2, 2}};

}  // namespace

TEST_CASE("every term is made by one rank: a protein in water in a dodecahedron, molecules many boxes apart") {
    System system = ubiquitin();
    scatter_images(system, 40, 3);
    for (const auto& grid : grids) {
        INFO(grid[0] << " x " << grid[1] << " x " << grid[2]);
        check_each_made_once(system, uniform(grid), 1);
    }
}

TEST_CASE("every term is made by one rank: molecules of every kind of term that span several regions") {
    System system = chains();
    for (const auto& grid : grids) {
        INFO(grid[0] << " x " << grid[1] << " x " << grid[2]);
        for (unsigned seed = 1; seed <= 5; ++seed) {
            check_each_made_once(system, uniform(grid), seed);
            scatter_images(system, 1000, seed);
        }
    }
}

TEST_CASE("every term is made by one rank: regions of very unequal width") {
    const System system = chains();
    check_each_made_once(system, {{{0, 0.03, 1}, {0, 1}, {0, 1}}}, 1);
    check_each_made_once(system, {{{0, 0.5, 0.52, 0.54, 1}, {0, 0.97, 1}, {0, 0.01, 0.99, 1}}}, 2);
}

TEST_CASE("every term is made by one rank: a protein in vacuum") {
    const System system = ubiquitin_in_vacuum();
    for (const auto& grid : grids) check_each_made_once(system, squeezed(uniform(grid), 0.2), 1);
}

TEST_CASE("a term that no halo reaches shows in the number of terms") {
    const System system = chains();
    const Made made = build_on_all(system, cut(system, uniform({2, 2, 2}), 0.1, 1));
    CHECK(made.count < LocalTopology(system.topology).all_terms());
}

TEST_CASE("no term is made twice, however far apart its atoms are") {
    System system = chains();
    // Bonds between any atoms of a molecule of which each is anywhere.
    MoleculeType& type = system.topology.types[0];
    type.bonds.clear();
    for (int i = 0; i < type.size(); ++i) {
        for (int j = 0; j < i; ++j) type.bonds.push_back({i, j, 1.0, 0.1});
    }
    std::mt19937 random(9);
    std::uniform_real_distribution<double> u(0.0, 1.0);
    for (Vec3d& x : system.x) x = system.box.to_cartesian({u(random), u(random), u(random)});
    for (const auto& grid : grids) {
        check_each_made_once(system, uniform(grid), 4, 3.0);  // all atoms above are there
        const Made some = build_on_all(system, cut(system, uniform(grid), 0.5, 4));
        const auto& bonds = some.terms.bonds;
        CHECK(std::adjacent_find(bonds.begin(), bonds.end()) == bonds.end());
    }
}

TEST_CASE("the terms of a rank do not depend on the number of threads") {
    const System system = ubiquitin();
    const CutSystem pieces = cut(system, uniform({2, 2, 1}), 1.0, 1);
    LocalTopology topology(system.topology);
    const int before = thread_count();
    set_thread_count(1);
    const LocalTerms one = topology.build(pieces.ranks[1]);
    for (const int threads : {2, 3, 7}) {
        set_thread_count(threads);
        CHECK((topology.build(pieces.ranks[1]) == one));
    }
    set_thread_count(before);
}

TEST_CASE("parameters of local atoms are those of their global numbers") {
    const System system = ubiquitin();
    const AtomParameters all = make_atom_parameters(system.topology);
    const LocalTopology topology(system.topology);
    for (const LocalAtoms& atoms : cut(system, uniform({2, 1, 2}), 0.8, 2).ranks) {
        const AtomParameters some = topology.parameters(atoms.ids);
        REQUIRE(some.size() == atoms.size());
        for (std::size_t n = 0; n < atoms.size(); ++n) {
            const auto id = static_cast<std::size_t>(atoms.ids[n]);
            REQUIRE(some.id[n] == atoms.ids[n]);
            REQUIRE(some.mass[n] == all.mass[id]);
            REQUIRE(some.inverse_mass[n] == 1.0 / all.mass[id]);
            REQUIRE(some.charge[n] == all.charge[id]);
            REQUIRE(some.type[n] == all.type[id]);
        }
    }
}

TEST_CASE("local numbers are found by global ones") {
    std::mt19937_64 random(1);
    std::vector<std::int64_t> ids;
    for (std::int64_t n = 0; n < 5000; ++n) ids.push_back(3 * n + static_cast<std::int64_t>(random() % 3));
    std::shuffle(ids.begin(), ids.end(), random);
    LocalNumbers numbers;
    CHECK(numbers.find(7) == -1);
    for (const std::size_t count : {std::size_t{5000}, std::size_t{10}, std::size_t{0}}) {
        for (const std::size_t sorted : {std::size_t{0}, count / 3, count}) {
            std::sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(sorted));
            numbers.assign(std::span(ids).first(count), sorted);
            for (std::size_t n = 0; n < ids.size(); ++n) REQUIRE(numbers.find(ids[n]) == (n < count ? int(n) : -1));
        }
    }
}
