// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/output_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "core/error.h"
#include "core/fixed_point.h"
#include "core/version.h"
#include "io/topology/pdb_writer.h"
#include "io/topology/psf_writer.h"
#include "io/trajectory/trajectory_file.h"
#include "run/build.h"
#include "run/output/trajectory_view.h"
#include "run/output/writing/state_line.h"
#include "system/fields/atom_fields.h"
#include "system/preparation/subset.h"

namespace mdsim {

namespace {

std::vector<std::int64_t> atoms_of(const Setup& setup, const TrajectoryInput& entry) {
    std::vector<std::int64_t> atoms;
    for (const AtomId atom : select_atoms(setup, entry.select, "output.trajectory.select")) {
        atoms.push_back(static_cast<std::int64_t>(atom));
    }
    return atoms;
}

// Bytes that tell one force field from another: parameters of the pairs of its types, and its source.
std::string hash_of(const ForceField& field) {
    Checksum checksum;
    checksum.add(fmt::format("{} {:a}", static_cast<int>(field.source), field.coulomb_constant));
    for (const std::string& name : field.type_names) checksum.add(name + "\n");
    for (const LjParameters& pair : field.lj) checksum.add(fmt::format("{:a} {:a}\n", pair.c6, pair.c12));
    return fmt::format("{:016x}", checksum.value());
}

TrajectoryInfo info_of(const Setup& setup, const TrajectoryInput& entry, const Topology& shown,
                       const std::vector<std::int64_t>& atoms, TrajectoryFormat format) {
    TrajectoryInfo info{.topology = &shown,
                        .ids = atoms,
                        .title = shown.title,
                        .velocities = entry.velocities ? WithVelocities::yes : WithVelocities::no,
                        .forces = entry.forces ? WithForces::yes : WithForces::no,
                        .run_in_box = setup.start.box.periodic()};
    if (entry.precision_given || format == TrajectoryFormat::xtc) info.precision = entry.precision;
    info.provenance = {{"input", setup.input.text},
                       {"build", fmt::format("mdsim {} ({}; {})", version, revision, build_description)},
                       {"force_field_hash", hash_of(setup.topology.force_field)}};
    return info;
}

/// Opens files either fresh or as a checkpoint left them.
class Opener {
  public:
    explicit Opener(const Checkpoint* checkpoint) : checkpoint_(checkpoint) {}

    AppendFile append(const std::filesystem::path& path) const {
        return checkpoint_ == nullptr ? AppendFile::create(path) : AppendFile::reopen(path, mark(path));
    }
    std::unique_ptr<TrajectoryWriter> trajectory(const std::filesystem::path& path, TrajectoryFormat format,
                                                 const TrajectoryInfo& info) const {
        if (checkpoint_ == nullptr) return make_trajectory_writer(path, format, info);
        const OutputMark last = mark(path);
        return make_trajectory_writer(path, format, info, &last);
    }

  private:
    const Checkpoint* checkpoint_;

