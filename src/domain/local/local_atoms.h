// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "domain/local/local_terms.h"
#include "system/state.h"

namespace mdsim {

/// Where the home region of an atom lies, seen from this rank's: bit a of `above` is set where it is another one along
/// axis a, and then bit a of `wrapped` where it is reached by crossing the end of the periodic box. Regions below are
/// never seen: of every two atoms the rank that is the lower one along each axis computes what they do to each other.
struct Zone {
    std::uint8_t above = 0;
    std::uint8_t wrapped = 0;

    bool home() const { return above == 0; }
    friend bool operator==(const Zone&, const Zone&) = default;
};

/// Whether two local atoms whose zones are these may meet here (along each axis at least one is at home).
constexpr bool may_meet(Zone a, Zone b) {
    return (a.above & b.above) == 0;
}

/// The atoms whose positions a rank has: first its home atoms, by ascending id, then its halo. Local numbers are places
/// in these arrays. On one rank: all atoms, in order.
struct LocalAtoms {
    std::vector<std::int64_t> ids;  ///< global numbers; extent: local atoms
    std::vector<Zone> zones;        ///< extent: local atoms
    /// Lattice coordinates, not wrapped, when these lists were made: those of a home atom lie in or near this rank's
    /// region, those of a halo atom in or near its own region as it is seen from here (above this one, beyond the end
    /// of the box where it is wrapped). Read modulo 2^32 they are the lattice points. Extent: local atoms; empty on
    /// one rank, which asks no such question.
    std::vector<Vec3l> places;
    std::size_t home = 0;        ///< number of home atoms
    std::int64_t all = 0;        ///< number of atoms of all ranks
    double farthest_move = 0.0;  ///< no atom moves farther than this before these lists are made anew [nm]
    unsigned split_axes = 0;     ///< bit a: there is more than one region along axis a

    std::size_t size() const { return ids.size(); }
};

/// What force terms need to know of local atoms; extent of each: local atoms.
struct LocalParameters {
    std::vector<double> charge;  ///< [e]
    std::vector<int> type;       ///< into ForceField
};

/// What force terms are made for, anew whenever the halo changes.
struct LocalSystem {
    const LocalAtoms& atoms;
    const LocalTerms& terms;  ///< those that this rank computes, in local numbers
    const LocalParameters& parameters;
    /// Places that restraints hold home atoms to, of each restraint [nm]; not a number where an atom is free. Extent of
    /// each: home atoms.
    std::span<const std::vector<Vec3d>> references{};
};

}  // namespace mdsim
