// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/shared_places.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "system/lattice.h"

namespace mdsim {

namespace {

// An atom's place as it is sent to the rank that compares it.
struct Mark {
    LatticePoint point;
    std::uint32_t atom;  // of the sender's home atoms
};

// The lattice of the atoms of all ranks: in vacuum it follows from the corners of what they fill.
Lattice common_lattice(const Box& box, std::span<const Vec3d> x, const Comm& comm) {
    if (box.periodic()) return {box, x};
    constexpr double nowhere = -std::numeric_limits<double>::infinity();
    std::array<double, 6> far{nowhere, nowhere, nowhere, nowhere, nowhere, nowhere};  // along x, y, z, -x, -y, -z
    for (const Vec3d& r : x) {
        for (int a = 0; a < 3; ++a) {
            auto &up = far[static_cast<std::size_t>(a)], &down = far[static_cast<std::size_t>(a) + 3];
            up = std::max(up, r[a]);
            down = std::max(down, -r[a]);
        }
    }
    comm.max(far);
    const std::array<Vec3d, 2> corners{Vec3d{-far[3], -far[4], -far[5]}, Vec3d{far[0], far[1], far[2]}};
    return {box, corners};
}

// All atoms at one place are compared by one rank.
std::size_t rank_for(const LatticePoint& point, std::size_t ranks) {
    std::uint64_t mixed = point.x;
    for (const std::uint32_t next : {point.y, point.z}) mixed = (mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15ULL + next;
    return static_cast<std::size_t>((mixed ^ mixed >> 32) % ranks);
}

std::vector<std::vector<Mark>> marks_for_ranks(const Lattice& lattice, std::span<const Vec3d> x,
                                               std::span<const double> mass, std::size_t ranks) {
    std::vector<LatticePoint> points(x.size());
    lattice.points(x, points);
    std::vector<std::vector<Mark>> marks(ranks);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (mass[i] == 0.0) continue;
        marks[rank_for(points[i], ranks)].push_back({points[i], static_cast<std::uint32_t>(i)});
    }
    return marks;
}

// For each sender those of its atoms that share their place.
std::vector<std::vector<std::uint32_t>> compare(const std::vector<Bytes>& from_ranks) {
    struct Known {
        Mark mark;
        std::size_t rank;
    };
    std::vector<Known> all;
    for (std::size_t rank = 0; rank < from_ranks.size(); ++rank) {
        for (const Mark& mark : values_of<Mark>(from_ranks[rank])) all.push_back({mark, rank});
    }
    const auto place = [](const Known& k) { return std::tuple(k.mark.point.x, k.mark.point.y, k.mark.point.z); };
    std::sort(all.begin(), all.end(), [&](const Known& a, const Known& b) { return place(a) < place(b); });
    std::vector<std::vector<std::uint32_t>> shared(from_ranks.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool as_before = k > 0 && place(all[k]) == place(all[k - 1]);
        const bool as_next = k + 1 < all.size() && place(all[k]) == place(all[k + 1]);
        if (as_before || as_next) shared[all[k].rank].push_back(all[k].mark.atom);
    }
    return shared;
}

template <class T>
std::vector<Bytes> exchange(const std::vector<std::vector<T>>& of_rank, const Comm& comm) {
    std::vector<Bytes> parts;
    for (const std::vector<T>& values : of_rank) {
        const auto bytes = as_bytes_of(values);
        parts.emplace_back(bytes.begin(), bytes.end());
    }
    return comm.exchange(parts, Traffic::other);
}

}  // namespace

std::vector<std::size_t> atoms_at_shared_places(const Box& box, std::span<const Vec3d> x, std::span<const double> mass,
                                                const Comm& comm) {
    const Lattice lattice = common_lattice(box, x, comm);
    const auto marks = marks_for_ranks(lattice, x, mass, static_cast<std::size_t>(comm.size()));
    const auto answers = exchange(compare(exchange(marks, comm)), comm);
    std::vector<std::size_t> atoms;
    for (const Bytes& answer : answers) {
        for (const std::uint32_t atom : values_of<std::uint32_t>(answer)) atoms.push_back(atom);
    }
    std::sort(atoms.begin(), atoms.end());
    return atoms;
}

}  // namespace mdsim
