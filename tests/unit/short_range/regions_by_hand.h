// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "domain/local/local_atoms.h"
#include "short_range/liquid.h"

namespace mdsim::test {

/// What one rank has of a liquid. Extents: local atoms.
struct RankAtoms {
    LocalAtoms atoms;
    LocalTerms terms;
    LocalParameters parameters;
    std::vector<Vec3d> x;
    std::vector<LatticePoint> points;

    /// The positions of now.
    void update(const Liquid& l) {
        x.clear();
        points.clear();
        for (const std::int64_t id : atoms.ids) {
            x.push_back(l.x[static_cast<std::size_t>(id)]);
            points.push_back(l.points[static_cast<std::size_t>(id)]);
        }
    }
    LocalSystem system() const { return {atoms, terms, parameters}; }
};

/// A liquid cut into regions of unequal widths, and what each rank has of it, found by asking every atom.
class RegionsByHand {
  public:
    using Axes = std::array<std::int64_t, 3>;

    /// `reach` [nm]: of halo atoms, beyond the highest home atom that there may be; infinity: all.
    RegionsByHand(const Liquid& liquid, const Lattice& lattice, const std::array<int, 3>& grid, double reach)
        : l_(liquid), grid_(grid) {
        const Vec3d heights = lattice.cell().heights();
        for (std::size_t a = 0; a < 3; ++a) {
            const double fraction = std::min(2.0, reach / heights[static_cast<int>(a)]);
            reach_[a] = static_cast<std::int64_t>(std::ceil(fraction * 4294967296.0));
        }
        l_.points.resize(l_.x.size());
        lattice.points(l_.x, l_.points);
        for (std::size_t i = 0; i < l_.x.size(); ++i) find_place(i);
    }

    /// Ranks with regions along the axes.
    std::vector<RankAtoms> ranks() const {
        std::vector<RankAtoms> all;
        for (int x = 0; x < grid_[0]; ++x) {
            for (int y = 0; y < grid_[1]; ++y) {
                for (int z = 0; z < grid_[2]; ++z) all.push_back(rank({x, y, z}));
            }
        }
        return all;
    }
    const Liquid& liquid() const { return l_; }

  private:
    Liquid l_;
    std::array<int, 3> grid_;
    std::array<std::int64_t, 3> reach_{};  // in lattice units
    std::vector<std::array<int, 3>> region_;
    std::vector<Axes> place_;
    Axes overhang_{};  // of any atom out of its region

    std::int64_t bound(std::size_t axis, int k) const {
        const int n = grid_[axis];
        if (k <= 0 || k >= n) return k <= 0 ? 0 : std::int64_t{1} << 32;
        return static_cast<std::int64_t>((k + (k % 2 == 0 ? 0.2 : -0.15)) / n * 4294967296.0);
    }
    static std::uint32_t coordinate(const LatticePoint& p, std::size_t axis) {
        return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    }
    // Of an atom or, behind it, an atom of its molecule.
    void find_place(std::size_t i) {
        const std::size_t first = i / 3 * 3;
        std::array<int, 3> region{};
        Axes place{};
        for (std::size_t a = 0; a < 3; ++a) {
            const std::uint32_t c = coordinate(l_.points[first], a);
            while (bound(a, region[a] + 1) <= c) ++region[a];
            place[a] = std::int64_t{c} + lattice_difference(coordinate(l_.points[i], a), c);
            const std::int64_t beyond = std::max(bound(a, region[a]) - place[a], place[a] - bound(a, region[a] + 1));
            overhang_[a] = std::max(overhang_[a], beyond);
        }
        region_.push_back(region);
        place_.push_back(place);
    }

    RankAtoms rank(const std::array<int, 3>& own) const {
        RankAtoms r;
        r.atoms.all = static_cast<std::int64_t>(l_.x.size());
        for (unsigned a = 0; a < 3; ++a) r.atoms.split_axes |= grid_[a] > 1 ? 1u << a : 0u;
        for (const bool at_home : {true, false}) {
            for (std::size_t i = 0; i < l_.x.size(); ++i) {
                if ((region_[i] == own) == at_home) add_if_near(r, own, i);
            }
            if (at_home) r.atoms.home = r.atoms.size();
        }
        add_exclusions(r);
        r.update(l_);
        return r;
    }

    void add_if_near(RankAtoms& r, const std::array<int, 3>& own, std::size_t i) const {
        Zone zone;
        Vec3l place{place_[i][0], place_[i][1], place_[i][2]};
        for (std::size_t a = 0; a < 3; ++a) {
            if (region_[i][a] == own[a]) continue;
            zone.above = static_cast<std::uint8_t>(zone.above | 1u << a);
            if (region_[i][a] < own[a]) {
                zone.wrapped = static_cast<std::uint8_t>(zone.wrapped | 1u << a);
                place[static_cast<int>(a)] += std::int64_t{1} << 32;
            }
            if (place[static_cast<int>(a)] > bound(a, own[a] + 1) + overhang_[a] + reach_[a]) return;
        }
        r.atoms.ids.push_back(static_cast<std::int64_t>(i));
        r.atoms.zones.push_back(zone);
        if (r.atoms.split_axes != 0) r.atoms.places.push_back(place);
        r.parameters.charge.push_back(l_.charges[i]);
        r.parameters.type.push_back(l_.types[i]);
    }

    // Those that are this rank's, by the rule for pairs.
    void add_exclusions(RankAtoms& r) const {
        std::vector<int> local(l_.x.size(), -1);
        for (std::size_t k = 0; k < r.atoms.size(); ++k)
            local[static_cast<std::size_t>(r.atoms.ids[k])] = static_cast<int>(k);
        for (const Exclusion& e : l_.exclusions) {
            const int i = local[static_cast<std::size_t>(e.i)], j = local[static_cast<std::size_t>(e.j)];
            if (i < 0 || j < 0) continue;
            const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
            bool ours = may_meet(r.atoms.zones[p], r.atoms.zones[q]);
            for (std::size_t a = 0; a < 3; ++a) {
                if (((r.atoms.zones[p].above | r.atoms.zones[q].above) >> a & 1) == 0) continue;
                const std::int64_t d = r.atoms.places[q][static_cast<int>(a)] - r.atoms.places[p][static_cast<int>(a)];
                ours = ours && d == lattice_difference(coordinate(l_.points[static_cast<std::size_t>(e.j)], a),
                                                       coordinate(l_.points[static_cast<std::size_t>(e.i)], a));
            }
            if (ours) r.terms.exclusions.push_back({i, j});
        }
    }
};

}  // namespace mdsim::test
