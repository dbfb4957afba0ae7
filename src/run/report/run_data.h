// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyse/series/block_average.h"
#include "run/record/run_state.h"

namespace mdsim::report {

/// A column of the table of energies.
struct Course {
    std::string name, unit;      ///< "temperature", "K"
    std::vector<double> values;  ///< extent: rows
};

/// A stage's part of the table of energies: rows [begin, end).
struct StageRows {
    std::string name;
    std::size_t begin = 0, end = 0;
    double from = 0.0, to = 0.0;  ///< [ps]
};

/// One line of a measurement over the trajectory.
struct Curve {
    std::string about;  ///< what was measured, with its selection
    std::vector<double> x, y;
};

/// All that a report shows, gathered from the files of a run.
struct RunData {
    RunPaths paths;
    RunState state;
    std::optional<Input> input;  ///< of the checkpoint
    std::vector<double> times;   ///< of the rows of the table of energies [ps]
    std::vector<Course> courses;
    std::vector<StageRows> stages;    ///< of dynamics, with at least one row
    std::optional<Curve> rmsd, rgyr;  ///< against time [ps], [nm]
    std::optional<Curve> rmsf;        ///< against the number of the residue [nm]
    std::optional<Curve> rdf;         ///< against distance [nm]
    std::vector<std::string> notes;   ///< what could not be shown, and why

    const Course* course(const std::string& name) const;
};
RunData read_run_data(const RunPaths& paths);

/// Mean, error and drift of a column over a stage.
struct StageFigures {
    analyse::BlockAverage average;
    double drift = 0.0;  ///< least-squares slope [unit/ns]
};
std::optional<StageFigures> figures_of(const RunData& data, const Course& course, const StageRows& stage);

}  // namespace mdsim::report
