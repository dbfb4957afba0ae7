// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/trajectory/trajectory_format.h"
#include "system/box.h"
#include "system/nonbonded.h"
#include "system/preparation/constraint_choice.h"
#include "system/restraints/restraint_kinds.h"

namespace mdsim {

enum class VelocityChoice { from_file, generate };
enum class CoulombChoice { automatic, amber, charmm, gromacs, given };
enum class GpuMessages { automatic, direct, staged };
enum class GpuChoice { automatic, off, required, host, listed };
enum class PrecisionChoice { mixed, double_ };
enum class StageKind { minimise, dynamics };
enum class IntegratorChoice { leap_frog, velocity_verlet, langevin };
enum class ThermostatChoice { none, v_rescale, langevin };
enum class BarostatChoice { none, c_rescale, monte_carlo };
enum class CouplingChoice { isotropic, semi_isotropic };
enum class RestraintReference { input, stage_start, file };

/// [system]. Paths are complete: those of the input are relative to the folder of the .inp.
struct SystemInput {
    std::filesystem::path topology, coordinates;
    std::vector<std::filesystem::path> parameters;  ///< of a CHARMM topology, later ones override
    std::vector<std::filesystem::path> include_path;
    std::vector<std::string> define;           ///< "NAME" or "NAME=VALUE", for GROMACS topologies
    std::optional<VelocityChoice> velocities;  ///< left out: from the file where it has them and dynamics comes first
    std::uint64_t seed = 0;
    CoulombChoice coulomb = CoulombChoice::automatic;
    double coulomb_constant = 0.0;        ///< [kJ nm/mol/e^2], for CoulombChoice::given
    std::optional<double> hydrogen_mass;  ///< [u], left out: no repartitioning
    ConstraintChoice constraints = ConstraintChoice::hydrogen_bonds;
    std::optional<Box> box;  ///< in place of the one in the coordinates
};

/// [forces].
struct ForcesInput {
    double cutoff = 0.0;  ///< [nm]
    Electrostatics electrostatics = Electrostatics::pme;
    double force_error = 0.0;                  ///< wanted RMS error / RMS electrostatic force
    std::optional<double> ewald_splitting;     ///< beta [1/nm], left out: chosen from cutoff and force_error
    std::optional<double> mesh_spacing;        ///< [nm], largest allowed
    std::vector<int> mesh;                     ///< points along a, b, c; empty: chosen
    std::optional<int> mesh_order;             ///< 4 to 8, left out: chosen
    double reaction_field_permittivity = 0.0;  ///< of the surroundings; 0 stands for infinity
    double relative_permittivity = 1.0;        ///< of the medium, for all Coulomb
    LennardJones lennard_jones = LennardJones::shift;
    double switch_from = 0.0;  ///< [nm], for the switched forms
    bool dispersion_correction = true;
};

/// [hardware].
struct HardwareInput {
    GpuChoice gpu = GpuChoice::automatic;
    std::vector<int> devices;  ///< numbers of GPUs, for GpuChoice::listed
    GpuMessages gpu_messages = GpuMessages::automatic;
    PrecisionChoice precision = PrecisionChoice::mixed;
    int threads = 0;                   ///< 0: as many as the process may use
    double give_up_after = 0.0;        ///< without progress [s]; 0: never
    std::optional<double> spare_time;  ///< before the end of a batch job [s]; left out: a part of the job's time
    std::optional<int> mesh_ranks;     ///< set aside for the mesh; none: "auto"
};

/// How often something is done: by simulated time, by steps, or by wall-clock time (checkpoints only).
/// All zero: never.
struct Cadence {
    double time = 0.0;          ///< [ps]
    std::int64_t steps = 0;     ///< steps of dynamics, or iterations of a minimisation
    double wall_seconds = 0.0;  ///< [s]
    bool given = false;         ///< by the user, not a default

    bool never() const { return time == 0.0 && steps == 0 && wall_seconds == 0.0; }
    /// Whole steps; a time is rounded up to whole steps (read_input refuses given ones that are not whole).
    std::int64_t in_steps(double timestep) const;
};

struct TrajectoryInput {
    Cadence every;
    std::vector<TrajectoryFormat> formats;
    std::string select;      ///< selection text
    double precision = 0.0;  ///< rounding of positions [nm], in XTC always, in H5MD where it was given
    bool precision_given = false;
    bool whole = true;  ///< write molecules whole
    bool velocities = false, forces = false;
};

/// number: atoms [1/nm^3]; charge: their charge [e/nm^3]; potential: of their charges [kJ/mol/e].
enum class MapQuantity { number, charge, potential };
enum class MapFormat { vti, dx };

/// One [[output.map]].
struct MapInput {
    Cadence every;
    MapQuantity quantity = MapQuantity::number;
    std::string select;    ///< selection text
    double spacing = 0.1;  ///< [nm]
    std::vector<MapFormat> formats;
    std::string stage;  ///< in which frames are taken; empty: the last one
};

/// [output], or the same with a stage's overrides applied.
struct OutputInput {
    std::string name;
    std::filesystem::path directory;  ///< relative to where the command runs
    std::vector<TrajectoryInput> trajectories;
    std::vector<MapInput> maps;
    Cadence energies, log, checkpoint;
};

struct RestraintInput {
    std::string name;
    std::string select;           ///< selection text
    double force_constant = 0.0;  ///< [kJ/mol/nm^2]
    double flat_bottom = 0.0;     ///< radius within which atoms are free [nm]
    RestraintReference to = RestraintReference::input;
    std::filesystem::path file;  ///< for RestraintReference::file
    bool scale_with_box = true;
};

/// A restraint of centres of mass; harmonic where lower = upper, else free between them.
struct GroupRestraintInput {
    std::string name;
    GroupMeasure measure = GroupMeasure::distance;
    std::vector<std::string> between;  ///< selection texts: 2, 3 or 4
    double lower = 0.0, upper = 0.0;   ///< [nm] or [rad]
    double force_constant = 0.0;       ///< [kJ/mol/nm^2] or [kJ/mol/rad^2]
};

/// A region that keeps a selection inside or outside: between two planes, or within a radius of a centre or an axis.
struct WallInput {
    std::string name, select;  ///< selection text
    WallShape shape = WallShape::plane;
    int axis = 2;
    Vec3d centre;             ///< of the region [nm]
    double half_width = 0.0;  ///< or radius [nm]
    WallSide keep = WallSide::inside;
    double force_constant = 0.0;  ///< [kJ/mol/nm^2]
};

/// One [[stage]].
struct StageInput {
    std::string name;
    StageKind kind = StageKind::dynamics;
    OutputInput output;
    std::vector<RestraintInput> restraints;
    std::vector<GroupRestraintInput> group_restraints;
    std::vector<WallInput> walls;
    std::string freeze;  ///< selection text, empty: nothing

