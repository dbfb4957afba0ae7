// SPDX-License-Identifier: Apache-2.0
#include "run/report/page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/version.h"
#include "io/text/xml_text.h"
#include "run/record/run_view.h"
#include "run/report/svg_plot.h"

namespace mdsim::report {

namespace {

constexpr char style[] = R"(
:root { --ink: #1b2430; --soft: #5b6675; --line: #d9dee5; --paper: #ffffff; --card: #f6f8fa;
  --raw: #b4c3d6; --first: #1f5fa8; --second: #b85c00; --third: #2c7a4b; --warn: #8a5a00; --bad: #a3262a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #9aa6b5; --line: #323b47; --paper: #14181e; --card: #1c222a;
    --raw: #4a5f79; --first: #6fa8ea; --second: #f0a050; --third: #66c08a; --warn: #e0b050; --bad: #f08080; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p { margin: .3rem 0; } .soft, small { color: var(--soft); }
.warn { color: var(--warn); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
th, td { text-align: left; padding: .28rem .8rem .28rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } td.n, th.n { text-align: right; white-space: nowrap; }
td.mono { font-family: ui-monospace, monospace; font-size: .86rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); font-size: .88rem; }
svg { display: block; width: 100%; height: auto; }
svg .tick { font: 11px system-ui, sans-serif; fill: var(--soft); }
svg .title { font: 600 13px system-ui, sans-serif; fill: var(--ink); }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .axis { stroke: var(--soft); fill: none; }
svg .mark { stroke: var(--soft); stroke-dasharray: 2 3; }
svg polyline, svg line.raw, svg line.average, svg line.first, svg line.second, svg line.third { fill: none; stroke-linejoin: round; }
svg .raw { stroke: var(--raw); stroke-width: 1; } svg .average { stroke: var(--first); stroke-width: 2; }
svg .first { stroke: var(--first); stroke-width: 1.5; } svg .second { stroke: var(--second); stroke-width: 1.5; }
svg .third { stroke: var(--third); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .band { fill: var(--second); opacity: .25; } svg .mean { stroke: var(--second); stroke-width: 1.5; fill: none; }
svg .bar { fill: var(--first); }
details summary { cursor: pointer; color: var(--soft); }
)";

/// With as many digits as the error allows.
std::string with_error(const analyse::BlockAverage& a) {
    // Of what is constant only rounding varies.
    if (!std::isfinite(a.error) || a.error <= 1e-9 * std::abs(a.mean)) return fmt::format("{:.6g}", a.mean);
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(a.error))), 0, 8);
    return fmt::format("{:.{}f} ± {:.{}f}", a.mean, decimals, a.error, decimals);
}

std::string cell(const std::string& text, const char* kind = "") {
    return fmt::format("<td{}{}{}>{}</td>", *kind ? " class=\"" : "", kind, *kind ? "\"" : "", as_xml(text));
}

std::string row(const std::vector<std::string>& cells) {
    std::string text = "<tr>";
    for (const std::string& c : cells) text += c;
    return text + "</tr>\n";
}

std::string heads(const std::vector<std::pair<const char*, bool>>& names) {
    std::string text = "<tr>";
    for (const auto& [name, is_number] : names)
        text += fmt::format("<th{}>{}</th>", is_number ? " class=\"n\"" : "", name);
    return text + "</tr>\n";
}

std::string figure(const Plot& plot, const std::string& caption) {
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", svg_of(plot), as_xml(caption));
}

// Mean over the values round each one; a fiftieth of them, five at least.
std::size_t averaging_width(std::size_t count) {
    return std::max<std::size_t>(5, count / 50) | 1U;
}

