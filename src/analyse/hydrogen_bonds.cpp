// SPDX-License-Identifier: Apache-2.0
#include "analyse/hydrogen_bonds.h"

#include <cmath>
#include <numeric>

#include "core/units.h"
#include "parallel/threads.h"
#include "system/geometry/neighbour_grid.h"
#include "system/molecules/drawn_bonds.h"

namespace mdsim::analyse {

namespace {

bool gives_or_takes(int element) {
    return element == 7 || element == 8 || element == 9;
}

/// For each hydrogen of a molecule the atom that it is bonded to, where that can give it; -1 for other atoms.
std::vector<int> donors_of(const MoleculeType& type) {
    std::vector<int> donors(type.atoms.size(), -1);
    const auto element = [&](int i) { return type.atoms[static_cast<std::size_t>(i)].element; };
    for (const auto& [i, j] : drawn_bonds(type)) {
        if (element(i) == 1 && gives_or_takes(element(j))) donors[static_cast<std::size_t>(i)] = j;
        if (element(j) == 1 && gives_or_takes(element(i))) donors[static_cast<std::size_t>(j)] = i;
    }
    return donors;
}

}  // namespace

HydrogenBonds::HydrogenBonds(const Topology& topology, Settings settings)
    : settings_(std::move(settings)),
      table_(atom_table(topology)),
      first_(settings_.select, topology, Selecting::each_frame),
      second_(settings_.other, topology, Selecting::each_frame) {
    std::vector<std::vector<int>> of_types;
    for (const MoleculeType& type : topology.types) of_types.push_back(donors_of(type));
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const std::vector<int>& donors = of_types[static_cast<std::size_t>(&type - topology.types.data())];
        for (int i = 0; i < type.size(); ++i) {
            const int donor = donors[static_cast<std::size_t>(i)];
            if (donor >= 0) hydrogens_.push_back({first + donor, first + i});
        }
    });
}

std::vector<char> HydrogenBonds::membership(const Snapshot& frame) {
    std::vector<char> flags(frame.x.size());
    for (const std::int64_t atom : first_.atoms(frame)) flags[static_cast<std::size_t>(atom)] |= in_first;
    for (const std::int64_t atom : second_.atoms(frame)) flags[static_cast<std::size_t>(atom)] |= in_second;
    return flags;
}

void HydrogenBonds::add(const Snapshot& frame, std::vector<Row>& rows) {
    const std::vector<char> flags = membership(frame);
    std::vector<std::int64_t> acceptors;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (flags[i] != 0 && gives_or_takes(table_.element[i])) acceptors.push_back(static_cast<std::int64_t>(i));
    }
    const NeighbourGrid grid(frame.box, positions(frame.x, acceptors), settings_.distance);
    const double largest_cosine = std::cos(settings_.angle * units::pi / 180.0);
    const auto joins_groups = [&](std::size_t donor, std::size_t acceptor) {
        const char d = flags[donor], a = flags[acceptor];
        return ((d & in_first) && (a & in_second)) || ((d & in_second) && (a & in_first));
    };
    std::vector<std::int64_t> of_threads(static_cast<std::size_t>(thread_count()));
    parallel_ranges(hydrogens_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        std::int64_t count = 0;
        for (std::size_t n = begin; n < end; ++n) {
            const auto donor = static_cast<std::size_t>(hydrogens_[n].donor);
            if (flags[donor] == 0) continue;
            const Vec3d from_donor =
                frame.box.minimum_image(frame.x[static_cast<std::size_t>(hydrogens_[n].atom)] - frame.x[donor]);
            grid.for_each(frame.x[donor], [&](std::int64_t point, const Vec3d& to_acceptor, double) {
                const auto acceptor = static_cast<std::size_t>(acceptors[static_cast<std::size_t>(point)]);
                if (acceptor == donor || !joins_groups(donor, acceptor)) return;
                // At the hydrogen, between donor and acceptor.
                const Vec3d a = -from_donor, b = to_acceptor - from_donor;
                if (dot(a, b) <= largest_cosine * std::sqrt(norm2(a) * norm2(b))) ++count;
            });
        }
        of_threads[static_cast<std::size_t>(thread)] = count;
    });
    rows.push_back({frame.time, std::accumulate(of_threads.begin(), of_threads.end(), std::int64_t{0})});
}

}  // namespace mdsim::analyse
