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

H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> atoms) {
    H5mdAtoms out;
    std::vector<std::int64_t> index(static_cast<std::size_t>(topology.atoms()), -1);
    for (std::size_t i = 0; i < atoms.size(); ++i)
        index[static_cast<std::size_t>(atoms[i])] = static_cast<std::int64_t>(i);
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto bond = [&](int i, int j) {
            const std::int64_t a = index[static_cast<std::size_t>(first + i)],
                               b = index[static_cast<std::size_t>(first + j)];
            if (a >= 0 && b >= 0) out.bonds.insert(out.bonds.end(), {a, b});
        };
        for (const Bond& b : type.bonds) bond(b.i, b.j);
        for (const Exclusion& c : type.connections) bond(c.i, c.j);
        for (int i = 0; i < type.size(); ++i) {
            if (index[static_cast<std::size_t>(first + i)] < 0) continue;
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            out.id.push_back(first + i + 1);
            out.species.push_back(atom.element);
            out.mass.push_back(atom.mass);
            out.charge.push_back(atom.charge);
        }
    });
    return out;
}

}  // namespace mdsim
