// SPDX-License-Identifier: Apache-2.0
#include "run/parity/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim::parity {

namespace {

constexpr double least_difference = 1e-3;  // [kJ/mol]

/// Names of one engine and terms of mdsim that are counted together.
struct Group {
    std::vector<std::string> theirs, ours;
};

// Functions that GROMACS has a name for each and mdsim counts as one, and sums whose split depends on where exclusions
// are taken off.
const std::vector<Group>& groups_of_gromacs() {
    static const std::vector<Group> groups{
        {{"Bond", "G96Bond", "Morse", "Cubic Bonds", "FENE Bonds"}, {"bond"}},
        {{"Angle", "G96Angle", "U-B", "Harmonic Pot.", "Quartic Angles", "Linear Angles", "Restricted Angles",
          "Bond-Cross", "BA-Cross"},
         {"angle", "urey_bradley"}},
        {{"Proper Dih.", "Ryckaert-Bell.", "Per. Imp. Dih.", "Fourier Dih.", "Restricted Dih.", "CBT Dih."},
         {"proper_dihedral", "ryckaert_bellemans", "improper_periodic"}},
        {{"Improper Dih."}, {"improper_harmonic"}},
        {{"CMAP Dih."}, {"cmap"}},
        {{"LJ-14"}, {"lj_14"}},
        {{"Coulomb-14"}, {"coulomb_14"}},
        {{"LJ (SR)", "LJ recip."}, {"lj_sr", "lj_mesh"}},
        {{"Disper. corr."}, {"dispersion_correction"}},
        {{"Coulomb (SR)"}, {"coulomb_real", "coulomb_self", "coulomb_exclusion"}},
        {{"Coul. recip."}, {"coulomb_recip", "coulomb_net_charge_background"}},
        {{"Position Rest.", "Flat-b. P-R.", "Flat-bottom posres", "Dis. Rest.", "Restraint Pot.", "Angle Rest.",
          "Angle Rest. Z", "Dih. Rest."},
         {"restraint"}}};
    return groups;
}

// Pairs that do not follow the combination rules are in forces of their own.
std::vector<Group> groups_of_openmm() {
    std::vector<Group> groups;
    for (const Row& row : format_of(Convention::openmm).rows) groups.push_back({{row.name}, row.terms});
    for (Group& group : groups) {
        if (group.theirs.front() != "NonbondedForce") continue;
        group.theirs.insert(group.theirs.end(), {"CustomNonbondedForce", "CustomBondForce"});
    }
    return groups;
}

using Energies = std::map<std::string, double>;

double take(Energies& from, const std::vector<std::string>& names) {
    double sum = 0.0;
    for (const std::string& name : names) {
        if (const auto found = from.find(name); found != from.end()) {
            sum += found->second;
            from.erase(found);
        }
    }
    return sum;
}

// The names that the engine has printed, the group's first one where it has none of them.
std::string label_of(const Group& group, const Energies& theirs) {
    std::string label;
    for (const std::string& name : group.theirs) {
        if (theirs.contains(name)) label += (label.empty() ? "" : " + ") + name;
    }
    return label.empty() ? group.theirs.front() : label;
}

Energies by_name(const EnergySums& sums) {
    Energies energies;
    for (std::size_t t = 0; t < term_count; ++t)
        energies.emplace(name_of(static_cast<Term>(t)), sums[static_cast<Term>(t)].value());
    return energies;
}

double largest_of(const Energies& energies) {
    double largest = 0.0;
    for (const auto& [name, energy] : energies) largest = std::max(largest, std::abs(energy));
    return largest;
}

bool is_coulomb(const Group& group) {
    return group.ours.back().starts_with("coulomb_");
}

ForceDifference compare_forces(const std::vector<Vec3d>& ours, const std::vector<Vec3d>& theirs) {
    MDSIM_ENSURE(ours.size() == theirs.size());
    ForceDifference found;
    double squares = 0.0, of_difference = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const Vec3d d = ours[i] - theirs[i];
        squares += norm2(theirs[i]);
        of_difference += norm2(d);
        if (norm(d) <= found.largest) continue;
        found.largest = norm(d);
        found.atom = i;
    }
    found.relative = squares > 0.0 ? std::sqrt(of_difference / squares) : std::sqrt(of_difference);
    return found;
}

}  // namespace

bool Comparison::agree() const {
    return std::ranges::all_of(energies, &Pair::agree) && force.relative <= tolerance;
}

Comparison compare(Convention convention, const StartEvaluation& ours, const EngineResult& theirs) {
    Comparison out;
    out.tolerance = theirs.tolerance;
    Energies own = by_name(ours.sums), other;
    for (const Value& value : theirs.energies) other.emplace(value.name, value.value);
    other.erase("Potential");
    other.erase("D.R.Viol. (nm)");  // no energy
    const double largest = largest_of(own);
    const auto add = [&](const std::string& name, double a, double b, double size) {
        if (a == 0.0 && b == 0.0) return;
        const double allowed = out.tolerance * std::max({std::abs(a), std::abs(b), size});
        out.energies.push_back({name, a, b, std::abs(a - b) <= std::max(allowed, least_difference)});
    };
    double sum_own = 0.0, sum_other = 0.0;
    for (const auto& [name, energy] : own) sum_own += energy;
    for (const auto& [name, energy] : other) sum_other += energy;
    for (const Group& group : convention == Convention::gromacs ? groups_of_gromacs() : groups_of_openmm()) {
        const std::string label = label_of(group, other);
        const double a = take(own, group.ours), b = take(other, group.theirs);
        add(label, a, b, is_coulomb(group) ? largest : 0.0);
    }
    // What is left has no name on the other side.
    for (const auto& [name, energy] : own) add(name + " (mdsim's)", energy, 0.0, 0.0);
    for (const auto& [name, energy] : other) add(name, 0.0, energy, 0.0);
    add(format_of(convention).total, sum_own, sum_other, largest);
    out.force = compare_forces(ours.forces, theirs.forces);
    return out;
}

std::string describe_atom(const Topology& topology, std::size_t atom) {
    std::string text;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const std::int64_t n = static_cast<std::int64_t>(atom) - first;
        if (n < 0 || n >= type.size()) return;
        const Atom& a = type.atoms[static_cast<std::size_t>(n)];
        const Residue& residue = type.residues[static_cast<std::size_t>(a.residue)];
        text = fmt::format("{} of {} {}", a.name, residue.name, residue.number);
    });
    return text;
}

}  // namespace mdsim::parity
