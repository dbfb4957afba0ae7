// SPDX-License-Identifier: Apache-2.0
#include "domain/cut_system.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/units.h"
#include "domain/local/units.h"
#include "io/structure/gro.h"
#include "io/topology/gromacs.h"
#include "system/preparation/constraint_choice.h"
#include "system/preparation/whole.h"

namespace mdsim::test {

namespace {

constexpr double whole_box = 4294967296.0;

Vec3l components(const LatticePoint& p) {
    return {p.x, p.y, p.z};
}

Vec3l nearest(const Vec3l& to, const LatticePoint& point) {
    Vec3l place = to;
    const Vec3l there = components(point);
    for (int a = 0; a < 3; ++a) place[a] += static_cast<std::int32_t>(static_cast<std::uint32_t>(there[a] - to[a]));
    return place;
}

int region_of(const std::vector<double>& bounds, double share) {
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), share);
    return static_cast<int>(above - bounds.begin()) - 1;
}

/// Home region and place of every atom.
struct Homes {
    std::vector<std::array<int, 3>> regions;
    std::vector<Vec3l> places;
};

Homes give_homes(const System& system, const Lattice& lattice, const Bounds& bounds) {
    const MoleculeIndex molecules(system.topology);
    const MoleculeUnits units(system.topology);
    Homes homes;
    for (std::size_t n = 0; n < system.x.size(); ++n) {
        const AtomPlace place = molecules.place(static_cast<std::int64_t>(n));
        const std::int64_t first = place.first_atom + units.first_of_unit(place);
        const Vec3l leader = components(lattice.point(system.x[static_cast<std::size_t>(first)]));
        std::array<int, 3>& region = homes.regions.emplace_back();
        for (int a = 0; a < 3; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            region[axis] = region_of(bounds[axis], static_cast<double>(leader[a]) / whole_box);
        }
        homes.places.push_back(nearest(leader, lattice.point(system.x[n])));
    }
    return homes;
}

/// What one rank sees.
class View {
  public:
    View(const Homes& homes, const Bounds& bounds, const Vec3d& heights, double reach)
        : homes_(homes), bounds_(bounds), heights_(heights), reach_(reach) {}

    LocalAtoms of(const std::array<int, 3>& region, std::mt19937& random) const {
        LocalAtoms atoms;
        atoms.all = static_cast<std::int64_t>(homes_.places.size());
        for (std::size_t a = 0; a < 3; ++a) atoms.split_axes |= (bounds_[a].size() > 2 ? 1u : 0u) << a;
        std::vector<std::int64_t> halo;
        for (std::int64_t id = 0; id < atoms.all; ++id) {
            const Zone zone = zone_of(region, id);
            if (zone.home()) append(atoms, id, zone);
            if (!zone.home() && near(region, id, zone)) halo.push_back(id);
        }
        atoms.home = atoms.size();
        std::shuffle(halo.begin(), halo.end(), random);
        for (const std::int64_t id : halo) append(atoms, id, zone_of(region, id));
        return atoms;
    }

  private:
    const Homes& homes_;
    const Bounds& bounds_;
    const Vec3d heights_;
    double reach_;

