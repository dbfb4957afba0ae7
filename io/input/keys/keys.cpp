// SPDX-License-Identifier: Apache-2.0
#include "io/input/keys/keys.h"

namespace mdsim::inp {

namespace {

using D = Dimension;

constexpr Range positive{.least = 0.0, .above_least = true};
constexpr Range not_negative{.least = 0.0};
constexpr Range at_least_one{.least = 1.0, .most = 2147483647.0};

constexpr std::string_view is_dynamics = "kind=dynamics";
constexpr std::string_view is_minimise = "kind=minimise";
constexpr std::string_view is_switched = "lennard_jones=potential-switch|force-switch|charmm-force-switch";
constexpr std::string_view is_ewald = "electrostatics=pme|ewald";
constexpr std::string_view is_mesh = "electrostatics=pme|esp";
constexpr std::string_view has_error = "electrostatics=pme|esp|ewald";
constexpr std::string_view is_coupled = "barostat=c-rescale|monte-carlo";

// clang-format off
constexpr KeySpec table[] = {
    {.path = "title", .kind = Kind::text, .fallback = "\"\"", .meaning = "Free text, printed in the log."},

    {.path = "system", .kind = Kind::table, .meaning = "What is simulated."},
    {.path = "system.topology", .kind = Kind::file, .required = true,
     .meaning = "Topology: AMBER `.prmtop`/`.parm7` or GROMACS `.top`."},
    {.path = "system.coordinates", .kind = Kind::file, .required = true,
     .meaning = "Coordinates: `.gro`, `.inpcrd`/`.rst7`, `.pdb` or `.cif`, atoms in the order of the topology."},
    {.path = "system.parameters", .kind = Kind::texts, .fallback = "[]",
     .instead = "an AMBER .prmtop or a GROMACS .top, which hold their parameters",
     .meaning = "Parameter files of a CHARMM topology; refused in this version, which reads no CHARMM topologies."},
    {.path = "system.include_path", .kind = Kind::folders, .fallback = "[]",
     .meaning = "Folders that `#include` of a GROMACS topology searches, after the folder of the including file."},
    {.path = "system.define", .kind = Kind::texts, .fallback = "[]",
     .meaning = "Macros of a GROMACS topology: `[\"POSRES\", \"X=1\"]`."},
    {.path = "system.velocities", .kind = Kind::choice,
     .fallback_note = "`file` where the coordinates have velocities and no minimisation comes first, else `generate`",
     .choices = "file|generate",
     .meaning = "Where the velocities of the first dynamics stage come from; `generate` draws them at its temperature."},
    {.path = "system.seed", .kind = Kind::integer, .fallback = "271828", .range = not_negative,
     .meaning = "Key of all random numbers. `--set` comes before the environment variable `MDSIM_SEED`, that before the file."},
    {.path = "system.coulomb_constant", .kind = Kind::coulomb, .dimension = D::coulomb_constant, .fallback = "\"auto\"",
     .example = "138.935457644 kJ nm/mol/e^2", .choices = "auto|amber|charmm|gromacs", .range = positive,
     .meaning = "Coulomb's constant: that of the topology's origin (`auto`), of a named program, or a value."},
    {.path = "system.hydrogen_mass", .kind = Kind::quantity, .dimension = D::mass, .fallback_note = "masses of the topology",
     .example = "3 u", .range = {.least = 1.0, .most = 4.0},
     .meaning = "Mass of hydrogens outside water, taken from the atom that they are bound to; with `\"3 u\"` steps of 4 fs work."},
    {.path = "system.constraints", .kind = Kind::choice, .fallback = "\"hydrogen-bonds\"", .choices = "hydrogen-bonds|water|none",
     .meaning = "Bonds of fixed length: all bonds to hydrogen and rigid water, rigid water alone, or none."},
    {.path = "system.box", .kind = Kind::box, .dimension = D::length, .fallback_note = "the box of the coordinates",
     .example = "6 nm", .range = {},
     .meaning = "The periodic box: three lengths, or nine numbers (rows a, b, c of the lower triangular box matrix)."},

    {.path = "forces", .kind = Kind::table, .meaning = "How forces are computed."},
    {.path = "forces.cutoff", .kind = Kind::quantity, .dimension = D::length, .fallback = "\"0.9 nm\"", .example = "0.9 nm",
     .range = positive, .meaning = "Cutoff of Lennard-Jones and of the direct part of the electrostatics."},
    {.path = "forces.electrostatics", .kind = Kind::choice, .fallback = "\"pme\"",
     .choices = "pme|esp|ewald|reaction-field|cutoff|none",
     .meaning = "`pme`: smooth particle-mesh Ewald. `esp`: Ewald summation with prolates, on a coarser mesh (docs/theory/esp.md); not on graphics processors. `ewald`: plain Ewald sum, slow, for reference. `none`: all pairs without cutoff, for systems without a box."},
    {.path = "forces.force_error", .kind = Kind::number, .fallback = "5e-4", .range = {.least = 1e-12, .most = 0.1},
     .needs = has_error,
     .meaning = "Wanted RMS error of the electrostatic forces over their RMS; splitting, and mesh or wave vectors, are chosen to reach it."},
    {.path = "forces.ewald_splitting", .kind = Kind::quantity, .dimension = D::inverse_length,
     .fallback_note = "chosen from `cutoff` and `force_error`", .example = "3.12 /nm", .range = positive, .needs = is_ewald,
     .meaning = "Ewald splitting parameter beta. Given with `ewald`, the sum over wave vectors is converged and `force_error` chooses nothing."},
    {.path = "forces.mesh_spacing", .kind = Kind::quantity, .dimension = D::length,
     .fallback_note = "chosen from `force_error`", .example = "0.12 nm", .range = positive, .needs = is_mesh,
     .meaning = "Largest distance between mesh points."},
    {.path = "forces.mesh", .kind = Kind::three_counts, .fallback_note = "chosen from `force_error` or `mesh_spacing`",
     .range = {.least = 4, .most = 4096}, .needs = is_mesh, .meaning = "Mesh points along the box vectors: `[64, 64, 64]`."},
    {.path = "forces.mesh_order", .kind = Kind::integer, .fallback_note = "chosen with the mesh",
     .range = {.least = 4, .most = 8}, .needs = is_mesh,
     .meaning = "Mesh points along an axis that a charge is spread over: 4, 5 or 6 with `pme`, 5 to 8 with `esp`."},
    {.path = "forces.reaction_field_permittivity", .kind = Kind::number, .fallback = "inf", .range = {.least = 1.0},
     .needs = "electrostatics=reaction-field", .meaning = "Relative permittivity beyond the cutoff; `inf` for a conductor."},
    {.path = "forces.lennard_jones", .kind = Kind::choice, .fallback = "\"shift\"",
     .choices = "cut|shift|potential-switch|force-switch|charmm-force-switch",
     .meaning = "How Lennard-Jones ends at the cutoff (docs/theory/)."},
    {.path = "forces.switch_from", .kind = Kind::quantity, .dimension = D::length,
     .fallback_note = "must be given with a switched form", .example = "0.8 nm", .range = not_negative, .needs = is_switched,
     .strict = true, .meaning = "Where the switched forms begin to differ from plain Lennard-Jones."},
    {.path = "forces.dispersion_correction", .kind = Kind::flag, .fallback = "true",
     .meaning = "Correct energy and pressure for the dispersion beyond the cutoff."},
    {.path = "forces.mesh_every", .kind = Kind::integer, .fallback = "1", .range = at_least_one,
     .instead = "1, the mesh at every step", .meaning = "Mesh forces every n steps; refused above 1 in this version."},

    {.path = "hardware", .kind = Kind::table, .change = Change::allowed, .meaning = "What it runs on; may differ when a run is continued."},
    {.path = "hardware.gpu", .kind = Kind::gpu, .fallback = "\"auto\"", .choices = "auto|off|required|host",
     .range = {.least = 0, .most = 4095}, .change = Change::allowed,
     .meaning = "Which graphics processor computes pair forces and the mesh: `\"auto\"` one if there is one, else the CPU; `\"required\"` one or an error; a list: one of these device numbers or an error; `\"off\"` the CPU. `\"host\"` executes the kernels on the CPU (slow; for tests)."},
    {.path = "hardware.gpu_messages", .kind = Kind::choice, .fallback = "\"auto\"", .choices = "auto|direct|staged", .change = Change::allowed,
     .meaning = "How messages get from one GPU to another where ranks have one each: MPI takes memory of GPUs (`direct`), or they are copied through pinned memory of the host (`staged`). `auto`: as MPI says that it can. Results do not depend on it."},
    {.path = "hardware.precision", .kind = Kind::choice, .fallback = "\"mixed\"", .choices = "mixed|double",
     .change = Change::allowed, .meaning = "`mixed`: single-precision pair arithmetic, exact sums, double-precision motion. `double`: double throughout."},
    {.path = "hardware.threads", .kind = Kind::integer, .fallback_note = "all processors that the process may use",
     .range = {.least = 1, .most = 4096}, .change = Change::allowed, .meaning = "Threads; results do not depend on it."},
    {.path = "hardware.give_up_after", .kind = Kind::quantity, .dimension = D::wall_time, .fallback = "\"10 min\"",
     .example = "10 min", .range = not_negative, .change = Change::allowed,
     .meaning = "Without a finished step for so long, and for 10 times the longest step so far, the run ends with exit code 75: a host or the network has died. `\"0 s\"` for never."},
    {.path = "hardware.spare_time", .kind = Kind::quantity, .dimension = D::wall_time,
     .fallback_note = "a tenth of the job's time, 60 s at most", .example = "60 s", .range = not_negative, .change = Change::allowed,
     .meaning = "A run stops, with a checkpoint and exit code 75, so long before the end of its batch job, and the time that checkpoints have taken (docs/slurm.md)."},
    {.path = "hardware.mesh_ranks", .kind = Kind::count, .fallback = "\"auto\"", .choices = "auto", .range = {.least = 0, .most = 2147483647.0},
     .change = Change::allowed,
     .meaning = "Ranks set aside for the mesh. `\"auto\"`: from 4 ranks on a dynamics stage begins with a short trial, whose steps are thrown away, and the log says what came of it (docs/scaling.md). Results do not depend on it."},

    {.path = "output", .kind = Kind::table, .meaning = "What is written."},
    {.path = "output.name", .kind = Kind::text, .fallback_note = "the stem of the .inp",
     .meaning = "Outputs are called NAME.log, NAME.energies.csv, NAME.h5 …"},
    {.path = "output.directory", .kind = Kind::folder, .fallback = "\".\"",
     .meaning = "Folder of the outputs, relative to where the command runs."},
    {.path = "output.trajectory", .kind = Kind::tables, .fallback = "{}",
     .meaning = "A trajectory, or several as `[[output.trajectory]]`; `trajectory = []` writes none."},
    {.path = "output.trajectory.every", .kind = Kind::cadence, .dimension = D::time, .fallback = "\"10 ps\"", .example = "10 ps",
     .range = not_negative, .change = Change::allowed, .meaning = "Time between frames; `\"0 ps\"` for never."},
    {.path = "output.trajectory.format", .kind = Kind::choices, .fallback = "[\"h5md\"]", .choices = "h5md|xtc|trr|dcd|netcdf|gro|vtk",
     .later = "pdb|cif", .instead = "\"h5md\" or \"xtc\"",
     .meaning = "One file for each format (docs/trajectories.md). ParaView opens `h5md` by the `.xdmf` beside it, `vtk` by its `.pvd` (docs/paraview.md)."},
    {.path = "output.trajectory.select", .kind = Kind::selection, .fallback = "\"all\"", .meaning = "Atoms that are written. A trajectory that selects others than the first has a topology of its own for viewers: NAME.2.pdb and NAME.2.psf."},
    {.path = "output.trajectory.precision", .kind = Kind::quantity, .dimension = D::length, .fallback = "\"0.001 nm\"",
     .example = "0.001 nm", .range = {.least = 1e-6, .most = 0.1}, .meaning = "What positions are rounded to: in XTC always; in H5MD where it is given, to multiples of the largest power of two of a nm below it, the error at most half of that; in GRO it sets the number of digits."},
    {.path = "output.trajectory.whole", .kind = Kind::flag, .fallback = "true", .meaning = "Molecules are written unbroken."},
    {.path = "output.trajectory.velocities", .kind = Kind::flag, .fallback = "false", .meaning = "Write velocities (h5md, trr, netcdf, gro)."},
    {.path = "output.trajectory.forces", .kind = Kind::flag, .fallback = "false", .meaning = "Write forces (h5md, trr, netcdf)."},
    {.path = "output.map", .kind = Kind::tables,
     .meaning = "A field averaged over a stage on a grid, for volume rendering: NAME.map.vti, NAME.map.2.vti … (docs/paraview.md)."},
    {.path = "output.map.every", .kind = Kind::cadence, .dimension = D::time, .fallback = "\"1 ps\"", .example = "1 ps",
     .range = not_negative, .meaning = "Time between frames that are averaged."},
    {.path = "output.map.quantity", .kind = Kind::choice, .fallback = "\"number\"", .choices = "number|charge|potential",
     .meaning = "Density of the atoms, of their charges, or the electrostatic potential of these."},
    {.path = "output.map.select", .kind = Kind::selection, .fallback = "\"all\"", .meaning = "Atoms that count."},
    {.path = "output.map.spacing", .kind = Kind::quantity, .dimension = D::length, .fallback = "\"0.1 nm\"", .example = "0.1 nm",
     .range = {.least = 0.01, .most = 10.0}, .meaning = "Largest edge of a cell."},
    {.path = "output.map.format", .kind = Kind::choices, .fallback = "[\"vti\"]", .choices = "vti|dx",
     .meaning = "One file for each: `vti` for ParaView, `dx` for VMD, PyMOL and ChimeraX."},
    {.path = "output.map.stage", .kind = Kind::text, .fallback_note = "the last stage",
     .meaning = "Name of the dynamics stage whose frames are averaged."},
    {.path = "output.energies", .kind = Kind::table, .meaning = "NAME.energies.csv."},
    {.path = "output.energies.every", .kind = Kind::cadence, .dimension = D::time, .fallback = "\"1 ps\"", .example = "1 ps",
     .range = not_negative, .change = Change::allowed, .meaning = "Time between lines of energies; `\"0 ps\"` for never."},
    {.path = "output.log", .kind = Kind::table, .meaning = "NAME.log and the terminal."},
    {.path = "output.log.every", .kind = Kind::cadence, .dimension = D::time, .fallback = "\"10 ps\"", .example = "10 ps",
     .range = not_negative, .change = Change::allowed, .meaning = "Time between lines of the log."},
    {.path = "output.checkpoint", .kind = Kind::table, .meaning = "NAME.checkpoint.h5."},
    {.path = "output.checkpoint.every", .kind = Kind::wall_cadence, .dimension = D::wall_time, .fallback = "\"15 min\"",
     .example = "15 min", .range = not_negative, .change = Change::allowed,
     .meaning = "Wall-clock time (s, min, h), simulated time or steps between checkpoints; one is always written at the end."},

    {.path = "stage", .kind = Kind::tables, .meaning = "The stages of the run, in order, each a `[[stage]]`."},
    {.path = "stage.name", .kind = Kind::text, .fallback_note = "stage-1, stage-2, …",
     .meaning = "Letters, digits, `-` and `_`; different for each stage. `--set stage.NAME.KEY=…` uses it."},
    {.path = "stage.kind", .kind = Kind::choice, .choices = "minimise|dynamics", .required = true, .meaning = "What the stage does."},
    {.path = "stage.stop_below", .kind = Kind::quantity, .dimension = D::force, .fallback = "\"100 kJ/mol/nm\"",
     .example = "100 kJ/mol/nm", .range = not_negative, .needs = is_minimise, .strict = true,
     .meaning = "Minimise until the largest force is below this."},
    {.path = "stage.max_steps", .kind = Kind::integer, .fallback = "5000", .range = not_negative, .needs = is_minimise, .strict = true,
     .meaning = "Most iterations of a minimisation; reaching them is no error."},
    {.path = "stage.duration", .kind = Kind::quantity, .dimension = D::time, .example = "10 ps", .range = not_negative,
     .required = true, .needs = is_dynamics, .strict = true, .meaning = "Simulated time, a whole number of steps. That of the last stage may be longer when a run is continued, unless its temperature is a ramp."},
    {.path = "stage.timestep", .kind = Kind::quantity, .dimension = D::time, .example = "2 fs", .range = positive,
     .required = true, .needs = is_dynamics, .strict = true, .meaning = "Length of a step."},
    {.path = "stage.integrator", .kind = Kind::choice, .fallback = "\"leap-frog\"", .choices = "leap-frog|velocity-verlet|langevin",
     .needs = is_dynamics, .strict = true,
     .meaning = "`velocity-verlet` is the trajectory of `leap-frog`; its temperature is reported from the velocities on the step, that of `leap-frog` from the half steps around it. `langevin` is the middle scheme, with `thermostat = \"langevin\"`."},
    {.path = "stage.temperature", .kind = Kind::temperature, .dimension = D::temperature, .fallback_note = "needed by thermostats and for generated velocities",
     .example = "300 K", .range = not_negative, .needs = is_dynamics, .strict = true,
     .meaning = "`\"300 K\"`, or a linear ramp over the stage: `{ from = \"10 K\", to = \"300 K\" }`."},
    {.path = "stage.thermostat", .kind = Kind::choice, .fallback = "\"v-rescale\"", .choices = "v-rescale|langevin|none",
     .needs = is_dynamics, .strict = true, .meaning = "`v-rescale`: stochastic velocity rescaling. `none`: constant energy."},
    {.path = "stage.thermostat_time", .kind = Kind::quantity, .dimension = D::time, .fallback = "\"1 ps\"", .example = "1 ps",
     .range = positive, .needs = "thermostat=v-rescale", .meaning = "Relaxation time of `v-rescale`."},
    {.path = "stage.friction", .kind = Kind::quantity, .dimension = D::inverse_time, .fallback = "\"1 /ps\"", .example = "1 /ps",
     .range = positive, .needs = "thermostat=langevin", .meaning = "Friction of Langevin dynamics."},
    {.path = "stage.pressure", .kind = Kind::quantity, .dimension = D::pressure, .fallback_note = "constant volume", .example = "1 bar",
     .needs = is_dynamics, .strict = true, .meaning = "Pressure to keep."},
    {.path = "stage.barostat", .kind = Kind::choice, .fallback = "\"c-rescale\"", .choices = "c-rescale|monte-carlo|none",
     .needs = "pressure", .meaning = "`c-rescale`: stochastic cell rescaling. `monte-carlo`: trial volumes, whole molecules move."},
    {.path = "stage.barostat_time", .kind = Kind::quantity, .dimension = D::time, .fallback = "\"5 ps\"", .example = "5 ps",
     .range = positive, .needs = "barostat=c-rescale", .meaning = "Relaxation time of `c-rescale`."},
    {.path = "stage.compressibility", .kind = Kind::quantity, .dimension = D::compressibility, .fallback = "\"4.5e-5 /bar\"",
     .example = "4.5e-5 /bar", .range = positive, .needs = "barostat=c-rescale",
     .meaning = "Isothermal compressibility that `c-rescale` reckons with (water's by default); the average does not depend on it."},
    {.path = "stage.coupling", .kind = Kind::choice, .fallback = "\"isotropic\"", .choices = "isotropic|semi-isotropic",
     .later = "anisotropic", .instead = "\"isotropic\" or \"semi-isotropic\"", .needs = is_coupled,
     .meaning = "Which box vectors scale together; `semi-isotropic`: x with y, z by itself."},
    {.path = "stage.coupling_every", .kind = Kind::integer, .fallback = "10", .range = at_least_one, .needs = is_dynamics, .strict = true,
     .meaning = "Steps between actions of thermostat and barostat."},
    {.path = "stage.restrain", .kind = Kind::tables, .meaning = "Position restraints, energy k/2 |x - x0|²; a list of tables."},
    {.path = "stage.restrain.select", .kind = Kind::selection, .required = true, .meaning = "Atoms that are restrained."},
    {.path = "stage.restrain.force_constant", .kind = Kind::quantity, .dimension = D::spring, .example = "1000 kJ/mol/nm^2",
     .range = not_negative, .required = true, .meaning = "Force constant k."},
    {.path = "stage.restrain.to", .kind = Kind::reference, .fallback = "\"input\"", .choices = "input|stage-start",
     .meaning = "Where to: the coordinates of the input, those at the start of the stage, or a coordinate file."},
    {.path = "stage.restrain.scale_with_box", .kind = Kind::flag, .fallback = "true",
     .meaning = "Under pressure coupling the reference positions scale with the box."},
    {.path = "stage.freeze", .kind = Kind::selection, .fallback_note = "nothing", .meaning = "Atoms that do not move at all."},
    {.path = "stage.remove_com", .kind = Kind::table, .needs = is_dynamics, .strict = true, .meaning = "Removal of the motion of the centre of mass."},
    {.path = "stage.remove_com.every", .kind = Kind::cadence, .dimension = D::time, .fallback = "\"100 steps\"",
     .fallback_note = "`\"0 steps\"` (never) with restraints (also those of the topology), frozen atoms or Langevin dynamics", .example = "100 steps", .range = not_negative,
     .meaning = "Time or steps between removals; a bare whole number counts steps."},
    {.path = "stage.output", .kind = Kind::table, .change = Change::allowed,
     .meaning = "How often this stage writes, where that differs from [output]. Every stage writes to the same files, so nothing else may differ."},
    {.path = "stage.output.trajectory", .kind = Kind::tables, .change = Change::allowed,
     .meaning = "One table for all trajectories of [output], or one for each in their order."},
    {.path = "stage.output.trajectory.every", .kind = Kind::cadence, .dimension = D::time, .fallback_note = "as in [output]",
     .example = "10 ps", .range = not_negative, .change = Change::allowed, .meaning = "Time between frames."},
    {.path = "stage.output.energies", .kind = Kind::table, .change = Change::allowed, .meaning = "NAME.energies.csv."},
    {.path = "stage.output.energies.every", .kind = Kind::cadence, .dimension = D::time, .fallback_note = "as in [output]",
     .example = "1 ps", .range = not_negative, .change = Change::allowed, .meaning = "Time between lines of energies."},
    {.path = "stage.output.log", .kind = Kind::table, .change = Change::allowed, .meaning = "NAME.log and the terminal."},
    {.path = "stage.output.log.every", .kind = Kind::cadence, .dimension = D::time, .fallback_note = "as in [output]",
     .example = "10 ps", .range = not_negative, .change = Change::allowed, .meaning = "Time between lines of the log."},
    {.path = "stage.output.checkpoint", .kind = Kind::table, .change = Change::allowed, .meaning = "NAME.checkpoint.h5."},
    {.path = "stage.output.checkpoint.every", .kind = Kind::wall_cadence, .dimension = D::wall_time, .fallback_note = "as in [output]",
     .example = "15 min", .range = not_negative, .change = Change::allowed, .meaning = "Time between checkpoints."},

    {.path = "debug", .kind = Kind::table, .change = Change::allowed, .meaning = "For tests of mdsim itself."},
    {.path = "debug.list_every", .kind = Kind::integer, .fallback_note = "when it has expired", .range = at_least_one, .change = Change::allowed,
     .meaning = "Rebuild the pair list every n steps as well; results do not change."},
    {.path = "debug.stop_at_step", .kind = Kind::integer, .fallback_note = "no stop", .range = not_negative, .change = Change::allowed,
     .meaning = "Stop cleanly at this step, as a signal would."},
    {.path = "debug.stand_still_at_step", .kind = Kind::integer, .fallback_note = "never", .range = not_negative, .change = Change::allowed,
     .meaning = "All ranks stop as on SIGSTOP before this step, until each gets SIGCONT; results do not change."},
    {.path = "debug.random_order_seed", .kind = Kind::integer, .fallback_note = "natural order", .range = not_negative, .change = Change::allowed,
     .meaning = "Shuffle the order of every sum, and of threads with `gpu = \"host\"`; results do not change."},
    {.path = "debug.warp_width", .kind = Kind::integer, .fallback = "32", .change = Change::allowed,
     .meaning = "Width of warps, 32 or 64, with `gpu = \"host\"`; results do not change."},
    {.path = "debug.device_memory", .kind = Kind::integer, .fallback_note = "no limit", .range = not_negative, .change = Change::allowed,
     .meaning = "Memory of the device in bytes; what goes beyond is refused as on a GPU that is full. Only with `gpu = \"host\"`."},
    {.path = "debug.device_shared_memory", .kind = Kind::integer, .fallback_note = "48 KiB", .range = at_least_one, .change = Change::allowed,
     .meaning = "Shared memory of a block in bytes; a kernel that needs more fails. Only with `gpu = \"host\"`."},
    {.path = "debug.device_lost_after", .kind = Kind::integer, .fallback_note = "never", .range = not_negative, .change = Change::allowed,
     .meaning = "Operations of the device in a stage until it is lost, as by a fault of hardware or driver. Only with `gpu = \"host\"`."},
    {.path = "debug.ranks_grid", .kind = Kind::three_counts, .fallback_note = "chosen by the box", .range = at_least_one,
     .change = Change::allowed, .meaning = "Ranks along the box vectors; results do not change."},
    {.path = "debug.balance", .kind = Kind::choice, .fallback = "\"measured\"", .choices = "measured|off|forced", .change = Change::allowed,
     .meaning = "Whether regions of ranks follow the measured work; `forced` moves them to and fro. Results do not change."},
    {.path = "debug.mesh_devices", .kind = Kind::integer, .fallback_note = "one below 2^20 points of the mesh, else one for each 2^17", .range = {.least = 1, .most = 65536},
     .change = Change::allowed, .meaning = "How many devices of several ranks solve the mesh together, if as many have a share in it. Results do not change."},
    {.path = "debug.mesh_trial", .kind = Kind::integer, .fallback_note = "as it is measured", .range = {.least = 0, .most = 65536},
     .change = Change::allowed, .meaning = "`hardware.mesh_ranks = \"auto\"` makes its trial however short a stage is, of none and of so many ranks, and takes these. Results do not change."},
};
// clang-format on

}  // namespace

std::span<const KeySpec> key_table() {
    return table;
}

const KeySpec* find_key(std::string_view path) {
    for (const KeySpec& spec : table) {
        if (spec.path == path) return &spec;
    }
    return nullptr;
}

std::vector<std::string_view> words_of(std::string_view list) {
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const std::size_t bar = list.find('|');
        words.push_back(list.substr(0, bar));
        list = bar == std::string_view::npos ? std::string_view{} : list.substr(bar + 1);
    }
    return words;
}

}  // namespace mdsim::inp
