// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <omp.h>

#include "core/fixed_point.h"
#include "parallel/comm.h"
#include "system/state.h"
#include "system/topology.h"

namespace mdsim::test {

inline Atom atom(const char* name, int element, double mass) {
    Atom a;
    a.name = name;
    a.element = element;
    a.mass = mass;
    return a;
}

/// TIP3P (Jorgensen et al. 1983): O-H 0.09572 nm, H-O-H 104.52 degrees; bonds as AMBER writes them.
inline MoleculeType flexible_water() {
    MoleculeType type;
    type.name = "WAT";
    type.residues = {{"WAT", 1, ""}};
    type.atoms = {atom("O", 8, 16.0), atom("H1", 1, 1.008), atom("H2", 1, 1.008)};
    type.bonds = {{0, 1, 462750.4, 0.09572}, {0, 2, 462750.4, 0.09572}, {1, 2, 462750.4, 0.15139}};
    return type;
}

inline MoleculeType rigid_water() {
    MoleculeType type = flexible_water();
    type.bonds.clear();
    type.settles = {{0, 1, 2, 0.09572, 0.15139}};
    return type;
}

/// The same held by three plain constraints.
inline MoleculeType constrained_water() {
    MoleculeType type = rigid_water();
    type.settles.clear();
    type.constraints = {{0, 1, 0.09572}, {0, 2, 0.09572}, {1, 2, 0.15139}};
    return type;
}

/// A methyl group on a second carbon, hydrogens first in the bond list.
inline MoleculeType ethyl() {
    MoleculeType type;
    type.name = "ETH";
    type.residues = {{"ETH", 7, ""}};
    type.atoms = {atom("C1", 6, 12.01), atom("H11", 1, 1.008), atom("H12", 1, 1.008), atom("H13", 1, 1.008),
                  atom("C2", 6, 12.01)};
    type.bonds = {{1, 0, 284512.0, 0.109}, {0, 2, 284512.0, 0.109}, {0, 3, 284512.0, 0.109}, {0, 4, 259408.0, 0.1526}};
    return type;
}

inline MoleculeType single(const char* name, double mass) {
    MoleculeType type;
    type.name = name;
    type.residues = {{name, 1, ""}};
    type.atoms = {atom(name, 0, mass)};
    return type;
}

inline Topology topology(std::vector<MoleculeType> types, const std::vector<std::int64_t>& counts) {
    Topology t;
    t.types = std::move(types);
    for (std::size_t i = 0; i < counts.size(); ++i) t.blocks.push_back({static_cast<int>(i), counts[i]});
    return t;
}

inline AtomParameters parameters(const Topology& topology) {
    AtomParameters p;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
        for (const Atom& a : type.atoms) {
            p.id.push_back(static_cast<std::int64_t>(p.id.size()));
            p.mass.push_back(a.mass);
            p.inverse_mass.push_back(1.0 / a.mass);
            p.charge.push_back(a.charge);
            p.type.push_back(a.type);
        }
    });
    return p;
}

/// The ranks of a test without others.
inline const Comm& alone() {
    static const Comm comm;
    return comm;
}

/// A water in its equilibrium shape, turned by three random angles and put at `at`.
inline void append_water(std::vector<Vec3d>& x, const Vec3d& at, std::mt19937& random) {
    std::uniform_real_distribution<double> angle(0.0, 6.283185307179586);
    const double half = 0.5 * 0.15139, height = std::sqrt(0.09572 * 0.09572 - half * half);
    const double a = angle(random), b = angle(random), c = angle(random);
    const auto turn = [&](Vec3d r) {
        r = {std::cos(a) * r.x - std::sin(a) * r.y, std::sin(a) * r.x + std::cos(a) * r.y, r.z};
        r = {r.x, std::cos(b) * r.y - std::sin(b) * r.z, std::sin(b) * r.y + std::cos(b) * r.z};
        return Vec3d{std::cos(c) * r.x - std::sin(c) * r.y, std::sin(c) * r.x + std::cos(c) * r.y, r.z};
    };
    x.push_back(at);
    x.push_back(at + turn({half, height, 0}));
    x.push_back(at + turn({-half, height, 0}));
}

inline std::vector<Vec3d> water_positions(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Vec3d> x;
    for (int i = 0; i < count; ++i) {
        append_water(x, {0.31 * (i % 7), 0.31 * (i / 7 % 7), 0.31 * (i / 49)}, random);
    }
    return x;
}

inline void append_ethyl(std::vector<Vec3d>& x, const Vec3d& at) {
    const double third = 0.109 / 3.0, side = 0.109 * std::sqrt(8.0) / 3.0, root = std::sqrt(0.75);
    for (const Vec3d& r : {Vec3d{}, Vec3d{side, 0, -third}, Vec3d{-0.5 * side, root * side, -third},
                           Vec3d{-0.5 * side, -root * side, -third}, Vec3d{0, 0, 0.1526}}) {
        x.push_back(at + r);
    }
}

inline std::vector<Vec3d> noise(std::size_t n, double size, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.0, size);
    std::vector<Vec3d> out(n);
    for (Vec3d& r : out) r = {normal(random), normal(random), normal(random)};
    return out;
}

inline Vec3l fixed_force(const Vec3d& f) {
    return {fixed::force(f.x), fixed::force(f.y), fixed::force(f.z)};
}

/// Every atom tied to its place by a spring [kJ/mol/nm^2].
inline std::vector<Vec3l> spring_forces(const std::vector<Vec3d>& x, const std::vector<Vec3d>& home, double k) {
    std::vector<Vec3l> f(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) f[i] = fixed_force(-k * (x[i] - home[i]));
    return f;
}

/// Sets the number of threads and puts it back.
class Threads {
  public:
    explicit Threads(int n) : before_(omp_get_max_threads()) { omp_set_num_threads(n); }
    ~Threads() { omp_set_num_threads(before_); }

  private:
    int before_;
};

}  // namespace mdsim::test
