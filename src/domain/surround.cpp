// SPDX-License-Identifier: Apache-2.0
// The halo of a domain and what is computed with it.
#include <algorithm>

#include <fmt/format.h>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "domain/domain.h"
#include "parallel/threads.h"
#include "system/molecules/term_atoms.h"

namespace mdsim {

namespace {

// Where the halo did not hold all atoms of every bonded term it is made deeper by this.
constexpr double deeper = 1.3;
// What was needed once is asked for again, a little less each time: a term may have relaxed.
constexpr double shallower = 0.98;

[[noreturn]] void refuse_stretched_terms(double reach) {
    throw Error(
        ExitCode::unstable,
        Problem{.code = "MD507",
                .what = fmt::format("atoms that a bonded term ties together are more than {:.3g} nm apart", reach),
                .why = "that is half of the box: no rank can have all of them",
                .remedy = "run on one rank to see which they are, minimise first, or mend the coordinates"});
}

}  // namespace

void Domain::surround(const Lattice& lattice, std::span<const Vec3d> x, const HaloNeeds& needs) {
    local_.farthest_move = needs.farthest_move;
    if (!split()) {
        make_terms();
        return;
    }
    assign_tightly(x_, x.begin(), x.end());
    place_home(lattice, x);
    const double longest = lattice.cell().smallest_height();
    for (double reach = std::max(needs.reach, reach_of_terms_);; reach *= deeper) {
        if (has_region()) halo_.make(regions_, lattice, {reach, periodic_}, local_, x_);
        if (make_terms()) break;
        failure_.throw_if_any();
        if (reach > longest) refuse_stretched_terms(0.5 * longest);
        reach_of_terms_ = reach * deeper;
    }
    reach_of_terms_ *= shallower;
}

void Domain::place_home(const Lattice& lattice, std::span<const Vec3d> x) {
    resize_tightly(local_.places, local_.home);
    const RankGrid cell = has_region() ? regions_.cell_of(comm_.rank()) : RankGrid{};
    parallel_ranges(local_.home, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) local_.places[n] = regions_.place(lattice.point(x[n]), cell);
    });
}

// True where no term is lost: a rank makes only those of which it has all atoms.
bool Domain::make_terms() {
    terms_ = {};
    terms_ = topology_.build(local_);
    std::int64_t made = term_count_of(terms_);
    comm_.sum(std::span(&made, 1));
    MDSIM_ENSURE(made <= topology_.all_terms());
    if (made < topology_.all_terms()) return false;
    parameters_ = {};
    parameters_ = topology_.local_parameters(local_.ids);
    return true;
}

AtomParameters Domain::home_parameters() const {
    return topology_.parameters(ids());
}

void Domain::choose_read() {
    std::vector<unsigned char> read(local_.size(), 0);
    for_each_kind([&](auto list, std::size_t) {
        for (const auto& term : terms_.*list) {
            for_each_atom(term, [&](int i) { read[static_cast<std::size_t>(i)] = 1; });
        }
    });
    choose_read(std::move(read));
}

void Domain::choose_read(std::vector<unsigned char> read) {
    if (has_region()) halo_.choose_read(std::move(read));
}

std::span<const Vec3d> Domain::begin_positions(std::span<const Vec3d> x, HaloPart part) {
    if (!split()) return x;
    MDSIM_EXPECT(x.size() == local_.home && x_.size() == local_.size());
    std::copy(x.begin(), x.end(), x_.begin());
    if (has_region()) halo_.begin(x_, part);
    return x_;
}

namespace {

struct Value {
    std::int64_t id;
    Vec3d value;
};

}  // namespace

std::vector<Vec3d> Domain::collect(std::span<const Vec3d> of_home) const {
    if (!split()) return {of_home.begin(), of_home.end()};
    std::vector<Value> own;
    for (std::size_t n = 0; n < local_.home; ++n) own.push_back({local_.ids[n], of_home[n]});
    const std::vector<Bytes> parts = comm_.gather(as_bytes_of(own));
    std::vector<Vec3d> all(comm_.leads() ? static_cast<std::size_t>(all_atoms_) : 0);
    for (const Bytes& part : parts) {
        for (const Value& v : values_of<Value>(part)) all[static_cast<std::size_t>(v.id)] = v.value;
    }
    return all;
}

std::vector<Vec3d> Domain::scatter(std::span<const Vec3d> of_all_atoms) const {
    if (!split()) return {of_all_atoms.begin(), of_all_atoms.end()};
    const std::vector<Bytes> ids = comm_.gather(std::as_bytes(this->ids()));
    std::vector<Bytes> parts;
    for (const Bytes& of_rank : ids) {
        std::vector<Vec3d> values;
        for (const std::int64_t id : values_of<std::int64_t>(of_rank)) {
            values.push_back(of_all_atoms[static_cast<std::size_t>(id)]);
        }
        const auto bytes = as_bytes_of(values);
        parts.emplace_back(bytes.begin(), bytes.end());
    }
    return values_of<Vec3d>(comm_.scatter(parts));
}

}  // namespace mdsim
