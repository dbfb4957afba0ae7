// SPDX-License-Identifier: Apache-2.0
#include "forces/restraints/group_restraints.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/local/local_numbers.h"
#include "parallel/threads.h"
#include "physics/bonded/angle.h"
#include "physics/bonded/dihedral.h"
#include "physics/bonded/flat_bottom.h"

namespace mdsim {

namespace {

// Of positions: 2^-48 nm, in 64 bits up to 32,768 nm.
constexpr double position_scale = 281474976710656.0;

/// What one restraint does: forces on its centres, of which all but the first are placed relative to the first.
struct Restrained {
    double value = 0.0, energy = 0.0;
    std::array<Vec3d, 4> force{};
    std::array<Vec3d, 4> from_first{};  // [nm]
};

Restrained distance(const GroupRestraint& r, const Vec3d& d) {
    const double length = norm(d);
    const double off = length - physics::nearest_in(length, r.lower, r.upper);
    Restrained out{length, 0.5 * r.force_constant * off * off, {}, {}};
    // Centres on top of each other: the force has no direction.
    if (length > 0.0) out.force[1] = (-r.force_constant * off / length) * d;
    out.force[0] = -out.force[1];
    out.from_first[1] = d;
    return out;
}

// a and b: from the second centre to the first and the third.
Restrained angle(const GroupRestraint& r, const Vec3d& a, const Vec3d& b) {
    const double theta = physics::angle_of(norm(cross(a, b)), dot(a, b));
    const auto result = physics::harmonic_angle(a, b, r.force_constant, physics::nearest_in(theta, r.lower, r.upper));
    Restrained out{theta, result.energy, {}, {}};
    out.force = {result.force_i, -result.force_i - result.force_k, result.force_k};
    out.from_first = {Vec3d{}, -a, b - a};
    return out;
}

// f, g, h: differences as in DihedralGeometry.
Restrained dihedral(const GroupRestraint& r, const Vec3d& f, const Vec3d& g, const Vec3d& h) {
    const auto d = physics::dihedral_geometry(f, g, h);
    const double phi = physics::dihedral_angle(d);
    const auto torsion = physics::harmonic_torsion(d, r.force_constant, physics::nearest_on_arc(phi, r.lower, r.upper));
    const auto force = physics::dihedral_forces(d, torsion.slope);
    return {phi, torsion.energy, {force.i, force.j, force.k, force.l}, {Vec3d{}, -f, -f - g, h - f - g}};
}

}  // namespace

struct GroupRestraints::Centres {
    const Box& box;
    std::vector<Vec3d> place;  // [nm]
    std::vector<Vec3d> force;  // [kJ/mol/nm]

    Vec3d between(const GroupRestraint& r, int to, int from) const {
        const auto at = [&](int n) { return place[r.groups[static_cast<std::size_t>(n)]]; };
        return box.minimum_image(at(to) - at(from));
    }
    Restrained restrained(const GroupRestraint& r) const {
        switch (r.measure) {
            case GroupMeasure::distance:
                return distance(r, between(r, 1, 0));
            case GroupMeasure::angle:
                return angle(r, between(r, 0, 1), between(r, 2, 1));
            case GroupMeasure::dihedral:
                break;
        }
        return dihedral(r, between(r, 0, 1), between(r, 1, 2), between(r, 3, 2));
    }
};

GroupRestraints::GroupRestraints(std::vector<AtomGroup> groups, std::vector<GroupRestraint> restraints,
                                 const Comm& ranks)
    : groups_(std::move(groups)), restraints_(std::move(restraints)), ranks_(ranks), report_(restraints_.size()) {}

void GroupRestraints::assign(const LocalSystem& system) {
    LocalNumbers numbers;
    numbers.assign(std::span(system.atoms.ids).first(system.atoms.home), system.atoms.home);
    home_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const AtomGroup& group = groups_[g];
        for (std::size_t n = 0; n < group.ids.size(); ++n) {
            const int at = numbers.find(group.ids[n]);
            if (at >= 0) home_.push_back({static_cast<std::size_t>(at), g, group.weight[n], group.images[n]});
        }
    }
}

std::vector<fixed::EnergySum> GroupRestraints::sum_positions(const Evaluation& evaluation) const {
    std::vector<std::vector<fixed::EnergySum>> partial(static_cast<std::size_t>(thread_count()));
    for (auto& sums : partial) sums.resize(3 * groups_.size());
    parallel_ranges(home_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        auto& sums = partial[static_cast<std::size_t>(thread)];
        for (std::size_t n = begin; n < end; ++n) {
            const Member& m = home_[n];
            Vec3d x = evaluation.x[m.atom];
            if (!(m.images == Vec3d{})) x += evaluation.box.to_cartesian(m.images);
            for (int a = 0; a < 3; ++a) {
                sums[3 * m.group + static_cast<std::size_t>(a)].add_units(
                    fixed::round_to_int64(position_scale * (m.weight * x[a])));
            }
        }
    });
    for (std::size_t t = 1; t < partial.size(); ++t) {
        for (std::size_t n = 0; n < partial[0].size(); ++n) partial[0][n].add(partial[t][n]);
    }
    return std::move(partial[0]);
}

void GroupRestraints::restrain(std::size_t number, Centres& centres, const StepPlan& plan, ForceSink::Slot& slot) {
    const GroupRestraint& r = restraints_[number];
    const Restrained now = centres.restrained(r);
    const std::size_t count = r.measure == GroupMeasure::distance ? 2 : r.measure == GroupMeasure::angle ? 3 : 4;
    for (std::size_t n = 0; n < count; ++n) centres.force[r.groups[n]] += now.force[n];
    const bool in_nm = r.measure == GroupMeasure::distance;
    if (plan.energies == Need::yes) report_[number] = {r.name, in_nm ? "nm" : "deg", {}, {}, {}, {}};
    if (!ranks_.leads()) return;
    if (plan.energies == Need::yes) {
        slot.energies()[Term::restraint].add(now.energy);
        report_[number].energy.add(now.energy);
        report_[number].value.add(in_nm ? now.value : now.value * (180.0 / std::numbers::pi));
    }
    if (plan.virial == Need::yes) {
        for (std::size_t n = 1; n < count; ++n) slot.energies().add_virial(now.force[n], now.from_first[n]);
    }
}

void GroupRestraints::compute(const Evaluation& evaluation, ForceSink& sink) {
    std::vector<fixed::EnergySum> sums = sum_positions(evaluation);
    ranks_.sum(std::span(sums));
    Centres centres{evaluation.box, {}, std::vector<Vec3d>(groups_.size())};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto at = [&](std::size_t a) { return static_cast<double>(sums[3 * g + a].units()) / position_scale; };
        centres.place.push_back({at(0), at(1), at(2)});
    }
    const bool outside = std::any_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.out_of_range(); });
    if (outside) sink.slot(0).energies().note_clipped();
    for (std::size_t n = 0; n < restraints_.size(); ++n) restrain(n, centres, evaluation.plan, sink.slot(0));
    parallel_ranges(home_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        ForceSink::Slot& slot = sink.slot(thread);
        for (std::size_t n = begin; n < end; ++n) {
            const Member& m = home_[n];
            slot.add(m.atom, m.weight * centres.force[m.group]);
        }
    });
}

void GroupRestraints::report(std::vector<RestraintSums>& to) const {
    to.insert(to.end(), report_.begin(), report_.end());
}

}  // namespace mdsim
