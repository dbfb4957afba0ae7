// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/topology/gromacs/molecule.h"

namespace mdsim::gromacs {

namespace {

double radians(double degrees) {
    return degrees * units::pi / 180.0;
}

/// Of [ distance_restraints ] of factor 1 [kJ/mol/nm^2]: what mdrun takes unless disre-fc says otherwise. GROMACS
/// Reference Manual 2022, "Molecular dynamics parameters", NMR refinement.
constexpr double distance_restraint_constant = 1000.0;

/// theta0 [deg], k, n of k (1 - cos n (theta - theta0)) as the parameters of periodic_vector_angle.
std::array<double, 4> angle_restraint(const Values& v) {
    const double phase = v[2] * radians(v[0]) + units::pi;
    return {v[1], v[2], std::cos(phase), std::sin(phase)};
}

/// Axes along which the distance from the reference is measured, for the shapes 1 to 8 of a flat-bottomed position
/// restraint: sphere, cylinder along z, layers, cylinders along x, y, z.
constexpr std::array<std::array<int, 3>, 9> flat_axes{
    {{0, 0, 0}, {1, 1, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}};

/// What is wrong with the parameters of a rare form; empty where nothing is.
std::string_view problem_of(Kind kind, const Values& v) {
    switch (kind) {
        case Kind::fene:
            return v[0] > 0.0 ? "" : "the longest length must be positive";
        case Kind::restraint_bond:
            return 0.0 <= v[0] && v[0] <= v[1] && v[1] <= v[2] ? "" : "the distances must ascend: low, up1, up2";
        case Kind::distance_restraint:
            if (v[0] != std::round(v[0]) || std::abs(v[0]) > 1e9) return "the number must be a whole number";
            return 0.0 <= v[2] && v[2] <= v[3] && v[3] <= v[4] ? "" : "the distances must ascend: low, up1, up2";
        case Kind::angle_restraint:
        case Kind::angle_restraint_z:
            return v[2] >= 0.0 && v[2] <= 100.0 && v[2] == std::round(v[2])
                       ? ""
                       : "the multiplicity must be a whole number from 0 to 100";
        case Kind::flat_position_restraint:
            return v[0] == std::round(v[0]) && v[0] >= 1.0 && v[0] <= 8.0 ? "" : "the shape must be 1 to 8";
        case Kind::dihedral_restraint:
            return v[1] >= 0.0 ? "" : "the free range must not be negative";
        default:
            return "";
    }
}

}  // namespace

// Number, kind of averaging, low, up1, up2, factor. Without averaging over time, which both kinds of GROMACS' simple
// restraints have, and of one pair each.
void Molecule::add_distance_restraint(const Term& term, const Values& v) {
    const int number = static_cast<int>(v[0]);
    if (std::find(distance_restraints_.begin(), distance_restraints_.end(), number) != distance_restraints_.end()) {
        refuse(term.origin, fmt::format("[ distance_restraints ]: number {} on several lines is not supported", number),
               "GROMACS averages over the pairs of one restraint; mdsim restrains single pairs");
        return;
    }
    distance_restraints_.push_back(number);
    const double k = distance_restraint_constant * v[5];
    type_.two_atom_terms.push_back({term.atoms[0], term.atoms[1], TwoAtomForm::flat_bottomed, {k, v[2], v[3], v[4]}});
}

bool Molecule::add_rare_bond(const Term& term, const Values& v) {
    const int i = term.atoms[0], j = term.atoms[1];
    const auto add = [&](TwoAtomForm form, const std::array<double, 4>& p) {
        type_.two_atom_terms.push_back({i, j, form, p});
    };
    switch (term.function->kind) {
        case Kind::morse:
            add(TwoAtomForm::morse, {v[1], v[2], v[0]});
            break;
        case Kind::cubic_bond:
            add(TwoAtomForm::cubic, {v[1], v[0], v[2]});
            break;
        case Kind::fene:
            add(TwoAtomForm::fene, {v[1], v[0]});
            break;
        case Kind::restraint_bond:
            add(TwoAtomForm::flat_bottomed, {v[3], v[0], v[1], v[2]});
            return true;
        case Kind::angle_restraint_z:
            add(TwoAtomForm::angle_with_z, angle_restraint(v));
            return true;
        case Kind::distance_restraint:
            add_distance_restraint(term, v);
            return true;
        case Kind::plain_pair:
            type_.plain_pairs.push_back({i, j, tables_.convert({v[2], v[3]}), v[0] * v[1]});
            return true;
        case Kind::flat_position_restraint:
            type_.flat_position_restraints.push_back(
                {i, flat_axes[static_cast<std::size_t>(v[0])], v[1] < 0.0, std::abs(v[1]), v[2]});
            return true;
        default:
            return false;
    }
    type_.connections.push_back({std::min(i, j), std::max(i, j)});
    return true;
}

bool Molecule::add_rare_angle(const Term& term, const Values& v) {
    const auto add = [&](ThreeAtomForm form, const std::array<double, 6>& p) {
        type_.three_atom_terms.push_back({term.atoms[0], term.atoms[1], term.atoms[2], form, p});
        return true;
    };
    switch (term.function->kind) {
        case Kind::bond_bond_cross:
            return add(ThreeAtomForm::bond_bond, {v[2], v[0], v[1]});
        case Kind::bond_angle_cross:
            return add(ThreeAtomForm::bond_angle, {v[3], v[0], v[1], v[2]});
        case Kind::quartic_angle:
            return add(ThreeAtomForm::quartic, {radians(v[0]), v[1], v[2], v[3], v[4], v[5]});
        case Kind::linear_angle:
            return add(ThreeAtomForm::linear, {v[1], v[0]});
        case Kind::restricted_angle:
            return add(ThreeAtomForm::restricted, {v[1], std::cos(radians(v[0]))});
        default:
            return false;
    }
}

bool Molecule::add_rare_dihedral(const Term& term, const Values& v) {
    const auto& [i, j, k, l] = term.atoms;
    FourAtomTerm t{i, j, k, l, FourAtomForm::restricted, {}};
    switch (term.function->kind) {
        case Kind::restricted_dihedral:
            t.p = {v[1], std::cos(radians(v[0]))};
            break;
        case Kind::bending_torsion:
            t.form = FourAtomForm::bending_torsion;
            t.p = {v[0] * v[1], v[0] * v[2], v[0] * v[3], v[0] * v[4], v[0] * v[5]};
            break;
        case Kind::dihedral_restraint:
            t.form = FourAtomForm::flat_bottomed;
            t.p = {v[2], radians(v[0]), radians(v[1])};
            break;
        case Kind::angle_restraint: {
            const auto p = angle_restraint(v);
            t.form = FourAtomForm::vector_angle;
            t.p = {p[0], p[1], p[2], p[3]};
            break;
        }
        default:
            return false;
    }
    type_.four_atom_terms.push_back(t);
    return true;
}

bool Molecule::add_rare_form(const Term& term, const Values& values) {
    const std::string_view problem = problem_of(term.function->kind, values);
    if (!problem.empty()) {
        report_.add(term.origin, "MD224",
                    fmt::format("[ {} ]: {}: {}", name_of(term.directive), term.function->name, problem));
        return true;
    }
    return add_rare_bond(term, values) || add_rare_angle(term, values) || add_rare_dihedral(term, values);
}

}  // namespace mdsim::gromacs