std::vector<double> running_average(const std::vector<double>& values) {
    const std::size_t half = averaging_width(values.size()) / 2;
    std::vector<double> sums{0.0}, averages;
    for (const double v : values) sums.push_back(sums.back() + (std::isfinite(v) ? v : 0.0));
    for (std::size_t i = 0; i < values.size(); ++i) {
        // Narrower at the ends, so that it stays in the middle.
        const std::size_t reach = std::min({half, i, values.size() - 1 - i});
        averages.push_back((sums[i + reach + 1] - sums[i - reach]) / static_cast<double>(2 * reach + 1));
    }
    return averages;
}

std::vector<Mark> stage_marks(const RunData& data) {
    std::vector<Mark> marks;
    for (const StageRows& stage : data.stages) marks.push_back({stage.from, stage.name});
    return marks;
}

std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// The sections of the page, in order.
class Page {
  public:
    explicit Page(const RunData& data) : data_(data) {}
    std::string text();

  private:
    const RunData& data_;
    std::string out_;

    void section(const char* title) { out_ += fmt::format("<h2>{}</h2>\n", title); }
    void head();
    void warnings();
    void stages();
    void averages();
    void averages_of(const StageRows& stage);
    void courses();
    void course(const std::string& name);
    void box();
    void protein_and_water();
    void curve(const std::optional<Curve>& curve, const char* title, const char* x_label, const char* y_label,
               bool stages);
    void timing();
    void settings();
};

void Page::head() {
    const RunRecord& record = data_.state.record;
    const std::string title = data_.input && !data_.input->title.empty() ? data_.input->title : data_.paths.name;
    out_ += fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style></head><body>\n<h1>{}</h1>\n",
        as_xml(title), style, as_xml(title));
    out_ += fmt::format("<p>Run {}: <strong>{}</strong> at step {}, {} ps</p>\n", as_xml(data_.paths.name),
                        name_of(data_.state.status), data_.state.step, data_.state.time);
    out_ += fmt::format("<p class=\"soft\">{}<br>{}<br>input {}</p>\n", as_xml(record.version), as_xml(record.machine),
                        as_xml(record.input));
    section("System");
    out_ += "<p>";
    for (const std::string& line : record.system) {
        if (!line.starts_with("memory:")) out_ += as_xml(line) + "<br>\n";
    }
    out_ += "</p>\n";
}

void Page::warnings() {
    const RunRecord& record = data_.state.record;
    section("Warnings");
    for (const std::string& line : record.error) out_ += fmt::format("<p class=\"bad\">{}</p>\n", as_xml(line));
    for (const std::string& line : record.warnings) out_ += fmt::format("<p class=\"warn\">{}</p>\n", as_xml(line));
    for (const std::string& line : data_.notes) out_ += fmt::format("<p class=\"warn\">{}</p>\n", as_xml(line));
    if (data_.state.status == RunStatus::interrupted)
        out_ +=
            "<p class=\"bad\">The log has no end, and no process works on this run: it was killed, or its host went "
            "down.</p>\n";
    if (!data_.stages.empty()) {
        for (const char* name : {"temperature", "potential", "density"}) {
            const Course* course = data_.course(name);
            if (course == nullptr) continue;
            const auto figures = figures_of(data_, *course, data_.stages.back());
            if (!figures || figures->average.converged) continue;
            out_ += fmt::format(
                "<p class=\"warn\">Stage {} is too short for a trustworthy error of the {}: its values are "
                "correlated over much of the stage.</p>\n",
                as_xml(data_.stages.back().name), name);
        }
    }
    if (out_.ends_with("<h2>Warnings</h2>\n")) out_ += "<p class=\"soft\">None.</p>\n";
}