    OutputMark mark(const std::filesystem::path& path) const {
        for (const OutputMark& mark : checkpoint_->outputs) {
            if (mark.path == path.filename().string()) return mark;
        }
        throw_io_error({.code = "MD606",
                        .place = {path.string()},
                        .what = "this output is not in the checkpoint",
                        .why = "the run was begun without it",
                        .remedy = "take it out of [output], or start over with --restart"});
    }
};

// Those of all stages, by name, then those of the topology. Stages that are appended later find the table as it is.
std::vector<RestraintColumn> restraint_columns(const Setup& setup) {
    std::vector<RestraintColumn> columns;
    const auto add = [&](const std::string& name, const char* unit) {
        const RestraintColumn column{name, unit};
        if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    };
    for (const StageInput& stage : setup.input.stages) {
        for (const RestraintInput& r : stage.restraints) add(r.name, "nm");
        for (const GroupRestraintInput& r : stage.group_restraints)
            add(r.name, r.measure == GroupMeasure::distance ? "nm" : "deg");
        for (const WallInput& wall : stage.walls) add(wall.name, "nm");
    }
    if (atoms_held_by_topology(setup.topology) > 0) add(topology_restraints, "nm");
    return columns;
}

std::string first_line(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

// How many box vectors of each kind a displacement consists of.
Image image_of(const Box& box, const Vec3d& shift) {
    const Vec3d s = box.to_fractional(shift);
    const auto whole = [](double number) { return static_cast<std::int32_t>(std::lround(number)); };
    return {whole(s.x), whole(s.y), whole(s.z)};
}

Vec3d in_kj_per_nm(const Vec3l& units) {
    return Vec3d{static_cast<double>(units.x), static_cast<double>(units.y), static_cast<double>(units.z)} *
           (1.0 / fixed::force_scale);
}

}  // namespace

OutputFiles::OutputFiles(const Setup& setup, const Checkpoint* checkpoint)
    : setup_(setup),
      maps_(setup, checkpoint),
      checkpoint_line_(state_line(checkpoint == nullptr ? setup.start : checkpoint->state)) {
    const RunPaths paths(setup.input.output);
    const Opener opener(checkpoint);
    log_ = std::make_unique<AppendFile>(opener.append(paths.file(".log")));
    energies_ = std::make_unique<AppendFile>(opener.append(paths.file(".energies.csv")));
    if (checkpoint == nullptr) {
        restraints_ = restraint_columns(setup);
        energies_->append(energies_csv_header(restraints_) + "\n");
    } else {
        restraints_ = mdsim::restraint_columns(first_line(paths.file(".energies.csv")));
    }
    const auto& entries = setup.input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        const std::vector<std::int64_t> atoms = atoms_of(setup, entries[n]);
        auto shown = std::make_unique<const Topology>(subset(setup.topology, atoms));
        trajectories_.push_back({n, atoms, std::move(shown), {}});
        Trajectory& trajectory = trajectories_.back();
        for (const TrajectoryFormat format : entries[n].formats) {
            trajectory.writers.push_back(opener.trajectory(
                paths.trajectory(n, format), format, info_of(setup, entries[n], *trajectory.shown, atoms, format)));
        }
    }
}

void OutputFiles::note(std::string_view line) {
    log_->append(line);
    log_->append("\n");
    log_->flush();
}

template <class F>
void OutputFiles::for_each_writer(F&& f) {
    for (Trajectory& trajectory : trajectories_) {
        for (const auto& writer : trajectory.writers) f(*writer);
    }
}

void OutputFiles::add_energies(const EnergyRow& row) {
    energies_->append(energies_csv_line(row, restraints_) + "\n");
    energies_->flush();  // for whoever watches
    for_each_writer([&](TrajectoryWriter& writer) { writer.append_energies(row); });
}

void OutputFiles::add_frame(const FrameFacts& facts, const AllAtoms& atoms) {
    for (const Trajectory& trajectory : trajectories_) {
        if (std::find(facts.entries.begin(), facts.entries.end(), trajectory.entry) != facts.entries.end())
            append(trajectory, facts, atoms);
    }
    for (const std::size_t map : facts.maps) maps_.add(map, facts.box, atoms.x, facts.row.time);
}

void OutputFiles::append(const Trajectory& trajectory, const FrameFacts& facts, const AllAtoms& atoms) {
    const TrajectoryInput& entry = setup_.input.output.trajectories[trajectory.entry];
    const auto shown =
        shown_positions(setup_.topology, facts.box, atoms.x, entry.whole ? Molecules::whole : Molecules::wrapped);
    std::vector<Vec3d> x, v, f;
    std::vector<Image> images;
    for (const std::int64_t atom : trajectory.atoms) {
        const auto i = static_cast<std::size_t>(atom);
        x.push_back(shown[i]);
        if (facts.box.periodic()) images.push_back(image_of(facts.box, atoms.x[i] - shown[i]));
        if (entry.velocities) v.push_back(atoms.v[i]);
        if (entry.forces) f.push_back(in_kj_per_nm(atoms.f[i]));
    }
    const Frame frame{.step = facts.row.step,
                      .time = facts.row.time,
                      .box = facts.box,
                      .x = x,
                      .v = v,
                      .f = f,
                      .images = images,
                      .energies = &facts.row};
    for (const auto& writer : trajectory.writers) writer->append(frame);
}

void OutputFiles::write_checkpoint(Checkpoint checkpoint, const AllAtoms& atoms, Cut cut,
                                   std::chrono::steady_clock::time_point asked) {
    checkpoint.state.x.assign(atoms.x.begin(), atoms.x.end());
    auto field = std::next(atom_fields.begin());
    for (const std::span<const Vec3d> values : atoms.more) {
        (checkpoint.state.*(field++)->values).assign(values.begin(), values.end());
    }
    for (const auto& [name, values] : kept_) checkpoint.numbers[name] = values;
    const std::vector<OutputMark> now = sync();
    if (cut == Cut::here) {
        marks_ = now;
        map_numbers_ = maps_.numbers();
    }
    checkpoint.outputs = marks_;
    for (const auto& [name, values] : map_numbers_) checkpoint.numbers[name] = values;
    mdsim::write_checkpoint(RunPaths(setup_.input.output).checkpoint(), checkpoint);
    checkpoint_line_ = state_line(checkpoint.state);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
    checkpoint_seconds_ = std::max(checkpoint_seconds_.load(), seconds);
}

std::vector<OutputMark> OutputFiles::sync() {
    std::vector<OutputMark> marks{log_->sync(), energies_->sync()};
    for_each_writer([&](TrajectoryWriter& writer) { marks.push_back(writer.sync()); });
    maps_.write();
    return marks;
}

void write_viewer_topologies(const Setup& setup) {
    const RunPaths paths(setup.input.output);
    const auto& entries = setup.input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        if (!has_own_topology(setup.input.output, n)) continue;
        const std::vector<std::int64_t> atoms = atoms_of(setup, entries[n]);
        const Topology shown = subset(setup.topology, atoms);
        std::vector<Vec3d> x;
        for (const std::int64_t atom : atoms) x.push_back(setup.start.x[static_cast<std::size_t>(atom)]);
        write_pdb_topology(paths.of_entry(n, ".pdb"), shown, x, setup.start.box);
        write_psf(paths.of_entry(n, ".psf"), shown);
    }
}

}  // namespace mdsim
