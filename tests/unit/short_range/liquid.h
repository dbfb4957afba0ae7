// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "system/force_field.h"
#include "system/lattice.h"
#include "system/nonbonded.h"
#include "system/terms.h"

namespace mdsim::test {

enum class Rule { lorentz_berthelot, geometric, table };

/// A liquid of three-site molecules at random places that do not overlap much, types 0 (O), 1 (H, no Lennard-Jones), 2.
struct Liquid {
    Box box;
    ForceField force_field;
    std::vector<Vec3d> x;
    std::vector<int> types;
    std::vector<double> charges;
    std::vector<Exclusion> exclusions;
    std::vector<LatticePoint> points;

    Liquid(const Box& cell, int molecules, Rule rule, std::uint32_t seed) : box(cell) {
        set_force_field(rule);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        std::normal_distribution<double> normal(0.0, 0.06);
        while (static_cast<int>(x.size()) < 3 * molecules) {
            const Vec3d s{uniform(random), uniform(random), uniform(random)};
            const Vec3d center = box.periodic() ? box.to_cartesian(s) : s * 4.0;
            bool clear = true;
            for (std::size_t i = 0; i < x.size(); i += 3) {
                clear = clear && norm(box.minimum_image(x[i] - center)) > 0.24;
            }
            if (clear) add_molecule(center, random, normal);
        }
        update();
    }

    void update() {
        points.resize(x.size());
        Lattice(box, x).points(x, points);
    }

  private:
    void set_force_field(Rule rule) {
        force_field.type_names = {"O", "H", "N"};
        const double sigma[3] = {0.315, 0.2, 0.35}, epsilon[3] = {0.63, 0.0, 0.4};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double s = 0.5 * (sigma[i] + sigma[j]);
                if (rule == Rule::geometric) s = std::sqrt(sigma[i] * sigma[j]);
                if (rule == Rule::table && i != j) s *= 1.05;
                const double e = std::sqrt(epsilon[i] * epsilon[j]);
                force_field.lj.push_back({4 * e * std::pow(s, 6), 4 * e * std::pow(s, 12)});
            }
        }
    }
    void add_molecule(const Vec3d& center, std::mt19937& random, std::normal_distribution<double>& normal) {
        const int first = static_cast<int>(x.size());
        for (int k = 0; k < 3; ++k) {
            x.push_back(k == 0 ? center : center + Vec3d{normal(random), normal(random), normal(random)});
            types.push_back(k == 0 ? (first % 2 == 0 ? 0 : 2) : 1);
            charges.push_back(k == 0 ? -0.8 : 0.4);
        }
        exclusions.push_back({first, first + 1});
        exclusions.push_back({first, first + 2});
        exclusions.push_back({first + 1, first + 2});
    }
};

inline NonbondedSettings pme() {
    NonbondedSettings s;
    s.cutoff = 0.9;
    s.ewald_splitting = 3.12;
    s.coulomb_constant = 138.935457644;
    return s;
}

inline const Box cubic = Box::rectangular(2.6, 2.4, 2.5);
inline const Box dodecahedron = Box::from_lengths_angles({3.0, 3.0, 3.0}, {60, 60, 90});

/// Charges of 1/2 beside each other on one side of a strong one, `r` away from it. No Lennard-Jones parameters.
inline Liquid crowd(double strong_charge, int count, double r) {
    Liquid l(cubic, 0, Rule::lorentz_berthelot, 1);
    const auto add = [&](const Vec3d& x, double charge) {
        l.x.push_back(x);
        l.types.push_back(1);
        l.charges.push_back(charge);
    };
    const Vec3d center{1.2, 1.1, 1.3};
    add(center, strong_charge);
    for (int k = 0; k < count; ++k) {
        // Evenly over a half sphere, by turns of the golden angle.
        const double z = (k + 0.5) / count, rho = std::sqrt(1.0 - z * z), turn = 2.399963 * k;
        add(center + r * Vec3d{rho * std::cos(turn), rho * std::sin(turn), z}, 0.5);
    }
    l.update();
    return l;
}

}  // namespace mdsim::test