void Page::stages() {
    section("Stages");
    out_ += "<div class=\"scroll\"><table>" + heads({{"stage", false},
                                                     {"kind", false},
                                                     {"steps", true},
                                                     {"timestep", true},
                                                     {"length", true},
                                                     {"temperature", false},
                                                     {"pressure", false},
                                                     {"ns/day", true}});
    for (std::size_t n = 0; n < data_.state.plan.size(); ++n) {
        const PlannedStage& stage = data_.state.plan[n];
        const auto of_log = std::find_if(data_.state.record.stages.begin(), data_.state.record.stages.end(),
                                         [&](const StageRecord& s) { return s.number == static_cast<int>(n) + 1; });
        const bool begun = of_log != data_.state.record.stages.end();
        std::string temperature, pressure;
        if (stage.dynamics && data_.input && n < data_.input->stages.size()) {
            const StageInput& input = data_.input->stages[n];
            if (input.temperature_from && input.temperature_to) {
                temperature = *input.temperature_from == *input.temperature_to
                                  ? fmt::format("{} K", *input.temperature_to)
                                  : fmt::format("{} to {} K", *input.temperature_from, *input.temperature_to);
            }
            pressure =
                input.barostat == BarostatChoice::none ? "constant volume" : fmt::format("{} bar", input.pressure);
        }
        const std::string speed = begun && of_log->ns_per_day > 0.0 ? fmt::format("{:.2f}", of_log->ns_per_day)
                                  : begun                           ? ""
                                                                    : "not begun";
        out_ +=
            row({cell(stage.name), cell(stage.dynamics ? "dynamics" : "minimise"),
                 cell(fmt::format("{}{}", stage.dynamics ? "" : "up to ", stage.steps), "n"),
                 cell(stage.dynamics ? fmt::format("{} fs", 1e3 * stage.timestep) : "", "n"),
                 cell(stage.dynamics ? fmt::format("{:.6g} ps", stage.timestep * static_cast<double>(stage.steps)) : "",
                      "n"),
                 cell(temperature), cell(pressure), cell(speed, "n")});
    }
    out_ += "</table></div>\n";
}

void Page::averages() {
    if (data_.stages.empty()) return;
    section("Averages and drift");
    averages_of(data_.stages.back());
    out_ +=
        "<p class=\"soft\">Errors by blocking (Flyvbjerg &amp; Petersen 1989): values are averaged in longer and "
        "longer "
        "blocks until these are independent. An asterisk: the stage is too short for that, and the error a lower "
        "bound. "
        "Drift: slope of a straight line; that of the conserved energy is the error of the integration.</p>\n";
    if (data_.stages.size() == 1) return;
    out_ += "<details><summary>Earlier stages</summary>";
    for (auto stage = data_.stages.rbegin() + 1; stage != data_.stages.rend(); ++stage) averages_of(*stage);
    out_ += "</details>\n";
}

void Page::averages_of(const StageRows& stage) {
    out_ += "<div class=\"scroll\"><table>" + heads({{"stage", false},
                                                     {"quantity", false},
                                                     {"mean ± error", true},
                                                     {"unit", false},
                                                     {"values in a block", true},
                                                     {"drift per ns", true}});
    for (const Course& course : data_.courses) {
        const auto figures = figures_of(data_, course, stage);
        if (!figures) continue;
        const analyse::BlockAverage& a = figures->average;
        out_ += row({cell(stage.name), cell(course.name), cell(with_error(a) + (a.converged ? "" : " *"), "n"),
                     cell(course.unit), cell(fmt::format("{}", a.block), "n"),
                     cell(fmt::format("{:.3g}", figures->drift), "n")});
    }
    out_ += "</table></div>\n";
}

void Page::course(const std::string& name) {
    const Course* course = data_.course(name);
    if (course == nullptr) return;
    Plot plot{.title = capital(name),
              .x_label = "time [ps]",
              .y_label = fmt::format("[{}]", course->unit),
              .lines = {},
              .marks = stage_marks(data_),
              .band = {}};
    plot.lines.push_back({"as it was", data_.times, course->values, Look::raw});
    plot.lines.push_back({"running average", data_.times, running_average(course->values), Look::average});
    std::string caption = fmt::format("Running average over {} values.", averaging_width(course->values.size()));
    if (!data_.stages.empty()) {
        const StageRows& last = data_.stages.back();
        if (const auto figures = figures_of(data_, *course, last)) {
            plot.band = Band{last.from, last.to, figures->average.mean, figures->average.error};
            caption += fmt::format(" Stage {}: {} {}.", last.name, with_error(figures->average), course->unit);
        }
    }
    out_ += figure(plot, caption);
}

