// SPDX-License-Identifier: Apache-2.0
#include "forces/restraints/position_restraints.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "forces/restraints/thread_reports.h"
#include "parallel/threads.h"

namespace mdsim {

PositionRestraints::PositionRestraints(std::size_t number, std::optional<double> force_constant,
                                       ReferenceScaling scaling, const Box& box, RestraintLabel label)
    : number_(number),
      force_constant_(force_constant),
      scaling_(box.periodic() ? scaling : ReferenceScaling::fixed),
      box_(box),
      label_(std::move(label)) {}

void PositionRestraints::assign(const LocalSystem& system) {
    const std::vector<Vec3d>& references = system.references[number_];
    MDSIM_EXPECT(references.size() == system.atoms.home);
    atoms_.clear();
    if (!force_constant_) {
        for (const PositionRestraint& r : system.terms.position_restraints) {
            atoms_.push_back({r.i, {r.kx, r.ky, r.kz}, references[static_cast<std::size_t>(r.i)]});
        }
        return;
    }
    const double k = *force_constant_;
    for (std::size_t i = 0; i < references.size(); ++i) {
        if (!std::isnan(references[i].x)) atoms_.push_back({static_cast<int>(i), {k, k, k}, references[i]});
    }
}

// Along d, from the place that is allowed and nearest.
Vec3d PositionRestraints::force_on(const HeldAtom& held, const Vec3d& d) const {
    if (label_.free == 0.0) return {-held.k.x * d.x, -held.k.y * d.y, -held.k.z * d.z};
    const double r = norm(d);
    return r > label_.free ? (-held.k.x * (r - label_.free) / r) * d : Vec3d{};
}

void PositionRestraints::compute_home(const Evaluation& evaluation, ForceSink& sink) {
    // Unless the box has changed references are taken as they are, without the rounding of there and back.
    const bool scaled = scaling_ == ReferenceScaling::with_box;
    const bool moved = scaled && !(evaluation.box == box_);
    ThreadReports reports(evaluation.plan);
    parallel_ranges(atoms_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        for (std::size_t n = begin; n < end; ++n) {
            const HeldAtom& held = atoms_[n];
            const auto atom = static_cast<std::size_t>(held.atom);
            const Vec3d reference =
                moved ? evaluation.box.to_cartesian(box_.to_fractional(held.reference)) : held.reference;
            const Vec3d d = evaluation.x[atom] - reference;
            const Vec3d force = force_on(held, d);
            slot.add(atom, force);
            if (evaluation.plan.energies == Need::yes) {
                const double share = label_.free == 0.0 ? 1.0 : 1.0 - label_.free / std::max(norm(d), label_.free);
                const double energy = -0.5 * dot(force, d) * share;
                slot.energies()[Term::restraint].add(energy);
                reports.add(thread, energy, norm2(d));
            }
            if (evaluation.plan.virial == Need::yes) {
                slot.energies().add_virial(force, scaled ? d : evaluation.x[atom]);
            }
        }
    });
    reports.give({label_.name, "nm", RestraintSums::Means::rms, {}, {}, {}}, report_);
}

}  // namespace mdsim
