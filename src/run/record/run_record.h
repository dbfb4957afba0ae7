// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mdsim {

/// A line of energies in NAME.log.
struct LogPoint {
    std::int64_t step = 0;
    double time = 0.0;                                     ///< [ps]
    double potential = 0.0, total = 0.0, conserved = 0.0;  ///< [kJ/mol]
    double temperature = 0.0;                              ///< [K]
    double pressure = 0.0;                                 ///< [bar]
    double density = 0.0;                                  ///< [kg/m^3]
    double left = 0.0;  ///< wall-clock time to the end of the stage, foretold then [s]
};

/// A line of a minimisation.
struct LogIteration {
    std::int64_t iteration = 0;
    std::string potential;   ///< [kJ/mol], or "out of range"
    double max_force = 0.0;  ///< [kJ/mol/nm]
};

/// What NAME.log says of a stage that has begun.
struct StageRecord {
    int number = 0;  ///< from 1
    std::string name;
    std::vector<LogPoint> points;
    std::vector<LogIteration> iterations;
    double ns_per_day = 0.0;                             ///< of dynamics that has ended; 0: not known
    double ms_per_step = 0.0;                            ///< likewise
    std::vector<std::pair<std::string, double>> shares;  ///< of time, by part of the step [%]
    bool ended = false;
};

/// What a stage of the plan in NAME.log is to do.
struct PlannedStage {
    std::string name;
    bool dynamics = true;
    std::int64_t steps = 0;  ///< or iterations at most
    double timestep = 0.0;   ///< [ps]
};

enum class LogEnd { open, finished, stopped };

/// NAME.log as data. It is complete at every moment but for its last line, and is cut back on continuation, so that it
/// reads as that of a run without interruption.
struct RunRecord {
    std::string version;                                        ///< first line
    std::string machine;                                        ///< second line: ranks, threads, processor
    std::string input;                                          ///< path
    std::vector<std::pair<std::string, std::string>> settings;  ///< key and value as the log has them
    std::vector<std::string> system;                            ///< lines about the system and forces
    std::vector<PlannedStage> plan;
    std::vector<StageRecord> stages;
    std::vector<std::string> warnings;
    std::vector<std::string> error;  ///< what ended it, as it was printed; empty where nothing did
    std::string reason;              ///< why it was stopped: "stopping on signal 15 (Terminated)"
    LogEnd end = LogEnd::open;
    std::string state;  ///< last "state step=..." line
};
/// Errors: exit code 74 where the file cannot be read.
RunRecord read_run_log(const std::filesystem::path& log);

}  // namespace mdsim