void Page::box() {
    Plot plot{.title = "Box",
              .x_label = "time [ps]",
              .y_label = "length [nm]",
              .lines = {},
              .marks = stage_marks(data_),
              .band = {}};
    constexpr Look looks[] = {Look::first, Look::second, Look::third};
    for (std::size_t n = 0; n < 3; ++n) {
        const std::string name(1, "abc"[n]);
        if (const Course* length = data_.course("box " + name))
            plot.lines.push_back({name, data_.times, length->values, looks[n]});
    }
    if (!plot.lines.empty()) out_ += figure(plot, "Lengths of the three box vectors.");
}

void Page::courses() {
    if (data_.times.empty()) return;
    section("Energies, temperature, pressure, density, box");
    for (const char* name :
         {"temperature", "potential", "kinetic", "total", "conserved", "pressure", "density", "volume"})
        course(name);
    box();
}

void Page::curve(const std::optional<Curve>& curve, const char* title, const char* x_label, const char* y_label,
                 bool stages) {
    if (!curve || curve->x.empty()) return;
    Plot plot{.title = title,
              .x_label = x_label,
              .y_label = y_label,
              .lines = {{"", curve->x, curve->y, Look::first}},
              .marks = {},
              .band = {}};
    if (stages) plot.marks = stage_marks(data_);
    out_ += figure(plot, capital(curve->about) + ".");
}

void Page::protein_and_water() {
    if (!data_.rmsd && !data_.rmsf && !data_.rdf) return;
    section("Protein and water");
    curve(data_.rmsd, "RMSD", "time [ps]", "[nm]", true);
    curve(data_.rgyr, "Radius of gyration", "time [ps]", "[nm]", true);
    curve(data_.rmsf, "RMSF", "residue", "[nm]", false);
    curve(data_.rdf, "Radial distribution function of water", "r [nm]", "g(r)", false);
}

void Page::timing() {
    const auto& stages = data_.state.record.stages;
    const auto timed =
        std::find_if(stages.rbegin(), stages.rend(), [](const StageRecord& s) { return !s.shares.empty(); });
    section("Where the time goes");
    if (timed == stages.rend()) {
        out_ += "<p class=\"soft\">No stage of dynamics has ended yet.</p>\n";
        return;
    }
    std::vector<std::pair<std::string, double>> shares;
    double rest = 100.0;
    for (const auto& share : timed->shares) {
        rest -= share.second;
        if (share.second > 0.0) shares.push_back(share);
    }
    std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    shares.emplace_back("the rest", std::max(0.0, rest));
    out_ += fmt::format("<figure>{}<figcaption>Stage {}: {:.2f} ns/day, {:.3f} ms a step.</figcaption></figure>\n",
                        svg_of_shares(shares), as_xml(timed->name), timed->ns_per_day, timed->ms_per_step);
}

void Page::settings() {
    section("Settings");
    out_ += "<details><summary>All keys of the input</summary><table>";
    for (const auto& [key, value] : data_.state.record.settings) out_ += row({cell(key, "mono"), cell(value, "mono")});
    out_ += "</table></details>\n";
    if (!data_.state.record.state.empty())
        out_ += fmt::format("<p class=\"soft\">{}</p>\n", as_xml(data_.state.record.state));
    out_ += fmt::format("<p class=\"soft\">Made by mdsim {} ({}).</p>\n", version, revision);
}

std::string Page::text() {
    head();
    stages();
    warnings();
    averages();
    courses();
    protein_and_water();
    timing();
    settings();
    return out_ + "</body></html>\n";
}

}  // namespace

std::string page_of(const RunData& data) {
    return Page(data).text();
}

}  // namespace mdsim::report
