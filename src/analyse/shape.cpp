// SPDX-License-Identifier: Apache-2.0
#include "analyse/shape.h"

#include <cmath>

#include "analyse/superpose.h"
#include "system/molecules/molecule_index.h"

namespace mdsim::analyse {

Fitter::Fitter(const Topology& topology, const std::string& select, Fitting fitting)
    : table_(atom_table(topology)),
      measured_(select, topology, Selecting::once),
      superposed_(fitting.select.empty() ? select : fitting.select, topology, Selecting::once),
      fitting_(std::move(fitting)) {}

std::vector<double> Fitter::weights_of(const std::vector<std::int64_t>& atoms) const {
    std::vector<double> weights(atoms.size(), 1.0);
    if (fitting_.weights == Weights::equal) return weights;
    for (std::size_t i = 0; i < atoms.size(); ++i) weights[i] = table_.mass[static_cast<std::size_t>(atoms[i])];
    return weights;
}

void Fitter::begin(const Snapshot& frame) {
    atoms_ = measured_.atoms(frame);
    fit_atoms_ = superposed_.atoms(frame);
    weights_ = weights_of(atoms_);
    fit_weights_ = weights_of(fit_atoms_);
    const std::span<const Vec3d> from =
        fitting_.reference.empty() ? frame.x : std::span<const Vec3d>(fitting_.reference);
    reference_ = positions(from, atoms_);
    fit_reference_ = positions(from, fit_atoms_);
    begun_ = true;
}

std::vector<Vec3d> Fitter::fitted(const Snapshot& frame) {
    if (!begun_) begin(frame);
    const RigidMotion motion = superpose(positions(frame.x, fit_atoms_), fit_reference_, fit_weights_);
    std::vector<Vec3d> x = positions(frame.x, atoms_);
    for (Vec3d& r : x) r = motion(r);
    return x;
}

void Rmsd::add(const Snapshot& frame, std::vector<Row>& rows) {
    const std::vector<Vec3d> x = fitter_.fitted(frame);
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += fitter_.weights()[i] * norm2(x[i] - fitter_.reference()[i]);
        total += fitter_.weights()[i];
    }
    rows.push_back({frame.time, std::sqrt(sum / total)});
}

// Welford, Technometrics 4 (1962) 419: no sum of large squares that cancel.
void Rmsf::add(const Snapshot& frame, std::vector<Row>&) {
    const std::vector<Vec3d> x = fitter_.fitted(frame);
    mean_.resize(x.size());
    spread_.resize(x.size());
    ++frames_;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3d before = x[i] - mean_[i];
        mean_[i] += before * (1.0 / static_cast<double>(frames_));
        spread_[i] += dot(before, x[i] - mean_[i]);
    }
}

void Rmsf::finish(std::vector<Row>& rows) {
    const MoleculeIndex index(topology_);
    for (std::size_t i = 0; i < spread_.size(); ++i) {
        const AtomPlace place = index.place(fitter_.atoms()[i]);
        const Atom& atom = place.type->atoms[static_cast<std::size_t>(place.atom)];
        const Residue& residue = place.type->residues[static_cast<std::size_t>(atom.residue)];
        rows.push_back({fitter_.atoms()[i] + 1, std::int64_t{residue.number}, residue.name, atom.name,
                        std::sqrt(spread_[i] / static_cast<double>(frames_))});
    }
}

void RadiusOfGyration::add(const Snapshot& frame, std::vector<Row>& rows) {
    const std::vector<std::int64_t>& atoms = group_.atoms(frame);
    const std::vector<Vec3d> x = positions(frame.x, atoms);
    std::vector<double> masses;
    for (const std::int64_t atom : atoms) masses.push_back(table_.mass[static_cast<std::size_t>(atom)]);
    const Vec3d centre = weighted_mean(x, masses);
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += masses[i] * norm2(x[i] - centre);
        total += masses[i];
    }
    rows.push_back({frame.time, std::sqrt(sum / total)});
}

}  // namespace mdsim::analyse
