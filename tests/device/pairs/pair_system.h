// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "forces/force_term.h"
#include "forces/short_range/lj_combination.h"
#include "gpu/kernels/pair_forces.h"
#include "pairs/device/tile_list.h"
#include "pairs/pair_lists.h"
#include "system/force_field.h"
#include "tests/device/devices.h"

namespace mdsim::test {

/// What pairs feel, atom by atom, and where the atoms are.
struct PairAtoms {
    Box box;
    std::vector<Vec3d> x;  // [nm]
    ForceField force_field;
    std::vector<int> types;
    std::vector<double> charges;  // [e]
    std::vector<Exclusion> exclusions;
};

/// Forces [2^-12 kJ/mol/nm] and energies.
struct PairResult {
    std::vector<Vec3l> forces;
    kernels::PairSums sums{};
    kernels::ForceFlags flags{};  // of the pairs
    bool second_words = false;    // whether any is in use
    TileList kept;

    double sum(kernels::PairSums::Index i) const;  // [kJ/mol]
};

/// What a term of the CPU gives: forces [2^-32 kJ/mol/nm] and energies.
struct Expected {
    std::vector<Vec3l> forces;
    EnergySums energies;
};

/// What is computed, and how.
struct PairRun {
    bool everything = false;  // energies and virial too
    bool pruned = true;       // the pairs of the pruned list, or of the outer one
    std::function<void(gpu::Stream&, const kernels::PairForcesArgs&)> launch = kernels::add_pair_forces;
};

/// One system on the host, ready to be copied to a device.
class PairSystem {
  public:
    PairSystem(const PairAtoms& atoms, const NonbondedSettings& settings);

    /// Prunes the outer list on a device and computes the pairs.
    PairResult run(const Case& c, const PairRun& wanted = {}) const;
    /// By plain loops in double precision.
    Expected reference() const;
    /// By the vector kernels in single precision.
    Expected cpu() const;

    const PairLists& lists() const { return lists_; }
    const TileList& outer() const { return outer_; }
    const Lattice& lattice() const { return lattice_; }

  private:
    PairAtoms atoms_;
    NonbondedSettings settings_;
    Lattice lattice_;
    std::vector<LatticePoint> points_;
    LjCombination lj_;
    PairLists lists_;
    TileList outer_;

    Expected evaluate(HostTerm& term) const;
};

}  // namespace mdsim::test
