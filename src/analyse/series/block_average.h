// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mdsim::analyse {

/// Mean of a correlated series with its statistical error.
struct BlockAverage {
    double mean = 0.0;
    double error = 0.0;      ///< standard error of the mean; where it has not converged: the largest that was found
    std::size_t block = 1;   ///< values in each of the blocks that it comes from
    bool converged = false;  ///< the series is long enough for the error to be trusted
};

/// Blocking after Flyvbjerg & Petersen, J. Chem. Phys. 91 (1989) 461: neighbouring values are averaged again and again;
/// the error of the mean that blocks give as if they were independent grows until they are. The block length is the
/// first one, B, with B^3 > 2 N (error(B) / error(1))^4 (Lee et al., Phys. Rev. E 83 (2011) 066706), with at
/// least four blocks. Empty series have no average.
std::optional<BlockAverage> block_average(std::span<const double> values);

/// Least-squares slope of values against times, per unit of time; 0 for fewer than two values.
double slope(std::span<const double> times, std::span<const double> values);

}  // namespace mdsim::analyse
