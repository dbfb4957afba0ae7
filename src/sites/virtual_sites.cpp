// SPDX-License-Identifier: Apache-2.0
#include "sites/virtual_sites.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/fixed_point.h"
#include "parallel/threads.h"
#include "physics/virtual_sites.h"
#include "system/molecules/components.h"
#include "system/molecules/molecule_runs.h"

namespace mdsim {

namespace {

/// A site with the places of its parents; at(k) is the one of parent k.
template <class At>
class Construction {
  public:
    Construction(const VirtualSite& site, At at) : site_(site), at_(at) {}

    /// From the first parent.
    Vec3d displacement() const {
        const auto p = [&](std::size_t n) { return site_.parameters[n]; };
        switch (site_.kind) {
            case SiteKind::weighted:
                return weighted_sum();
            case SiteKind::along:
                return physics::FixedLength{p(0)}.displacement(weighted_sum());
            case SiteKind::angle:
                return physics::PlaneAngle{p(0), p(1)}.displacement(r(1), r(2));
            case SiteKind::out_of_plane:
                return physics::OutOfPlane{p(0), p(1), p(2)}.displacement(r(1), r(2));
            case SiteKind::normal:
                return physics::FourNormal{p(0), p(1), p(2)}.displacement(r(1), r(2), r(3));
        }
        return {};
    }

    /// Calls give(k, force) for every parent but the first.
    template <class Give>
    void pull_back(const Vec3d& f, Give&& give) const {
        const auto p = [&](std::size_t n) { return site_.parameters[n]; };
        const auto give_all = [&](const auto& forces) {
            for (std::size_t k = 0; k < forces.size(); ++k) give(k + 1, forces[k]);
        };
        switch (site_.kind) {
            case SiteKind::weighted:
                return give_weighted(f, give);
            case SiteKind::along:
                return give_weighted(physics::FixedLength{p(0)}.pull_back(weighted_sum(), f), give);
            case SiteKind::angle:
                return give_all(physics::PlaneAngle{p(0), p(1)}.pull_back(r(1), r(2), f));
            case SiteKind::out_of_plane:
                return give_all(physics::OutOfPlane{p(0), p(1), p(2)}.pull_back(r(1), r(2), f));
            case SiteKind::normal:
                return give_all(physics::FourNormal{p(0), p(1), p(2)}.pull_back(r(1), r(2), r(3), f));
        }
    }

  private:
    const VirtualSite& site_;
    At at_;

    Vec3d r(std::size_t k) const { return at_(k) - at_(0); }
    // Parameter k is the weight of parent k; what the one before is for depends on the kind.
    Vec3d weighted_sum() const {
        Vec3d sum{};
        for (std::size_t k = 1; k < site_.parents.size(); ++k) sum += site_.parameters[k] * r(k);
        return sum;
    }
    template <class Give>
    void give_weighted(const Vec3d& f, Give&& give) const {
        for (std::size_t k = 1; k < site_.parents.size(); ++k) give(k, site_.parameters[k] * f);
    }
};

// The limit of ForceSink for one addend: beyond it atoms lie on top of each other, or parents on one line.
constexpr double limit = 134217728.0 * fixed::force_scale;

Vec3l held(const Vec3d& f, EnergySums& sums) {
    const auto hold = [&](double component) {
        if (!(component < limit && component > -limit)) sums.note_clipped();
        const double below = component < limit ? component : limit;
        return fixed::round_to_int64(below > -limit ? below : -limit);
    };
    return {hold(f.x), hold(f.y), hold(f.z)};
}

Vec3d as_double(const Vec3l& f) {
    return {static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z)};
}

}  // namespace

VirtualSites::TypeGroups VirtualSites::groups_of(const MoleculeType& type) {
    Components components(type.size());
    for (const VirtualSite& s : type.virtual_sites) {
        for (const int parent : s.parents) components.join(s.i, parent);
    }
    std::vector<int> number(type.atoms.size(), -1);  // of the group, at the root of its atoms
    TypeGroups groups;
    for (const VirtualSite& s : type.virtual_sites) {
        int& group = number[static_cast<std::size_t>(components.root(s.i))];
        if (group < 0) {
            group = static_cast<int>(groups.size());
            groups.emplace_back();
        }
        groups[static_cast<std::size_t>(group)].push_back(&s);
    }
    return groups;
}

VirtualSites::VirtualSites(const Topology& topology) : first_type_(topology.types.data()), molecules_(topology) {
    for (const MoleculeType& type : topology.types) {
        types_.push_back(groups_of(type));
        any_ = any_ || !type.virtual_sites.empty();
    }
}

