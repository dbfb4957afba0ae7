// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "run/parity/engine.h"
#include "run/parity/start_evaluation.h"

namespace mdsim::parity {

/// Energies of both that belong together [kJ/mol].
struct Pair {
    std::string name;  ///< of the engine's terms
    double ours = 0.0, theirs = 0.0;
    bool agree = true;
};

/// How far the forces of two engines differ.
struct ForceDifference {
    double relative = 0.0;  ///< RMS of the difference over the RMS force
    double largest = 0.0;   ///< [kJ/mol/nm]
    std::size_t atom = 0;   ///< it is on this one, from 0
};

struct Comparison {
    std::vector<Pair> energies;
    ForceDifference force;
    double tolerance = 0.0;  ///< relative, of energies and of the RMS of forces
    bool agree() const;
};

/// Energies agree within the tolerance times the larger one, or times the largest part of a sum that cancels, or within
/// 1e-3 kJ/mol.
Comparison compare(Convention convention, const StartEvaluation& ours, const EngineResult& theirs);

/// "OW of SOL 12", with the number of the residue in the file.
std::string describe_atom(const Topology& topology, std::size_t atom);

}  // namespace mdsim::parity