    double stop_below = 0.0;     ///< minimise: largest force at which to stop [kJ/mol/nm]
    std::int64_t max_steps = 0;  ///< minimise: iterations

    // Of dynamics:
    double duration = 0.0;                                      ///< [ps]
    double timestep = 0.0;                                      ///< [ps]
    std::int64_t steps = 0;                                     ///< duration / timestep
    IntegratorChoice integrator = IntegratorChoice::leap_frog;  ///< langevin exactly where the thermostat is
    ThermostatChoice thermostat = ThermostatChoice::v_rescale;
    std::optional<double> temperature_from, temperature_to;  ///< [K]; both or none; equal when there is no ramp
    double thermostat_time = 0.0;                            ///< [ps]
    double friction = 0.0;                                   ///< [1/ps]
    BarostatChoice barostat = BarostatChoice::none;          ///< none exactly where pressure is not used
    double pressure = 0.0;                                   ///< [bar]
    double barostat_time = 0.0;                              ///< [ps]
    double compressibility = 0.0;                            ///< [1/bar]
    CouplingChoice coupling = CouplingChoice::isotropic;
    int coupling_every = 0;  ///< steps between actions of thermostat and barostat
    Cadence remove_com;
};

/// What regions of ranks follow.
enum class BalanceChoice { measured, off, forced };

/// [debug].
struct DebugInput {
    std::optional<std::int64_t> list_every;           ///< rebuild the pair list every n steps
    std::optional<std::int64_t> stop_at_step;         ///< stop cleanly, as on a signal, before this global step is done
    std::optional<std::int64_t> stand_still_at_step;  ///< all ranks, as on SIGSTOP, before this global step
    std::optional<std::uint64_t> random_order_seed;
    std::optional<std::array<int, 3>> ranks_grid;  ///< regions along the box vectors
    BalanceChoice balance = BalanceChoice::measured;
    std::optional<int> mesh_trial;    ///< how the trial of mesh ranks ends
    std::optional<int> mesh_devices;  ///< that solve the mesh together, at most
    int warp_width = 32;              ///< 32 or 64, of the host back end of GPU kernels
    // What that back end has a device lack; as much as it likes where they are not given.
    std::optional<std::int64_t> device_memory;         ///< [bytes]
    std::optional<std::int64_t> device_shared_memory;  ///< of a block [bytes]
    std::optional<std::int64_t> device_lost_after;     ///< operations of a stage
};

/// One key in force, for the log, --check and the comparison with a checkpoint.
struct SettingLine {
    std::string key;     ///< "forces.cutoff", "stage.produce.duration"
    std::string value;   ///< TOML, quantities in internal units: "\"0.9 nm\""; or words where mdsim chooses later
    std::string origin;  ///< "default", "FILE:LINE", "--set", "--threads" or "MDSIM_SEED"
    std::string note;    ///< "not used: ..." where a given key has no effect
};

/// A whole .inp, checked, in internal units (nm, ps, u, e, kJ/mol, K, bar).
struct Input {
    std::string title;
    SystemInput system;
    ForcesInput forces;
    HardwareInput hardware;
    OutputInput output;
    std::vector<StageInput> stages;
    DebugInput debug;

    std::filesystem::path file;         ///< the .inp
    std::string text;                   ///< as read
    std::string canonical;              ///< every key in force, in TOML that parse_input reads; for checkpoints
    std::vector<SettingLine> settings;  ///< in the order of the table of keys
};

/// Reads and checks FILE. overrides are KEY=VALUE as of --set (VALUE in TOML; "stage.NAME.KEY" for a key of a stage).
/// For the seed --set comes before MDSIM_SEED, and that before the file. Throws all problems of the file together.
Input read_input(const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// The same from a text, such as a checkpoint's `canonical`; looks at no files and no environment.
/// file: the name that messages use and whose folder relative paths start from.
Input parse_input(const std::string& text, const std::filesystem::path& file);

/// Something that may not change when a run is continued.
struct Difference {
    std::string key;
    std::string stored, now;  ///< TOML values, "-" where a key is absent
    std::string why;          ///< may be empty
};

/// What of `now` forbids continuing a run that `stored` began: all but a longer last stage, appended stages, how often
/// outputs are written, [hardware] and [debug].
std::vector<Difference> differences(const Input& stored, const Input& now);

/// Throws MD115 with all differences and the way out (--restart), if there are any.
void require_continuable(const Input& stored, const Input& now);

/// docs/input_reference.md, from the table of keys.
std::string input_reference_markdown();

}  // namespace mdsim