void VirtualSites::assign(std::span<const std::int64_t> ids) {
    atoms_.clear();
    sites_.clear();
    groups_.clear();
    if (!any_) return;
    for_each_molecule_run(molecules_, ids, 0, ids.size(), [&](const MoleculeRun& run) {
        const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(run.begin);
        const auto end = ids.begin() + static_cast<std::ptrdiff_t>(run.end);
        const auto find = [&](int atom) {
            const std::int64_t id = run.first_atom + atom;
            const auto at = run.whole() ? begin + atom : std::lower_bound(begin, end, id);
            return at != end && *at == id ? static_cast<std::int32_t>(at - ids.begin()) : -1;
        };
        for (const auto& group : types_[static_cast<std::size_t>(run.type - first_type_)]) {
            if (find(group.front()->i) < 0) continue;
            const std::size_t first = sites_.size();
            for (const VirtualSite* site : group) {
                sites_.push_back({site, atoms_.size()});
                atoms_.push_back(find(site->i));
                for (const int parent : site->parents) atoms_.push_back(find(parent));
            }
            groups_.push_back({first, sites_.size()});
        }
    });
    MDSIM_EXPECT(std::none_of(atoms_.begin(), atoms_.end(), [](std::int32_t atom) { return atom < 0; }));
}

// f(site, its number among the atoms, numbers of its parents) from all threads.
template <class F>
void VirtualSites::for_each_site(F&& f) const {
    if (empty()) return;
    parallel_ranges(groups_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t n = groups_[begin].begin; n < groups_[end - 1].end; ++n) {
            f(*sites_[n].of, place_of(sites_[n]), parents_of(sites_[n]));
        }
    });
}

void VirtualSites::place(std::span<Vec3d> x) const {
    for_each_site([&](const VirtualSite& site, std::size_t i, std::span<const std::int32_t> parents) {
        const auto at = [&](std::size_t k) { return x[static_cast<std::size_t>(parents[k])]; };
        x[i] = at(0) + Construction(site, at).displacement();
    });
}

// The slope of the displacement along the velocities by a central difference: the squares of what atoms move by in h,
// beside the squares of bond lengths, are some 1e-8, and rounding is less.
void VirtualSites::settle(std::span<Vec3d> x, std::span<Vec3d> v) const {
    constexpr double h = 1e-5;  // [ps]
    place(x);
    for_each_site([&](const VirtualSite& site, std::size_t i, std::span<const std::int32_t> parents) {
        const auto moved = [&](double by) {
            return Construction(site,
                                [&, by](std::size_t k) {
                                    const auto atom = static_cast<std::size_t>(parents[k]);
                                    return x[atom] + by * v[atom];
                                })
                .displacement();
        };
        v[i] = v[static_cast<std::size_t>(parents[0])] + (0.5 / h) * (moved(h) - moved(-h));
    });
}

void VirtualSites::follow(std::span<const Vec3d> before, std::span<Vec3d> x, std::span<Vec3d> v, double dt) const {
    place(x);
    for_each_site([&](const VirtualSite&, std::size_t i, std::span<const std::int32_t>) {
        v[i] = (1.0 / dt) * (x[i] - before[i]);
    });
}

// Tasks: groups, which share no atom. Sites made from others come first within a group, so the last one goes first.
EnergySums VirtualSites::spread(std::span<const Vec3d> x, std::span<Vec3l> forces, Need virial) const {
    EnergySums total;
    if (empty()) return total;
    std::vector<EnergySums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(groups_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        EnergySums sums;
        for (std::size_t g = begin; g < end; ++g) spread_group(groups_[g], x, forces, virial, sums);
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    for (const EnergySums& sums : partial) total.add(sums);
    return total;
}

void VirtualSites::spread_group(const Group& group, std::span<const Vec3d> x, std::span<Vec3l> forces, Need virial,
                                EnergySums& sums) const {
    for (std::size_t n = group.end; n-- > group.begin;) {
        const VirtualSite& site = *sites_[n].of;
        const auto parents = parents_of(sites_[n]);
        const auto atom = [&](std::size_t k) { return static_cast<std::size_t>(parents[k]); };
        const Vec3d f = as_double(std::exchange(forces[place_of(sites_[n])], Vec3l{}));
        // Where weights do not depend on places the two virials are the same.
        const bool bends = virial == Need::yes && site.kind != SiteKind::weighted;
        const Vec3d& first = x[atom(0)];
        Vec3l rest = held(f, sums);
        if (bends) sums.add_virial((-1.0 / fixed::force_scale) * f, x[place_of(sites_[n])] - first);
        Construction(site, [&](std::size_t k) {
            return x[atom(k)];
        }).pull_back(f, [&](std::size_t k, const Vec3d& share) {
            const Vec3l units = held(share, sums);
            forces[atom(k)] += units;
            rest -= units;
            if (bends) sums.add_virial((1.0 / fixed::force_scale) * as_double(units), x[atom(k)] - first);
        });
        forces[atom(0)] += rest;
    }
}

void place_sites(const Topology& topology, std::span<Vec3d> x) {
    VirtualSites sites(topology);
    std::vector<std::int64_t> ids(x.size());
    std::iota(ids.begin(), ids.end(), std::int64_t{0});
    sites.assign(ids);
    sites.place(x);
}

}  // namespace mdsim
