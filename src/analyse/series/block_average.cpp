// SPDX-License-Identifier: Apache-2.0
#include "analyse/series/block_average.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.h"

namespace mdsim::analyse {

namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Standard error of the mean of values that are taken as independent.
double error_of(std::span<const double> values) {
    const double mean = mean_of(values);
    double square = 0.0;
    for (const double v : values) square += (v - mean) * (v - mean);
    const auto n = static_cast<double>(values.size());
    return std::sqrt(square / (n * (n - 1.0)));
}

// Of an odd number the last one is left out.
std::vector<double> halved(const std::vector<double>& values) {
    std::vector<double> pairs;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) pairs.push_back(0.5 * (values[i] + values[i + 1]));
    return pairs;
}

}  // namespace

std::optional<BlockAverage> block_average(std::span<const double> values) {
    if (values.empty()) return std::nullopt;
    BlockAverage average{.mean = mean_of(values)};
    const auto n = static_cast<double>(values.size());
    std::vector<double> blocks(values.begin(), values.end());
    double naive = 0.0;
    for (std::size_t size = 1; blocks.size() >= 4; size *= 2, blocks = halved(blocks)) {
        const double error = error_of(blocks);
        if (size == 1) naive = error;
        const auto b = static_cast<double>(size);
        const double ratio2 = naive > 0.0 ? (error / naive) * (error / naive) : 0.0;
        const bool enough = b * b * b > 2.0 * n * ratio2 * ratio2;
        if (enough || error > average.error) {
            average.error = error;
            average.block = size;
        }
        if (enough) {
            average.converged = true;
            break;
        }
    }
    return average;
}

double slope(std::span<const double> times, std::span<const double> values) {
    MDSIM_EXPECT(times.size() == values.size());
    if (values.size() < 2) return 0.0;
    const double mean_time = mean_of(times), mean_value = mean_of(values);
    double tt = 0.0, tv = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        tt += (times[i] - mean_time) * (times[i] - mean_time);
        tv += (times[i] - mean_time) * (values[i] - mean_value);
    }
    return tt > 0.0 ? tv / tt : 0.0;
}

}  // namespace mdsim::analyse
