// SPDX-License-Identifier: Apache-2.0
#include "run/output/trajectory_view.h"

#include <cmath>

namespace mdsim {

namespace {

// The translation by whole box vectors that brings a point into the box.
Vec3d into_box(const Box& box, const Vec3d& point) {
    const Vec3d s = box.to_fractional(point);
    return box.to_cartesian({-std::floor(s.x), -std::floor(s.y), -std::floor(s.z)});
}

}  // namespace

std::vector<Vec3d> shown_positions(const Topology& topology, const Box& box, std::span<const Vec3d> x,
                                   Molecules molecules) {
    std::vector<Vec3d> shown(x.begin(), x.end());
    if (!box.periodic()) return shown;
    if (molecules == Molecules::wrapped) {
        for (Vec3d& r : shown) r += into_box(box, r);
        return shown;
    }
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const std::span<Vec3d> atoms(shown.data() + first, type.atoms.size());
        Vec3d mean{};
        for (const Vec3d& r : atoms) mean += r;
        mean *= 1.0 / static_cast<double>(atoms.size());
        const Vec3d shift = into_box(box, mean);
        for (Vec3d& r : atoms) r += shift;
    });
    return shown;
}

}  // namespace mdsim
