// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "parallel/comm.h"
#include "run/analysis/quantities.h"
#include "run/plan/request.h"

namespace mdsim {

/// Options that several commands share.
struct CommonOptions {
    std::filesystem::path input;
    std::vector<std::string> overrides;  ///< KEY=VALUE
    int threads = 0;                     ///< 0: as the input says
    std::string precision;               ///< "mixed", "double" or empty: as the input says
};

struct RunOptions {
    CommonOptions common;
    bool restart = false, check = false, quiet = false;
};

struct EnergyOptions {
    CommonOptions common;
    bool json = false;
    std::filesystem::path forces;  ///< .npy, anything else as text; empty: not written
};

struct ParityOptions {
    CommonOptions common;
    std::string against;           ///< "gromacs", "openmm" or empty
    std::filesystem::path engine;  ///< program of it; empty: searched along PATH
    bool json = false;
};

struct BenchOptions {
    CommonOptions common;
    int steps = 0;  ///< 0: as many as fill some seconds
    bool json = false;
    std::filesystem::path trace;  ///< empty: not written
    std::string ranks;            ///< "1,2,4": one measurement for each count, under mpirun; empty: this process
};

struct PlanOptions {
    CommonOptions common;
    PlanTexts texts;
    bool json = false;
    std::filesystem::path sbatch;  ///< empty: not written
};

struct MapOptions {
    std::filesystem::path trajectory, map;
    std::filesystem::path topology;   ///< empty: what the trajectory says itself
    std::string quantity = "number";  ///< "number", "charge" or "potential"
    std::string select = "all";
    std::string spacing = "0.1 nm", splitting = "3.12 /nm";
    std::string from = "0 ps", to;  ///< times; to empty: to the end
    int every = 1;
    int threads = 0;  ///< 0: all processors
};

struct AnalyseOptions {
    std::vector<std::string> words;  ///< quantities, and a run or files
    std::filesystem::path topology;
    std::filesystem::path output;  ///< a file, or for several quantities what their files' names begin with
    std::string from, to;          ///< with units; empty: from the first frame to the last
    std::int64_t every = 1;        ///< of the frames in between
    int threads = 0;               ///< 0: as many as the process may use
    QuantityOptions quantity;
};

struct WatchOptions {
    std::filesystem::path run;
    bool once = false, json = false;
    double every = 2.0;  ///< [s]
};

struct ReportOptions {
    std::filesystem::path run;
    std::filesystem::path output;  ///< empty: NAME.report.html
    int threads = 0;               ///< 0: as many as the process may use
};

struct ConvertOptions {
    std::filesystem::path in, out, topology;  ///< topology: empty where it is not given
    std::string select, centre, fit;          ///< selection texts
    std::string from, to, every;              ///< frames or times
    std::string precision;                    ///< a length
    std::size_t pieces = 1;                   ///< of the atoms of a frame, for a .pvd
    bool whole = false, quiet = false;
};

// These are called by all ranks of the world.
ExitCode run_command(const RunOptions& options, const Comm& world);
ExitCode energy_command(const EnergyOptions& options, const Comm& world);
ExitCode bench_command(const BenchOptions& options, const Comm& world);

/// Energies in the conventions of other engines; exit code 3 where the engine that it is compared with differs.
ExitCode parity_command(const ParityOptions& options, const Comm& world);
ExitCode plan_command(const PlanOptions& options);
/// Averages a field over the frames of a trajectory.
ExitCode map_command(const MapOptions& options);
ExitCode analyse_command(const AnalyseOptions& options);
ExitCode watch_command(const WatchOptions& options);
ExitCode report_command(const ReportOptions& options);
ExitCode convert_command(const ConvertOptions& options);
ExitCode info_command(const std::filesystem::path& file, bool json);

/// To standard error.
void warn(const std::vector<std::string>& warnings);

/// Reads the input with its overrides and the files that it names, shares what was read among the ranks, sets the
/// number of threads and chooses the device; warns of one that is shared.
struct Setup;
Setup open_setup(const CommonOptions& options, const Comm& world);

}  // namespace mdsim
