// SPDX-License-Identifier: Apache-2.0
#include "run/report/run_data.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "analyse/rdf.h"
#include "analyse/shape.h"
#include "core/error.h"
#include "io/tables/energies_reader.h"
#include "run/analysis/trajectory_source.h"
#include "system/selection/selection.h"

namespace mdsim::report {

namespace {

struct Column {
    const char* name;
    const char* unit;
};
constexpr std::array columns{Column{"temperature", "K"}, Column{"pressure", "bar"},     Column{"density", "kg/m^3"},
                             Column{"volume", "nm^3"},   Column{"potential", "kJ/mol"}, Column{"kinetic", "kJ/mol"},
                             Column{"total", "kJ/mol"},  Column{"conserved", "kJ/mol"}};
constexpr std::array box_parts{"box_ax", "box_ay", "box_az", "box_bx", "box_by",
                               "box_bz", "box_cx", "box_cy", "box_cz"};

void read_courses(RunData& data) {
    std::vector<std::string> names{"time", "step"};
    for (const Column& column : columns) names.emplace_back(column.name);
    names.insert(names.end(), box_parts.begin(), box_parts.end());
    auto values = read_energies(data.paths.file(".energies.csv"), names);
    data.times = std::move(values[0]);
    for (std::size_t n = 0; n < columns.size(); ++n)
        data.courses.push_back({columns[n].name, columns[n].unit, std::move(values[n + 2])});
    const auto* parts = &values[2 + columns.size()];
    for (std::size_t row = 0; row < 3; ++row) {
        Course& length = data.courses.emplace_back(Course{fmt::format("box {}", "abc"[row]), "nm", {}});
        for (std::size_t i = 0; i < data.times.size() && i < parts[3 * row].size(); ++i)
            length.values.push_back(std::hypot(parts[3 * row][i], parts[3 * row + 1][i], parts[3 * row + 2][i]));
    }
    // The row at a border of two stages is the last one of the first.
    std::int64_t start = 0;
    std::size_t row = 0;
    for (const PlannedStage& stage : data.state.plan) {
        if (!stage.dynamics) continue;
        const std::int64_t end = start + stage.steps;
        StageRows rows{.name = stage.name, .begin = row};
        while (row < values[1].size() && values[1][row] <= static_cast<double>(end)) ++row;
        rows.end = row;
        start = end;
        if (rows.end == rows.begin) continue;
        rows.from = data.times[rows.begin];
        rows.to = data.times[rows.end - 1];
        data.stages.push_back(rows);
    }
}

/// Measures of one pass through the trajectory.
class Measurements {
  public:
    explicit Measurements(RunData& data) : data_(data), files_(analysed_of_run(data.paths)) {}
    void run();

  private:
    struct Part {
        const char* name;
        std::unique_ptr<analyse::Measure> measure;
        std::optional<Curve>* curve;
        std::size_t x, y;         // columns of its table
        bool last_stage = false;  // only its frames
        std::int64_t frames = 0;  // so far
    };
    RunData& data_;
    AnalysedFiles files_;
    std::vector<Part> parts_;

    bool holds(const char* text) const { return !select(text, files_.topology).empty(); }
    void choose();
    void put(Part part, std::optional<Curve>& curve, std::string about);
    static void take(Part& part, const std::vector<analyse::Row>& rows);
};

double number(const analyse::Field& field) {
    if (const auto* whole = std::get_if<std::int64_t>(&field)) return static_cast<double>(*whole);
    const auto* value = std::get_if<double>(&field);
    return value == nullptr ? 0.0 : *value;
}

void Measurements::put(Part part, std::optional<Curve>& curve, std::string about) {
    curve.emplace().about = std::move(about);
    part.curve = &curve;
    parts_.push_back(std::move(part));
}

void Measurements::choose() {
    const Topology& topology = files_.topology;
    if (holds("backbone")) {
        put({"RMSD", std::make_unique<analyse::Rmsd>(topology, "backbone", analyse::Fitting{}), nullptr, 0, 1},
            data_.rmsd, "of the backbone (N, CA, C, O), superposed on the first frame");
        put({"radius of gyration", std::make_unique<analyse::RadiusOfGyration>(topology, "protein"), nullptr, 0, 1},
            data_.rgyr, "of the protein, weighted by mass");
    }
    if (holds("protein and name CA")) {
        put({"RMSF", std::make_unique<analyse::Rmsf>(topology, "protein and name CA", analyse::Fitting{}), nullptr, 1,
             4, true},
            data_.rmsf, "of the CA atoms in the last stage, superposed on its first frame");
    }
    if (holds("water and element O")) {
        const analyse::Rdf::Settings settings{.select = "water and element O", .other = "water and element O"};
        put({"radial distribution function", std::make_unique<analyse::Rdf>(topology, settings), nullptr, 0, 1, true},
            data_.rdf, "of water's oxygens in the last stage");
    }
}

void Measurements::take(Part& part, const std::vector<analyse::Row>& rows) {
    for (const analyse::Row& row : rows) {
        (*part.curve)->x.push_back(number(row[part.x]));
        (*part.curve)->y.push_back(number(row[part.y]));
    }
}

void Measurements::run() {
    choose();
    if (parts_.empty()) return;
    const double last_stage = data_.stages.empty() ? 0.0 : data_.stages.back().from;
    TrajectorySource source(files_, {});
    std::vector<analyse::Row> rows;
    while (const analyse::Snapshot* frame = source.next()) {
        for (Part& part : parts_) {
            if (part.last_stage && frame->time < last_stage) continue;
            // A box that is not there has no density to compare with.
            if (part.curve == &data_.rdf && !frame->box.periodic()) continue;
            ++part.frames;
            rows.clear();
            part.measure->add(*frame, rows);
            take(part, rows);
        }
    }
    for (Part& part : parts_) {
        if (part.frames == 0) {
            data_.notes.push_back(
                fmt::format("no {} is shown: the trajectory has no frame for one {}", part.name, (*part.curve)->about));
            part.curve->reset();
            continue;
        }
        rows.clear();
        part.measure->finish(rows);
        take(part, rows);
    }
}

}  // namespace

const Course* RunData::course(const std::string& name) const {
    const auto found = std::find_if(courses.begin(), courses.end(), [&](const Course& c) { return c.name == name; });
    return found == courses.end() || found->values.empty() ? nullptr : &*found;
}

RunData read_run_data(const RunPaths& paths) {
    RunData data{.paths = paths, .state = RunObserver(paths).look(), .input = {}};
    if (auto last = last_checkpoint(paths)) data.input = std::move(last->input);
    std::error_code none;
    if (std::filesystem::exists(paths.file(".energies.csv"), none)) read_courses(data);
    try {
        Measurements(data).run();
    } catch (const Error& error) {
        data.notes.push_back(fmt::format("nothing was measured on the trajectory: {}", error.problems().front().what));
    }
    return data;
}

std::optional<StageFigures> figures_of(const RunData& data, const Course& course, const StageRows& stage) {
    if (course.values.size() < stage.end) return std::nullopt;
    const std::span values(course.values.data() + stage.begin, stage.end - stage.begin);
    const std::span times(data.times.data() + stage.begin, stage.end - stage.begin);
    const auto average = analyse::block_average(values);
    if (!average) return std::nullopt;
    return StageFigures{*average, 1e3 * analyse::slope(times, values)};
}

}  // namespace mdsim::report
