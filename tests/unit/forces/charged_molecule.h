// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "forces/coulomb_constants.h"
#include "forces/exclusions.h"
#include "forces/term_checks.h"

namespace mdsim::test {

/// One molecule of atoms with these scaled charges [(kJ nm/mol)^(1/2)].
inline Topology charged_molecule(const std::vector<double>& scaled_charges, const std::vector<Exclusion>& exclusions,
                                 const NonbondedSettings& settings) {
    Topology topology;
    MoleculeType& type = topology.types.emplace_back();
    type.atoms.resize(scaled_charges.size());
    for (std::size_t n = 0; n < type.atoms.size(); ++n) {
        type.atoms[n].charge = scaled_charges[n] / std::sqrt(settings.coulomb_constant);
    }
    type.exclusions = exclusions;
    topology.blocks = {{0, 1}};
    return topology;
}

inline std::unique_ptr<HostTerm> exclusion_term(const std::vector<Exclusion>& exclusions,
                                                const std::vector<double>& scaled_charges,
                                                const NonbondedSettings& settings) {
    const Topology topology = charged_molecule(scaled_charges, exclusions, settings);
    auto term = make_exclusion_term(topology, settings);
    if (term) assign(*term, make_local_terms(topology), make_atom_parameters(topology).charge);
    return term;
}

inline std::unique_ptr<HostTerm> coulomb_constants(const std::vector<double>& scaled_charges,
                                                   const NonbondedSettings& settings) {
    return make_coulomb_constants(charged_molecule(scaled_charges, {}, settings), settings);
}

}  // namespace mdsim::test
