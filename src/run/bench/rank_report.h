// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/timers.h"
#include "parallel/comm.h"

namespace mdsim {

/// What one rank has measured over some steps. Plain values: it goes from rank to rank as bytes.
struct RankTimes {
    double seconds = 0.0;                                               ///< of all steps, wall time
    std::array<double, static_cast<std::size_t>(Part::count)> parts{};  ///< of it by part [s]
    TrafficCounts sent;                                                 ///< in these steps
    std::int64_t home_atoms = 0;                                        ///< at the end
    std::int64_t resident = 0, peak_resident = 0;                       ///< memory now, and the most so far [bytes]
};

/// The difference of two counts.
TrafficCounts operator-(const TrafficCounts& now, const TrafficCounts& before);

/// The part that is no work of a rank's own: waiting for other ranks and moving data.
constexpr bool is_communication(Part part) {
    return part == Part::communication;
}

/// Largest value over the mean; 1 where there is nothing. What load balancing has to bring down to 1.
double imbalance(std::span<const double> values);

/// The measured steps of all ranks, one entry each, as JSON. A part is the mean over ranks [ms/step].
///   parts           name to ms
///   imbalance       name to largest over mean, for parts that any rank spends a thousandth of the step in; "work":
///                   of all that is not communication
///   communication   share: of the step, mean over ranks; largest: of any rank
///   traffic         kind to messages and bytes sent by a rank in a step, mean and largest; reductions: over all ranks
///   memory          resident, peak [bytes], one entry a rank
///   home_atoms      one entry a rank
nlohmann::ordered_json report_of(std::span<const RankTimes> ranks, std::int64_t steps);

/// The same as a table; nothing about other ranks where there is one.
std::vector<std::string> table_of(const nlohmann::ordered_json& report);

}  // namespace mdsim
