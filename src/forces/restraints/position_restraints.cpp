// SPDX-License-Identifier: Apache-2.0
#include "forces/restraints/position_restraints.h"

#include "parallel/threads.h"

namespace mdsim {

PositionRestraints::PositionRestraints(std::vector<HeldAtom> atoms, ReferenceScaling scaling, const Box& box)
    : atoms_(std::move(atoms)), scaling_(box.periodic() ? scaling : ReferenceScaling::fixed), box_(box) {}

void PositionRestraints::compute(const Evaluation& evaluation, ForceSink& sink) {
    // Unless the box has changed references are taken as they are, without the rounding of there and back.
    const bool scaled = scaling_ == ReferenceScaling::with_box;
    const bool moved = scaled && !(evaluation.box == box_);
    parallel_ranges(atoms_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        for (std::size_t n = begin; n < end; ++n) {
            const HeldAtom& held = atoms_[n];
            const auto atom = static_cast<std::size_t>(held.atom);
            const Vec3d reference =
                moved ? evaluation.box.to_cartesian(box_.to_fractional(held.reference)) : held.reference;
            const Vec3d d = evaluation.x[atom] - reference;
            const Vec3d force{-held.k.x * d.x, -held.k.y * d.y, -held.k.z * d.z};
            slot.add(atom, force);
            if (evaluation.plan.energies == Need::yes) slot.energies()[Term::restraint].add(-0.5 * dot(force, d));
            if (evaluation.plan.virial == Need::yes) {
                slot.energies().add_virial(force, scaled ? d : evaluation.x[atom]);
            }
        }
    });
}

std::vector<HeldAtom> held_atoms(std::span<const PositionRestraint> restraints, std::span<const Vec3d> references) {
    std::vector<HeldAtom> held;
    held.reserve(restraints.size());
    for (const PositionRestraint& r : restraints) {
        held.push_back({r.i, {r.kx, r.ky, r.kz}, references[static_cast<std::size_t>(r.i)]});
    }
    return held;
}

std::unique_ptr<HostTerm> make_position_restraints(std::vector<HeldAtom> atoms, ReferenceScaling scaling,
                                                   const Box& box) {
    if (atoms.empty()) return nullptr;
    return std::make_unique<PositionRestraints>(std::move(atoms), scaling, box);
}

}  // namespace mdsim
