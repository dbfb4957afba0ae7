// SPDX-License-Identifier: Apache-2.0
#include "forces/restraints/walls.h"

#include <limits>

#include "domain/local/local_numbers.h"
#include "forces/restraints/thread_reports.h"
#include "parallel/threads.h"
#include "physics/bonded/flat_bottom.h"

namespace mdsim {

Wall::Wall(WallSettings settings) : settings_(std::move(settings)) {}

bool Wall::fits(WallShape shape, int axis, const Box& box) {
    if (shape == WallShape::sphere || !box.periodic()) return true;
    const auto a = static_cast<std::size_t>(axis);
    for (std::size_t b = 0; b < 3; ++b) {
        const bool alone = b == a || (box.rows()[a][static_cast<int>(b)] == 0.0 && box.rows()[b][axis] == 0.0);
        if (!alone) return false;
    }
    return true;
}

void Wall::assign(const LocalSystem& system) {
    LocalNumbers numbers;
    numbers.assign(std::span(system.atoms.ids).first(system.atoms.home), system.atoms.home);
    home_.clear();
    for (const std::int64_t id : settings_.atoms) {
        const int at = numbers.find(id);
        if (at >= 0) home_.push_back(static_cast<std::size_t>(at));
    }
}

// The components that count; nearest images of these are nearest images of the atom.
Vec3d Wall::from_centre(const Vec3d& x) const {
    Vec3d d = x - settings_.centre;
    for (int a = 0; a < 3; ++a) {
        const bool along = a == settings_.axis;
        if (along ? settings_.shape == WallShape::cylinder : settings_.shape == WallShape::plane) d[a] = 0.0;
    }
    return d;
}

void Wall::compute_home(const Evaluation& evaluation, ForceSink& sink) {
    const bool inside = settings_.keep == WallSide::inside;
    const double k = settings_.force_constant, limit = settings_.half_width;
    ThreadReports reports(evaluation.plan);
    parallel_ranges(home_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        for (std::size_t n = begin; n < end; ++n) {
            const Vec3d& x = evaluation.x[home_[n]];
            const Vec3d as_it_is = from_centre(x), d = evaluation.box.minimum_image(as_it_is);
            const double r = norm(d);
            const double off = r - physics::nearest_in(r, inside ? 0.0 : limit,
                                                       inside ? limit : std::numeric_limits<double>::infinity());
            const Vec3d force = r > 0.0 ? (-k * off / r) * d : Vec3d{};
            const double energy = 0.5 * k * off * off;
            slot.add(home_[n], force);
            if (evaluation.plan.energies == Need::yes) slot.energies()[Term::restraint].add(energy);
            reports.add(thread, energy, off * off);
            if (evaluation.plan.virial == Need::yes) slot.energies().add_virial(force, x + (d - as_it_is));
        }
    });
    reports.give({settings_.name, "nm", RestraintSums::Means::rms, {}, {}, {}}, report_);
}

}  // namespace mdsim
