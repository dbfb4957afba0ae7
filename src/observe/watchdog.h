// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/vec3.h"
#include "system/preparation/atom_names.h"
#include "system/state.h"

namespace mdsim {

/// Looks for physics that has come apart. Error (unstable) with the residue and atom, and the largest force with its
/// atom: MD502 a position or velocity that is not a number, MD503 a force beyond fixed point, MD504 an atom that moves
/// farther than `longest_move` in a step, MD505 a temperature above `highest_temperature`.
class Watchdog {
  public:
    struct Limits {
        double longest_move = 0.5;           ///< [nm] per step: five bond lengths
        double highest_temperature = 5.0e4;  ///< [K]
    };
    explicit Watchdog(const Topology& topology) : Watchdog(topology, Limits{}) {}
    Watchdog(const Topology& topology, const Limits& limits) : names_(topology), limits_(limits) {}

    /// What moved the home atoms of this rank; extent of each: those.
    struct Moved {
        std::span<const std::int64_t> ids;
        std::span<const Vec3l> forces;  ///< [2^-32 kJ/mol/nm]
    };
    /// After a step of dt [ps]: state, and the forces that led to it. One pass over the atoms; reports the lowest atom
    /// at fault, so that the message does not depend on threads. Other ranks are not asked.
    void check(const State& state, const Moved& moved, double dt) const;
    /// Where a temperature [K] was computed anyway.
    void check_temperature(const Moved& moved, double temperature) const;

  private:
    AtomNames names_;
    Limits limits_;

    [[noreturn]] void bark(const Moved& moved, const char* code, const std::string& what) const;
};

}  // namespace mdsim
