// SPDX-License-Identifier: Apache-2.0
#include "forces/restraints/flat_position_restraints.h"

#include "parallel/threads.h"

namespace mdsim {

void FlatPositionRestraints::assign(const LocalSystem& system) {
    terms_ = system.terms.flat_position_restraints;
    references_.clear();
    for (const FlatPositionRestraint& t : terms_) {
        references_.push_back(system.references[number_][static_cast<std::size_t>(t.i)]);
    }
}

void FlatPositionRestraints::compute_home(const Evaluation& evaluation, ForceSink& sink) {
    const bool moved = box_.periodic() && !(evaluation.box == box_);
    parallel_ranges(terms_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        for (std::size_t n = begin; n < end; ++n) {
            const FlatPositionRestraint& t = terms_[n];
            const auto atom = static_cast<std::size_t>(t.i);
            const Vec3d reference =
                moved ? evaluation.box.to_cartesian(box_.to_fractional(references_[n])) : references_[n];
            const Vec3d d = evaluation.x[atom] - reference;
            const Vec3d along{t.axes[0] * d.x, t.axes[1] * d.y, t.axes[2] * d.z};
            const double distance = norm(along), off = distance - t.radius;
            if (t.outside ? off >= 0.0 : off <= 0.0) continue;
            // On the reference itself a force outwards has no direction.
            const Vec3d force = (distance > 0.0 ? -t.force_constant * off / distance : 0.0) * along;
            slot.add(atom, force);
            if (evaluation.plan.energies == Need::yes) {
                slot.energies()[Term::restraint].add(0.5 * t.force_constant * off * off);
            }
            if (evaluation.plan.virial == Need::yes) slot.energies().add_virial(force, d);
        }
    });
}

}  // namespace mdsim