    Zone zone_of(const std::array<int, 3>& region, std::int64_t id) const {
        Zone zone;
        for (std::size_t a = 0; a < 3; ++a) {
            const int there = homes_.regions[static_cast<std::size_t>(id)][a];
            if (there != region[a]) zone.above = static_cast<std::uint8_t>(zone.above | 1u << a);
            if (there < region[a]) zone.wrapped = static_cast<std::uint8_t>(zone.wrapped | 1u << a);
        }
        return zone;
    }
    Vec3l place_of(std::int64_t id, const Zone& zone) const {
        Vec3l place = homes_.places[static_cast<std::size_t>(id)];
        for (int a = 0; a < 3; ++a) place[a] += static_cast<std::int64_t>(zone.wrapped >> a & 1u) << 32;
        return place;
    }
    bool near(const std::array<int, 3>& region, std::int64_t id, const Zone& zone) const {
        const Vec3l place = place_of(id, zone);
        for (int a = 0; a < 3; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            if ((zone.above >> a & 1u) == 0) continue;
            const double upper = bounds_[axis][static_cast<std::size_t>(region[axis]) + 1];
            if ((static_cast<double>(place[a]) / whole_box - upper) * heights_[a] > reach_) return false;
        }
        return true;
    }
    void append(LocalAtoms& atoms, std::int64_t id, const Zone& zone) const {
        atoms.ids.push_back(id);
        atoms.zones.push_back(zone);
        atoms.places.push_back(place_of(id, zone));
    }
};

}  // namespace

Bounds uniform(const std::array<int, 3>& grid) {
    Bounds bounds;
    for (std::size_t a = 0; a < 3; ++a) {
        for (int n = 0; n <= grid[a]; ++n) bounds[a].push_back(static_cast<double>(n) / grid[a]);
    }
    return bounds;
}

Bounds squeezed(Bounds bounds, double part) {
    for (std::vector<double>& of_axis : bounds) {
        for (std::size_t n = 1; n + 1 < of_axis.size(); ++n) of_axis[n] = 0.5 + part * (of_axis[n] - 0.5);
    }
    return bounds;
}

CutSystem cut(const System& system, const Bounds& bounds, double reach, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> step(-0.05, 0.05);
    const Lattice lattice(system.box, system.x);
    Homes homes = give_homes(system, lattice, bounds);
    CutSystem out{system.x, {}};
    for (std::size_t n = 0; n < out.x.size(); ++n) {
        out.x[n] += Vec3d{step(random), step(random), step(random)};
        homes.places[n] = nearest(homes.places[n], lattice.point(out.x[n]));
    }
    const View view(homes, bounds, lattice.cell().heights(), reach);
    const auto regions = [&](std::size_t a) { return static_cast<int>(bounds[a].size()) - 1; };
    for (int x = 0; x < regions(0); ++x) {
        for (int y = 0; y < regions(1); ++y) {
            for (int z = 0; z < regions(2); ++z) out.ranks.push_back(view.of({x, y, z}, random));
        }
    }
    return out;
}

void scatter_images(System& system, int boxes, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> image(-boxes, boxes);
    system.topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const Vec3d shift =
            system.box.to_cartesian({static_cast<double>(image(random)), static_cast<double>(image(random)),
                                     static_cast<double>(image(random))});
        for (std::int64_t i = first; i < first + type.size(); ++i) system.x[static_cast<std::size_t>(i)] += shift;
    });
}

System ubiquitin() {
    const std::filesystem::path folder = std::filesystem::path(MDSIM_SOURCE_DIR) / "inputs" / "ubiquitin";
    System system{read_gromacs_topology(folder / "ubiquitin.top", {}), {}, {}};
    Structure structure = read_gro(folder / "ubiquitin.gro");
    choose_constraints(system.topology, ConstraintChoice::hydrogen_bonds);
    MoleculeType& protein = system.topology.types[0];
    for (int i = 0; i < protein.size(); i += 7) protein.position_restraints.push_back({i, 1000.0, 1000.0, 500.0});
    make_whole(system.topology, structure.box, structure.x, folder / "ubiquitin.gro");
    system.box = structure.box;
    system.x = std::move(structure.x);
    return system;
}

System ubiquitin_in_vacuum() {
    System system = ubiquitin();
    system.topology.blocks.resize(1);
    system.x.resize(static_cast<std::size_t>(system.topology.atoms()));
    system.box = Box{};
    return system;
}

