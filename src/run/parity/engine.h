// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/parity/conventions.h"
#include "run/setup.h"

namespace mdsim::parity {

/// What another engine says about the same system.
struct EngineResult {
    std::string engine;           ///< with its version and precision
    std::vector<Value> energies;  ///< by its own names [kJ/mol]
    std::vector<Vec3d> forces;    ///< [kJ/mol/nm], extent: atoms
    double tolerance = 0.0;       ///< relative difference that two sound programs may have
};

/// With settings of the input that the engine has in the same form, and a reciprocal sum so fine that its error does
/// not show: at the positions of the setup. program: of the engine, or empty to search PATH. Errors: MD121 where the
/// engine is not there, MD122 where it does not have what the input asks for, MD123 where its run fails.
EngineResult run_gromacs(const Setup& setup, const std::filesystem::path& program);
EngineResult run_openmm(const Setup& setup, const std::filesystem::path& program);

/// What both engines are given in place of an input's mesh: the product of splitting and cutoff, at which erfc is 1e-8.
inline constexpr double tight_splitting = 4.05;

/// Input error MD122.
[[noreturn]] void refuse(const Setup& setup, const std::string& what, const std::string& remedy);

}  // namespace mdsim::parity
