// SPDX-License-Identifier: Apache-2.0
#include "analyse/rdf.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/units.h"
#include "parallel/threads.h"
#include "system/geometry/neighbour_grid.h"

namespace mdsim::analyse {

Rdf::Rdf(const Topology& topology, Settings settings)
    : settings_(std::move(settings)),
      table_(atom_table(topology)),
      first_(settings_.select, topology, Selecting::each_frame),
      second_(settings_.other, topology, Selecting::each_frame),
      counts_(static_cast<std::size_t>(settings_.bins)) {}

// Pairs of different atoms, less those of one molecule where they are left out.
double Rdf::allowed_pairs(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second) const {
    std::vector<std::int64_t> left_out;
    double pairs = static_cast<double>(first.size()) * static_cast<double>(second.size());
    if (settings_.same_molecule == SameMolecule::counts) {
        std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(left_out));
        return pairs - static_cast<double>(left_out.size());
    }
    std::map<std::int64_t, std::int64_t> in_molecule;
    for (const std::int64_t atom : second) ++in_molecule[table_.molecule[static_cast<std::size_t>(atom)]];
    for (const std::int64_t atom : first) {
        const auto found = in_molecule.find(table_.molecule[static_cast<std::size_t>(atom)]);
        if (found != in_molecule.end()) pairs -= static_cast<double>(found->second);
    }
    return pairs;
}

// Counts are integers: the same for any number of threads.
void Rdf::add(const Snapshot& frame, std::vector<Row>&) {
    const std::vector<std::int64_t>&first = first_.atoms(frame), &second = second_.atoms(frame);
    const std::vector<Vec3d> others = positions(frame.x, second);
    const NeighbourGrid grid(frame.box, others, settings_.range);
    const double bins_per_nm = static_cast<double>(settings_.bins) / settings_.range;
    std::vector<Counts> of_threads(static_cast<std::size_t>(thread_count()), Counts(counts_.size()));
    parallel_ranges(first.size(), [&](int thread, std::size_t begin, std::size_t end) {
        Counts& counts = of_threads[static_cast<std::size_t>(thread)];
        for (std::size_t i = begin; i < end; ++i) {
            const auto atom = static_cast<std::size_t>(first[i]);
            grid.for_each(frame.x[atom], [&](std::int64_t point, const Vec3d&, double d2) {
                const auto other = static_cast<std::size_t>(second[static_cast<std::size_t>(point)]);
                if (other == atom) return;
                if (settings_.same_molecule == SameMolecule::is_left_out &&
                    table_.molecule[other] == table_.molecule[atom])
                    return;
                const auto bin = static_cast<std::size_t>(std::sqrt(d2) * bins_per_nm);
                if (bin < counts.size()) ++counts[bin];
            });
        }
    });
    for (const Counts& counts : of_threads) {
        for (std::size_t bin = 0; bin < counts.size(); ++bin) counts_[bin] += counts[bin];
    }
    pair_density_ += allowed_pairs(first, second) / frame.box.volume();
    centres_ += static_cast<std::int64_t>(first.size());
}

void Rdf::finish(std::vector<Row>& rows) {
    const double width = settings_.range / static_cast<double>(settings_.bins);
    std::int64_t within = 0;
    for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
        const double low = width * static_cast<double>(bin), high = low + width;
        const double shell = 4.0 / 3.0 * units::pi * (high * high * high - low * low * low);
        within += counts_[bin];
        const auto ratio = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
        rows.push_back({0.5 * (low + high), ratio(static_cast<double>(counts_[bin]), pair_density_ * shell),
                        ratio(static_cast<double>(within), static_cast<double>(centres_))});
    }
}

}  // namespace mdsim::analyse
