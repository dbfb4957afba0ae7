// SPDX-License-Identifier: Apache-2.0
#include "system/topology.h"

namespace mdsim {

namespace {
template <class T, class F>
T sum_over_blocks(const Topology& topology, F&& of_type) {
    T sum{};
    for (const MoleculeBlock& block : topology.blocks) {
        sum += static_cast<T>(block.count) * of_type(topology.types[static_cast<std::size_t>(block.type)]);
    }
    return sum;
}
}  // namespace

std::int64_t Topology::atoms() const {
    return sum_over_blocks<std::int64_t>(*this, [](const MoleculeType& t) { return std::int64_t{t.size()}; });
}

std::int64_t Topology::molecules() const {
    return sum_over_blocks<std::int64_t>(*this, [](const MoleculeType&) { return std::int64_t{1}; });
}

std::int64_t Topology::residues() const {
    return sum_over_blocks<std::int64_t>(
        *this, [](const MoleculeType& t) { return static_cast<std::int64_t>(t.residues.size()); });
}

double Topology::charge() const {
    return sum_over_blocks<double>(*this, [](const MoleculeType& t) {
        double q = 0.0;
        for (const Atom& atom : t.atoms) q += atom.charge;
        return q;
    });
}

double Topology::mass() const {
    return sum_over_blocks<double>(*this, [](const MoleculeType& t) {
        double m = 0.0;
        for (const Atom& atom : t.atoms) m += atom.mass;
        return m;
    });
}

}  // namespace mdsim
