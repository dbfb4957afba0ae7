// SPDX-License-Identifier: Apache-2.0
#include "run/report/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "io/text/xml_text.h"
namespace mdsim::report {

namespace {

// Of the picture and of the plot in it [px].
constexpr double width = 760.0, height = 250.0, left = 86.0, right = 12.0, top = 30.0, bottom = 42.0;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;

const char* name_of(Look look) {
    switch (look) {
        case Look::raw:
            return "raw";
        case Look::average:
            return "average";
        case Look::first:
            return "first";
        case Look::second:
            return "second";
        case Look::third:
            break;
    }
    return "third";
}

/// A range of values, and where it is in the picture.
struct Axis {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    double from = 0.0, to = 1.0;  // [px]

    void include(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void widen(double share) {
        if (!(low <= high)) low = 0.0, high = 1.0;
        const double largest = std::max(std::abs(low), std::abs(high));
        // What differs by rounding alone is constant.
        const bool constant = high - low <= 1e-9 * largest;
        const double more = constant ? std::max(1e-3 * largest, 1e-6) : share * (high - low);
        low -= more;
        high += more;
    }
    double place(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// Round numbers along an axis, some five of them.
struct Ticks {
    double step;
    int decimals;
    std::vector<double> values;

    explicit Ticks(const Axis& axis) {
        const double wanted = (axis.high - axis.low) / 5.0;
        const double power = std::pow(10.0, std::floor(std::log10(wanted)));
        const double times = wanted / power;
        step = power * (times < 1.5 ? 1.0 : times < 3.5 ? 2.0 : times < 7.5 ? 5.0 : 10.0);
        decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
        const double first = std::ceil(axis.low / step);
        const int count = static_cast<int>(std::floor(axis.high / step) - first) + 1;
        for (int n = 0; n < count; ++n) values.push_back((first + n) * step + 0.0);  // never a minus zero
    }
};

/// The smallest and largest value in each column of the picture, in the order in which they come.
std::string points_of(const Line& line, const Axis& x, const Axis& y) {
    std::string text;
    const auto add = [&](std::size_t i) {
        if (std::isfinite(line.y[i])) text += fmt::format("{:.1f},{:.1f} ", x.place(line.x[i]), y.place(line.y[i]));
    };
    if (line.y.size() <= 2 * static_cast<std::size_t>(plot_width)) {
        for (std::size_t i = 0; i < line.y.size(); ++i) add(i);
        return text;
    }
    const auto columns = static_cast<std::size_t>(plot_width);
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t begin = line.y.size() * c / columns, end = line.y.size() * (c + 1) / columns;
        std::size_t low = begin, high = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (!(line.y[i] >= line.y[low])) low = i;
            if (!(line.y[i] <= line.y[high])) high = i;
        }
        add(std::min(low, high));
        if (low != high) add(std::max(low, high));
    }
    return text;
}

std::string grid(const Axis& x, const Axis& y) {
    std::string text;
    const Ticks across(x), up(y);
    for (const double v : up.values) {
        text += fmt::format(R"(<line class="grid" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)", x.from, x.to,
                            y.place(v));
        text += fmt::format(R"(<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{:.{}f}</text>)", x.from - 6,
                            y.place(v) + 4, v, up.decimals);
    }
    for (const double v : across.values) {
        text += fmt::format(R"(<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{:.{}f}</text>)", x.place(v),
                            y.from + 16, v, across.decimals);
    }
    return text;
}

std::string legend(const Plot& plot) {
    std::string text;
    double at = width - right;
    for (auto line = plot.lines.rbegin(); line != plot.lines.rend(); ++line) {
        if (line->name.empty()) continue;
        at -= 7.0 * static_cast<double>(line->name.size()) + 34.0;
        text += fmt::format(R"(<line class="{}" x1="{}" x2="{}" y1="17" y2="17"/>)", name_of(line->look), at, at + 18);
        text += fmt::format(R"(<text class="tick" x="{}" y="21">{}</text>)", at + 23, as_xml(line->name));
    }
    return text;
}

std::string band_of(const Band& band, const Axis& x, const Axis& y) {
    const double x1 = x.place(band.from), x2 = x.place(band.to);
    const double low = y.place(band.mean - band.error), high = y.place(band.mean + band.error);
    std::string text = fmt::format(R"(<rect class="band" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)", x1,
                                   high, x2 - x1, std::max(1.0, low - high));
    // An error bar at the end, where it can be seen however narrow the band is.
    return text +
           fmt::format(
               R"(<path class="mean" d="M{0:.1f} {2:.1f}H{1:.1f}M{1:.1f} {3:.1f}V{4:.1f}M{5:.1f} {3:.1f}H{6:.1f}M{5:.1f} {4:.1f}H{6:.1f}"/>)",
               x1, x2, y.place(band.mean), low, high, x2 - 4, x2 + 4);
}

}  // namespace

std::string svg_of(const Plot& plot) {
    Axis x{.from = left, .to = width - right}, y{.from = height - bottom, .to = top};
    for (const Line& line : plot.lines) {
        for (std::size_t i = 0; i < line.y.size(); ++i) {
            x.include(line.x[i]);
            y.include(line.y[i]);
        }
    }
    if (plot.band) {
        y.include(plot.band->mean - plot.band->error);
        y.include(plot.band->mean + plot.band->error);
    }
    x.widen(0.0);
    y.widen(0.06);
    if (!plot.marks.empty()) y.high += 0.12 * (y.high - y.low);  // their names are above the lines
    std::string text =
        fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)", width, height, as_xml(plot.title));
    text += grid(x, y);
    for (const Mark& mark : plot.marks) {
        if (mark.x < x.low || mark.x > x.high) continue;
        text += fmt::format(R"(<line class="mark" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>)", x.place(mark.x),
                            y.to, y.from);
        text += fmt::format(R"(<text class="tick" x="{:.1f}" y="{}">{}</text>)", x.place(mark.x) + 4, y.to + 12,
                            as_xml(mark.text));
    }
    for (const Line& line : plot.lines)
        text += fmt::format("<polyline class=\"{}\" points=\"{}\"/>", name_of(line.look), points_of(line, x, y));
    if (plot.band) text += band_of(*plot.band, x, y);
    text += fmt::format(R"(<path class="axis" d="M{0} {1}V{2}H{3}"/>)", x.from, y.to, y.from, x.to);
    text += fmt::format(R"(<text class="title" x="{}" y="21">{}</text>)", left, as_xml(plot.title));
    text += fmt::format(R"(<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>)", left + 0.5 * plot_width,
                        height - 8, as_xml(plot.x_label));
    text += fmt::format(
        R"svg(<text class="tick" transform="translate(14 {}) rotate(-90)" text-anchor="middle">{}</text>)svg",
        top + 0.5 * plot_height, as_xml(plot.y_label));
    return text + legend(plot) + "</svg>\n";
}

std::string svg_of_shares(const std::vector<std::pair<std::string, double>>& shares) {
    constexpr double row = 22.0, name_width = 120.0, longest = 480.0;
    std::string text = fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="share of time">)", width,
                                   row * static_cast<double>(shares.size()));
    for (std::size_t n = 0; n < shares.size(); ++n) {
        const auto& [name, share] = shares[n];
        const double y = row * static_cast<double>(n), length = longest * std::clamp(share, 0.0, 100.0) / 100.0;
        text += fmt::format(R"(<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>)", name_width - 8, y + 15,
                            as_xml(name));
        text +=
            fmt::format(R"(<rect class="bar" x="{}" y="{}" width="{:.1f}" height="14"/>)", name_width, y + 4, length);
        text += fmt::format(R"(<text class="tick" x="{:.1f}" y="{}">{:.1f} %</text>)", name_width + length + 6, y + 15,
                            share);
    }
    return text + "</svg>\n";
}

}  // namespace mdsim::report
