// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "parallel/comm.h"
#include "system/box.h"
#include "system/state.h"
#include "system/topology.h"

/// A small system whose units are dealt out to ranks like cards: everything that may be spread over ranks is.
namespace mdsim::test {

struct System {
    Topology topology;
    Box box;
    std::vector<Vec3d> x;  ///< extent: atoms of the system
};

/// Ubiquitin (inputs/) with bonds to hydrogen fixed, 300 rigid and 100 flexible waters, 36 ions: 2467 atoms.
System protein_water_salt();

/// Masses of all atoms, some of them frozen where that is wanted: an oxygen of a rigid water, a hydrogen of a flexible
/// one, an ion.
enum class Frozen { none, some };
AtomParameters all_atoms(const Topology& topology, Frozen frozen);

/// Ids of the atoms that this rank gets, ascending; another deal gives it others. Where there are three ranks or more,
/// the last one gets none.
std::vector<std::int64_t> dealt(const Topology& topology, const Comm& comm, unsigned deal);

/// Those entries of an array over all atoms that belong to home atoms.
template <class T>
std::vector<T> of_home(const std::vector<T>& all, const std::vector<std::int64_t>& ids) {
    std::vector<T> home;
    for (const std::int64_t id : ids) home.push_back(all[static_cast<std::size_t>(id)]);
    return home;
}
AtomParameters of_home(const AtomParameters& all, const std::vector<std::int64_t>& ids);

/// The array over all atoms, on every rank, from what each has of its home atoms.
std::vector<Vec3d> of_all(const std::vector<Vec3d>& home, const std::vector<std::int64_t>& ids, const Comm& comm);

}  // namespace mdsim::test