System chains() {
    constexpr int length = 12;
    MoleculeType chain;
    chain.atoms.resize(length);
    for (int n = 0; n < length; ++n) chain.atoms[static_cast<std::size_t>(n)].charge = n % 2 == 0 ? 0.4 : -0.3;
    for (int n = 0; n + 3 < length; ++n) {
        chain.bonds.push_back({n, n + 1, 2e4, 0.11});
        chain.angles.push_back({n, n + 1, n + 2, 400.0, 1.9});
        chain.urey_bradleys.push_back({n, n + 2, 5000.0, 0.2});
        chain.g96_bonds.push_back({n, n + 2, 1.1e5, 0.19});
        chain.g96_angles.push_back({n, n + 1, n + 2, 450.0, std::cos(1.8)});
        chain.proper_dihedrals.push_back({n, n + 1, n + 2, n + 3, 1 + n % 6, 7.0, 0.3 * n});
        chain.improper_dihedrals.push_back({n + 1, n, n + 3, n + 2, 2, 43.0, units::pi});
        chain.harmonic_impropers.push_back({n + 3, n + 2, n, n + 1, 160.0, 0.4});
        chain.ryckaert_bellemans.push_back({n, n + 1, n + 2, n + 3, {9.3, 12.2, -13.1, -3.1, 26.2, -31.5}});
        chain.pairs14.push_back({n, n + 3, {2.6e-3, 2.6e-6}, -0.12});
        for (int m = n + 1; m < n + 4; ++m) chain.exclusions.push_back({n, m});
        chain.position_restraints.push_back({n, 100.0, 0.0, 10.0 * n});
    }
    for (int n = 0; n + 4 < length; ++n) chain.cmaps.push_back(Cmap::of_five(n, n + 1, n + 2, n + 3, n + 4, n % 2));
    for (int n = 0; n + 5 < length; ++n) {
        chain.plain_pairs.push_back({n, n + 5, {2.6e-3, 2.6e-6}, 0.2});
        chain.two_atom_terms.push_back({n, n + 5, TwoAtomForm::flat_bottomed, {50.0, 0.1, 0.2, 0.3}});
        chain.three_atom_terms.push_back({n + 3, n, n + 5, ThreeAtomForm::linear, {50.0, 0.3}});
        chain.four_atom_terms.push_back({n, n + 1, n + 2, n + 3, FourAtomForm::bending_torsion, {1, 2, 3, 4, 5}});
        chain.flat_position_restraints.push_back({n, {1, 0, 1}, n % 2 == 0, 0.1, 30.0 * n});
    }
    chain.cmaps.push_back({{0, 1, 2, 3, 6, 5, 4, 2}, 0});
    // A second series on the same atoms, which the file has elsewhere.
    for (int n = 0; n + 3 < length; ++n) {
        chain.proper_dihedrals.push_back({n, n + 1, n + 2, n + 3, 3, 2.0, units::pi});
    }
    chain.constraints = {{3, 4, 0.1}, {4, 7, 0.1}};
    System system;
    system.topology.types = {chain};
    system.topology.blocks = {{0, 40}};
    system.box = Box::from_rows({Vec3d{2.9, 0, 0}, Vec3d{1.1, 3.0, 0}, Vec3d{-0.9, 1.2, 2.8}});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(0.0, 1.0), off(-0.03, 0.03);
    for (const int size : {4, 6}) {
        CmapGrid& grid = system.topology.force_field.cmap_grids.emplace_back(CmapGrid{size, {}});
        for (int n = 0; n < size * size; ++n) grid.energy.push_back(20.0 * off(random));
    }
    for (int molecule = 0; molecule < 40; ++molecule) {
        Vec3d at = system.box.to_cartesian({u(random), u(random), u(random)});
        const Vec3d along{0.1 * u(random) - 0.05, 0.1 * u(random) - 0.05, 0.1};
        for (int n = 0; n < length; ++n) {
            system.x.push_back(at + Vec3d{off(random), 0.08 * (n % 2), off(random)});
            at += along;
        }
    }
    return system;
}

}  // namespace mdsim::test
