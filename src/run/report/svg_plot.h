// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mdsim::report {

/// How a line looks; the page's style sheet says in which colour.
enum class Look { raw, average, first, second, third };

struct Line {
    std::string name;  ///< for the legend; empty: not in it
    std::vector<double> x, y;
    Look look = Look::first;
};

/// A mean with its error over a part of the x axis.
struct Band {
    double from, to, mean, error;
};

/// A vertical line with a text, where something begins.
struct Mark {
    double x;
    std::string text;
};

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::optional<Band> band;
};

/// The plot as an inline SVG element. Lines of more points than the picture has columns are drawn by the smallest and
/// largest value of each column; values that are no numbers interrupt a line.
std::string svg_of(const Plot& plot);

/// A bar for each part of a whole, with its name and per cent.
std::string svg_of_shares(const std::vector<std::pair<std::string, double>>& shares);

}  // namespace mdsim::report
