// SPDX-License-Identifier: Apache-2.0
#include "domain/domain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"
#include "domain/home_fields.h"
#include "domain/regions/planes.h"

namespace mdsim {

namespace {

/// What all ranks have alike of a state, and the shape of what they do not.
struct SharedState {
    std::int64_t step;
    double time;
    Box box;
    CouplingState coupling;
    VacuumCell vacuum;
    std::int64_t references;
};
static_assert(std::is_trivially_copyable_v<SharedState>);

void broadcast_shared(const Comm& comm, State& state, VacuumCell& vacuum) {
    SharedState shared{state.step,     state.time, state.box,
                       state.coupling, vacuum,     static_cast<std::int64_t>(state.references.size())};
    comm.broadcast(std::as_writable_bytes(std::span(&shared, 1)));
    if (comm.leads()) return;
    state.step = shared.step;
    state.time = shared.time;
    state.box = shared.box;
    state.coupling = shared.coupling;
    state.coupling.heat = {};  // a sum over ranks, which the leading one has
    vacuum = shared.vacuum;
    state.references.resize(static_cast<std::size_t>(shared.references));
}

// Of each rank the home atoms, by number here, that go to it; none for this one, whose atoms stay.
std::vector<std::vector<std::uint32_t>> leavers(const std::vector<int>& to, const Comm& comm) {
    std::vector<std::vector<std::uint32_t>> of_rank(static_cast<std::size_t>(comm.size()));
    for (std::size_t n = 0; n < to.size(); ++n) {
        if (to[n] != comm.rank()) of_rank[static_cast<std::size_t>(to[n])].push_back(static_cast<std::uint32_t>(n));
    }
    return of_rank;
}

}  // namespace

Domain::Domain(const Comm& comm, const Topology& topology, const DomainSettings& settings)
    : comm_(comm),
      settings_(settings),
      all_atoms_(topology.atoms()),
      molecules_(topology),
      units_(topology),
      sites_(topology),
      topology_(topology),
      halo_(with_regions_),
      agreement_(comm),
      failure_(comm) {
    local_.all = all_atoms_;
    if (split()) return;
    local_.home = static_cast<std::size_t>(all_atoms_);
    local_.ids.resize(local_.home);
    std::iota(local_.ids.begin(), local_.ids.end(), std::int64_t{0});
    local_.zones.resize(local_.home);
    sites_.assign(ids());
}

void Domain::distribute(State& state) {
    if (!split()) return;
    broadcast_shared(comm_, state, vacuum_);
    if (comm_.leads()) {
        take_whole_system(state);
    } else {
        local_.home = 0;
        local_.ids.clear();
        for (std::vector<Vec3d>* field : moving_fields(state)) field->clear();
    }
    periodic_ = state.box.periodic();
    choose_regions(state);
    const Lattice lattice = lattice_of(state);
    cut_evenly(lattice, state.x);
    deal(state, destinations(lattice, state.x));
    ++repartitions_;
}

// One rank after the other gets its atoms, so that the lead has a copy of the atoms of one rank at most.
void Domain::deal(State& state, const std::vector<int>& to) {
    constexpr int tag_of_start = 10;
    HomeFields fields(local_.ids, state);
    std::vector<Bytes> mine;
    if (comm_.leads()) {
        const auto of_rank = leavers(to, comm_);
        for (int rank = 1; rank < comm_.size(); ++rank) {
            const Bytes part = fields.pack(of_rank[static_cast<std::size_t>(rank)]);
            comm_.begin_send(rank, tag_of_start, part, Traffic::repartition).wait();
        }
        fields.keep([&](std::size_t n) { return to[n] == 0; });
        fields.release_room();
    } else {
        mine.push_back(comm_.receive(0, tag_of_start));
    }
    fields.merge(mine);
    local_.home = local_.ids.size();
    sites_.assign(ids());
}

void Domain::take_whole_system(const State& state) {
    MDSIM_EXPECT(static_cast<std::int64_t>(state.x.size()) == all_atoms_);
    local_.home = state.x.size();
    local_.ids.resize(local_.home);
    std::iota(local_.ids.begin(), local_.ids.end(), std::int64_t{0});
}

Lattice Domain::lattice_of(const State& state) const {
    std::int64_t doublings = 0;
    if (!state.box.periodic()) {
        doublings = vacuum_.doublings(state.x);
        comm_.max(std::span(&doublings, 1));
    }
    return lattice(state.box, static_cast<int>(doublings));
}

// Chosen once, when the state comes for the first time.
void Domain::choose_regions(const State& state) {
    if (repartitions_ > 0) return;
    const int available = comm_.size() - settings_.mesh_ranks;
    Box cell = state.box;
    if (!cell.periodic()) cell = Box::rectangular(0.25 * vacuum_.edge, 0.25 * vacuum_.edge, 0.25 * vacuum_.edge);
    const double density = static_cast<double>(all_atoms_) / cell.volume();
    GridChoice choice = choose_rank_grid({cell, settings_.reach, density, settings_.mesh_nodes}, available);
    std::string why = fmt::format("regions thinner than {} nm would hold hardly an atom each", thinnest_region);
    if (choice.regions() < choice.most_possible) why = "with more regions a step would take longer";
    if (settings_.grid) {
        choice.grid = *settings_.grid;
        why = settings_.why_grid;
    }
    MDSIM_EXPECT(choice.regions() <= available);
    regions_ = Regions(choice.grid);
    with_regions_ = comm_.split(has_region() ? 0 : 1);
    local_.split_axes = regions_.split_axes();
    const RankGrid& grid = choice.grid;
    notes_.push_back(fmt::format(
        "{} ranks, regions {} x {} x {}{}", comm_.size(), grid[0], grid[1], grid[2],
        settings_.mesh_ranks > 0 ? fmt::format(", {} for the mesh alone", settings_.mesh_ranks) : std::string()));
    if (!settings_.why_mesh_ranks.empty()) notes_.push_back(settings_.why_mesh_ranks);
    const int idle = available - choice.regions();
    if (idle == 0) return;
    notes_.push_back(fmt::format("{} of {} ranks {} idle: {} is the largest useful number here, since {}", idle,
                                 available, idle == 1 ? "stays" : "stay", choice.regions(), why));
}

std::int64_t Domain::thinnest(const Box& cell, std::size_t axis) const {
    const double share = 0.5 * thinnest_region / cell.heights()[static_cast<int>(axis)];
    return static_cast<std::int64_t>(std::min(1.0, share) * 4294967296.0);
}

// The same number of atoms on either side of each plane, as far as planes through the whole cell can do that.
void Domain::cut_evenly(const Lattice& lattice, std::span<const Vec3d> x) {
    constexpr std::size_t bins = 4096;
    std::vector<std::int64_t> counts(3 * bins, 0);
    for (const Vec3d& r : x) {
        const LatticePoint p = lattice.point(r);
        ++counts[p.x >> 20];
        ++counts[bins + (p.y >> 20)];
        ++counts[2 * bins + (p.z >> 20)];
    }
    comm_.sum(counts);
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double> weights(counts.begin() + static_cast<std::ptrdiff_t>(a * bins),
                                          counts.begin() + static_cast<std::ptrdiff_t>((a + 1) * bins));
        regions_.set_planes(a, even_planes(weights, regions_.grid()[a], thinnest(lattice.cell(), a)));
    }
}

