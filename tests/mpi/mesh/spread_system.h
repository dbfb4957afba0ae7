// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "domain/local/local_atoms.h"
#include "mesh/ewald_sum.h"
#include "system/lattice.h"

namespace mdsim::test {

/// A grid of regions, of equal size along each box vector; rank r < size() has the atoms of region r.
struct Regions {
    std::array<int, 3> grid{1, 1, 1};

    int size() const { return grid[0] * grid[1] * grid[2]; }
    int of(const std::array<int, 3>& at) const { return (at[0] * grid[1] + at[1]) * grid[2] + at[2]; }
};

/// How far atoms may be from their region [box vectors], and how far they move after they were assigned [nm].
inline constexpr double stray = 0.04, move = 0.05;

/// A number in [-1, 1) that hangs together with nothing.
inline double scatter(std::size_t i, std::uint64_t stream) {
    std::uint64_t h = (i + 1) * 0x9E3779B97F4A7C15ULL + stream * 0xD1B54A32D192ED03ULL;
    h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9ULL;
    h ^= h >> 29;
    return static_cast<double>(h >> 11) * 0x1p-52 - 1.0;
}

/// One rank's atoms of a system: those of its region, which may have strayed from it, and a few of others as a halo.
struct SpreadAtoms {
    LocalAtoms atoms;
    LocalTerms terms;
    LocalParameters parameters;

    SpreadAtoms(const Box& box, const Charges& all, const Regions& regions, int rank) {
        const Lattice lattice(box, {});
        atoms.all = static_cast<std::int64_t>(all.x.size());
        atoms.farthest_move = move;
        for (std::size_t a = 0; a < 3; ++a) {
            if (regions.grid[a] > 1) atoms.split_axes |= 1u << a;
        }
        std::vector<std::size_t> halo;
        for (std::size_t i = 0; i < all.x.size(); ++i) {
            const LatticePoint u = lattice.point(all.x[i]);
            Vec3l place{u.x, u.y, u.z};
            std::array<int, 3> at{};
            for (int a = 0; a < 3; ++a) {
                const double s =
                    static_cast<double>(place[a]) * 0x1p-32 + stray * scatter(i, static_cast<std::uint64_t>(a));
                const double turns = std::floor(s);
                const int parts = regions.grid[static_cast<std::size_t>(a)];
                at[static_cast<std::size_t>(a)] = std::min(parts - 1, static_cast<int>((s - turns) * parts));
                place[a] -= static_cast<std::int64_t>(turns) * (std::int64_t{1} << 32);
            }
            if (regions.of(at) == rank) {
                add(i, all.q[i], place, Zone{});
            } else if (rank < regions.size() && i % 7 == 0) {
                halo.push_back(i);
            }
        }
        atoms.home = atoms.size();
        for (const std::size_t i : halo) add(i, all.q[i], Vec3l{}, Zone{7, 0});
    }

    LocalSystem system() const { return {atoms, terms, parameters}; }

  private:
    void add(std::size_t i, double charge, const Vec3l& place, Zone zone) {
        atoms.ids.push_back(static_cast<std::int64_t>(i));
        atoms.zones.push_back(zone);
        atoms.places.push_back(place);
        parameters.charge.push_back(charge);
        parameters.type.push_back(0);
    }
};

struct MovedSystem {
    Box box;
    std::vector<Vec3d> x;

    /// Nobody moved.
    static MovedSystem still(const Box& from, const Charges& all) { return {from, all.x}; }
    /// Everyone moved by less than `move`, in a box shrunk by half a per cent.
    MovedSystem(const Box& from, const Charges& all)
        : box(from.transformed({Vec3d{0.995, 0, 0}, Vec3d{0, 0.995, 0}, Vec3d{0, 0, 0.995}})) {
        for (std::size_t i = 0; i < all.x.size(); ++i) {
            Vec3d r = all.x[i] * 0.995;
            for (int a = 0; a < 3; ++a) r[a] += 0.5 * move * scatter(i, 10 + static_cast<std::uint64_t>(a));
            x.push_back(r);
        }
    }

  private:
    MovedSystem(const Box& from, std::vector<Vec3d> at) : box(from), x(std::move(at)) {}
};

}  // namespace mdsim::test
