// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/step_plan.h"
#include "core/vec3.h"
#include "system/energies.h"
#include "system/molecules/molecule_index.h"
#include "system/topology.h"

namespace mdsim {

/// The virtual sites among the home atoms of a rank. Sites and their parents are never on different ranks
/// (domain/local/ units.h), so that it talks to none. What a site gets and gives depends on nothing but its parents and
/// the force on it: not on threads, nor on what else is at home.
class VirtualSites {
  public:
    /// Of no atoms until `assign`. The topology must outlive it.
    explicit VirtualSites(const Topology& topology);
    /// The home atoms by their global numbers, ascending.
    void assign(std::span<const std::int64_t> ids);

    bool empty() const { return sites_.empty(); }

    /// Puts each site where its parents have it. x: of home atoms [nm].
    void place(std::span<Vec3d> x) const;
    /// The same, and gives each site the velocity that follows from those of its parents [nm/ps].
    void settle(std::span<Vec3d> x, std::span<Vec3d> v) const;
    /// After a step of dt [ps] from `before`: places sites and gives each the velocity that brought it there.
    void follow(std::span<const Vec3d> before, std::span<Vec3d> x, std::span<Vec3d> v, double dt) const;

    /// Gives the total force on each site to its parents and leaves none on it [2^-32 kJ/mol/nm]. Each parent but the
    /// first gets its share rounded once, the first one what is left, so that the sum stays what it is to the bit.
    /// With `virial` returns what has to be added to the virial of forces on sites, so that it is the one of forces on
    /// their parents: sum of f_k (x_k - x_site). Notes as clipped a force that was held at the limit of its range.
    EnergySums spread(std::span<const Vec3d> x, std::span<Vec3l> forces, Need virial) const;

  private:
    /// A site and, behind it, its parents in atoms_.
    struct Site {
        const VirtualSite* of;
        std::size_t first;
    };
    /// Sites that share parents or are each other's, in order; one thread does all of them.
    struct Group {
        std::size_t begin, end;
    };

    using TypeGroups = std::vector<std::vector<const VirtualSite*>>;

    const MoleculeType* first_type_;
    MoleculeIndex molecules_;
    std::vector<TypeGroups> types_;  // extent: molecule types
    bool any_ = false;               // a molecule type has sites
    std::vector<std::int32_t> atoms_;
    std::vector<Site> sites_;
    std::vector<Group> groups_;

    static TypeGroups groups_of(const MoleculeType& type);

    std::span<const std::int32_t> parents_of(const Site& site) const {
        return std::span(atoms_).subspan(site.first + 1, site.of->parents.size());
    }
    std::size_t place_of(const Site& site) const { return static_cast<std::size_t>(atoms_[site.first]); }
    template <class F>
    void for_each_site(F&& f) const;
    void spread_group(const Group& group, std::span<const Vec3d> x, std::span<Vec3l> forces, Need virial,
                      EnergySums& sums) const;
};

/// Of all atoms of a system.
void place_sites(const Topology& topology, std::span<Vec3d> x);

}  // namespace mdsim