// Of all slabs between planes, those along x first [ns]; the same on all ranks.
std::vector<std::int64_t> Domain::work_of_slabs() const {
    const RankGrid& grid = regions_.grid();
    std::vector<std::int64_t> work(static_cast<std::size_t>(grid[0] + grid[1] + grid[2]), 0);
    const RankGrid cell = has_region() ? regions_.cell_of(comm_.rank()) : RankGrid{};
    int first = 0;
    for (std::size_t a = 0; a < 3; first += grid[a++]) {
        if (has_region()) work[static_cast<std::size_t>(first + cell[a])] = std::llround(1e9 * work_);
    }
    comm_.sum(work);
    return work;
}

void Domain::balance(const Box& cell) {
    const std::vector<std::int64_t> work = work_of_slabs();
    work_ = 0.0;
    auto next = work.begin();
    for (std::size_t a = 0; a < 3; ++a) {
        std::vector<double> of_slab(next, next + regions_.grid()[a]);
        next += regions_.grid()[a];
        if (of_slab.size() == 1) continue;
        if (settings_.balance == Balance::forced) of_slab = shaken(of_slab.size(), repartitions_);
        regions_.set_planes(a, moved_planes(regions_.planes(a), of_slab, thinnest(cell, a)));
    }
}

void Domain::repartition(State& state) {
    if (!split()) return;
    const Lattice lattice = lattice_of(state);
    // A vacuum cell that has been doubled is another one, in which the planes of before are far from the atoms.
    if (!state.box.periodic() && settings_.balance != Balance::forced) cut_evenly(lattice, state.x);
    if (state.box.periodic() && settings_.balance != Balance::off) balance(lattice.cell());
    migrate(state, destinations(lattice, state.x));
    ++repartitions_;
}

// Only what changes ranks is packed.
void Domain::migrate(State& state, const std::vector<int>& to) {
    local_.ids.resize(local_.home);
    HomeFields fields(local_.ids, state);
    std::vector<Bytes> parts;
    for (const auto& of_rank : leavers(to, comm_)) parts.push_back(fields.pack(of_rank));
    const std::vector<Bytes> arrivals = comm_.exchange(parts, Traffic::repartition);
    fields.keep([&](std::size_t n) { return to[n] == comm_.rank(); });
    fields.merge(arrivals);
    local_.home = local_.ids.size();
    sites_.assign(ids());
}

// Of each home atom: that of its unit's first atom.
std::vector<int> Domain::destinations(const Lattice& lattice, std::span<const Vec3d> x) const {
    std::vector<int> to(local_.home);
    PlaceWalk walk(molecules_);
    for (std::size_t n = 0; n < local_.home; ++n) {
        const AtomPlace& place = walk.place(local_.ids[n]);
        const std::int64_t first = place.first_atom + units_.first_of_unit(place);
        // Units are complete and ids ascend: the first atom has been dealt with.
        std::size_t k = n - std::min<std::size_t>(n, static_cast<std::size_t>(local_.ids[n] - first));
        if (local_.ids[k] != first) {
            k = static_cast<std::size_t>(
                std::lower_bound(local_.ids.begin(), local_.ids.begin() + static_cast<std::ptrdiff_t>(n), first) -
                local_.ids.begin());
        }
        to[n] = k == n ? regions_.rank_at(lattice.point(x[n])) : to[k];
    }
    return to;
}

}  // namespace mdsim
