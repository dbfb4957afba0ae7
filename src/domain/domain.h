// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/agreement.h"
#include "domain/halo.h"
#include "domain/local/local_atoms.h"
#include "domain/local/local_topology.h"
#include "domain/local/units.h"
#include "domain/regions/regions.h"
#include "parallel/comm.h"
#include "parallel/shared_failure.h"
#include "sites/virtual_sites.h"
#include "system/lattice.h"
#include "system/state.h"

namespace mdsim {

/// Whether regions follow the measured work; `forced` moves them about in every repartition (a test).
enum class Balance { measured, off, forced };

struct DomainSettings {
    std::optional<RankGrid> grid;  ///< as given; otherwise it is chosen
    std::string why_grid;          ///< "since ...": why it is not for more ranks
    int mesh_ranks = 0;            ///< ranks without atoms, the last ones
    std::string why_mesh_ranks;    ///< a note, where these are not as many as were asked for
    double reach = 0.0;            ///< that the halo will have, about [nm]
    double mesh_nodes = 0.0;       ///< of the mesh, where ranks with atoms transform it
    Balance balance = Balance::measured;
};

/// What the halo must hold for the terms of the potential.
struct HaloNeeds {
    double reach = 0.0;          ///< distance of two atoms that do something to each other [nm]
    double farthest_move = 0.0;  ///< of an atom until the halo is made anew [nm]
};

/// Which atoms are computed by which rank. Each rank owns the whole units whose first atoms lay in its region when
/// atoms were last distributed (its home atoms, by ascending id; State::x and v are theirs), and sees copies of the
/// atoms near it in regions above (the halo). On one rank everything is at home and nothing is ever sent.
///
/// Where atoms are cannot change a result, so `repartition` may be called between any two steps, or never.
class Domain {
  public:
    /// All atoms are at home until `distribute`. Both must outlive it.
    Domain(const Comm& comm, const Topology& topology, const DomainSettings& settings);

    Domain(const Domain&) = delete;  // the halo refers to a member
    Domain& operator=(const Domain&) = delete;

    const Comm& comm() const { return comm_; }
    bool split() const { return !comm_.alone(); }
    const Regions& regions() const { return regions_; }
    /// Ranks without atoms, the last ones.
    int mesh_ranks() const { return settings_.mesh_ranks; }
    /// Global numbers of home atoms, ascending.
    std::span<const std::int64_t> ids() const { return {local_.ids.data(), local_.home}; }

    /// The lattice of a state, of whose atoms the farthest asks for so many doublings of the cell where there is no
    /// box.
    Lattice lattice(const Box& box, int doublings) const { return {box, vacuum_, doublings}; }
    const VacuumCell& vacuum() const { return vacuum_; }
    /// Around the start positions of the input, so that the lattice of a step depends on nothing but positions.
    void set_vacuum(const VacuumCell& cell) { vacuum_ = cell; }

    /// Before: the leading rank has the state of all atoms. After: each rank has its home atoms. Collective.
    void distribute(State& state);
    /// Values of all atoms, given on the leading rank, to the ranks that own them. Collective.
    std::vector<Vec3d> scatter(std::span<const Vec3d> of_all_atoms) const;
    /// The reverse: values of home atoms to the leading rank, in the order of all atoms; empty elsewhere. Collective.
    std::vector<Vec3d> collect(std::span<const Vec3d> of_home) const;
    /// Gives each unit to the rank in whose region it is now, moving the planes between regions where that evens out
    /// work. Collective; the order of home atoms changes.
    void repartition(State& state);
    /// Seconds that this rank has computed for its atoms since it was asked last.
    void note_work(double seconds) { work_ += seconds; }

    /// Makes the halo and what this rank computes anew. x: of home atoms. Collective.
    void surround(const Lattice& lattice, std::span<const Vec3d> x, const HaloNeeds& needs);
    /// From now on HaloPart::read is what bonded terms and exclusions read. Collective; after surround.
    void choose_read();
    /// The same with one flag for each local atom that is read.
    void choose_read(std::vector<unsigned char> read);
    /// references: State::references of the home atoms.
    LocalSystem local(std::span<const std::vector<Vec3d>> references = {}) const {
        return {local_, terms_, parameters_, references};
    }
    AtomParameters home_parameters() const;
    /// The virtual sites among the home atoms.
    const VirtualSites& sites() const { return sites_; }

    /// Positions of local atoms as they were when `surround` was called with x.
    std::span<const Vec3d> positions(std::span<const Vec3d> x) const {
        return split() ? std::span<const Vec3d>(x_) : x;
    }
    /// Positions of local atoms, of which those of home atoms are there when `begin_positions` returns and the others
    /// after `finish_positions`, as far as they belong to that part of the halo. Valid until the next call; x must stay
    /// as it is.
    std::span<const Vec3d> begin_positions(std::span<const Vec3d> x, HaloPart part = HaloPart::all);
    bool progress() { return halo_.progress(); }
    void finish_positions() { halo_.finish(); }
    void return_forces(std::span<Vec3l> forces) { halo_.return_forces(forces); }
    const Halo& halo() const { return halo_; }

    /// What is agreed on at the end of each evaluation of forces, and what goes wrong on one rank between two of them.
    Agreement& agreement() { return agreement_; }
    SharedFailure& failure() { return failure_; }

    /// Counts how often home atoms changed.
    std::int64_t repartitions() const { return repartitions_; }
    /// For the log: the grid, and ranks that cannot be used.
    const std::vector<std::string>& notes() const { return notes_; }

  private:
    const Comm& comm_;
    Comm with_regions_;
    DomainSettings settings_;
    std::int64_t all_atoms_;
    MoleculeIndex molecules_;
    MoleculeUnits units_;
    VirtualSites sites_;
    LocalTopology topology_;
    Regions regions_;
    VacuumCell vacuum_;
    bool periodic_ = true;
    LocalAtoms local_;
    LocalTerms terms_;
    LocalParameters parameters_;
    std::vector<Vec3d> x_;
    double reach_of_terms_ = 0.0;  // of a halo that held all atoms of every term where less did not [nm]
    Halo halo_;
    Agreement agreement_;
    SharedFailure failure_;
    double work_ = 0.0;  // since the last repartition [s]
    std::int64_t repartitions_ = 0;
    std::vector<std::string> notes_;

    bool has_region() const { return comm_.rank() < regions_.count(); }
    Lattice lattice_of(const State& state) const;
    void choose_regions(const State& state);
    void cut_evenly(const Lattice& lattice, std::span<const Vec3d> x);
    void balance(const Box& cell);
    std::vector<std::int64_t> work_of_slabs() const;
    std::int64_t thinnest(const Box& cell, std::size_t axis) const;
    void deal(State& state, const std::vector<int>& to);
    void migrate(State& state, const std::vector<int>& to);
    void place_home(const Lattice& lattice, std::span<const Vec3d> x);
    bool make_terms();
    std::vector<int> destinations(const Lattice& lattice, std::span<const Vec3d> x) const;
    void take_whole_system(const State& state);
};

}  // namespace mdsim
