// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/trajectory/trajectory_info.h"
#include "system/topology.h"

namespace mdsim {

/// What an H5MD file says once, about the atoms that it holds.
struct H5mdAtoms {
    std::vector<std::int64_t> id;       ///< global numbers from 1, as in the input; extent: atoms written
    std::vector<std::int64_t> species;  ///< atomic numbers
    std::vector<double> mass;           ///< [u]
    std::vector<double> charge;         ///< [e]
    std::vector<std::int64_t> bonds;    ///< pairs of indices into the atoms written, from 0; extent: 2 * bonds
    std::vector<std::string> name;      ///< extent: atoms written, or empty where they have none
    std::vector<std::int64_t> residue;  ///< of each atom, into those below
    std::vector<std::string> residue_name, residue_chain;
    std::vector<std::int64_t> residue_number;
    std::vector<std::string> residue_insertion;  ///< codes, or empty where there are none

    /// Once they are in the file.
    void forget_names();
};

/// ids: numbers in the whole system of the atoms of `topology`, from 0; empty: 0, 1, 2, ...
H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> ids);

/// What does not change while a file grows.
struct H5mdContent {
    H5mdAtoms atoms;
    WithVelocities velocities = WithVelocities::no;
    WithForces forces = WithForces::no;
    /// Positions are rounded to multiples of this [nm], a power of two, so that single precision holds them exactly and
    /// they pack well; 0: not rounded.
    double grid = 0.0;
    Durability durability = Durability::synced;
    std::map<std::string, std::string> provenance{};
};

/// The largest power of two that is not above `precision` [nm].
double h5md_grid(double precision);

}  // namespace mdsim
