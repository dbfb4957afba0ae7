// SPDX-License-Identifier: Apache-2.0
#include "run/analysis/trajectory_source.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/structure_file.h"
#include "io/topology/names_file.h"
#include "io/trajectory/trajectory_file.h"
#include "run/record/run_files.h"
#include "run/setup.h"
#include "system/preparation/elements.h"
#include "system/preparation/subset.h"
#include "system/preparation/whole.h"
#include "system/selection/selection.h"

namespace mdsim {

namespace {

using Path = std::filesystem::path;

bool is_there(const Path& path) {
    std::error_code none;
    return std::filesystem::is_regular_file(path, none);
}

[[noreturn]] void throw_no_names(const Path& file) {
    throw_input_error({.code = "MD119",
                       .place = {file.string()},
                       .what = "this file has coordinates without names of atoms",
                       .why = "selections need them",
                       .remedy = "give a topology or structure of the same atoms, too: .top, .prmtop, .psf, .pdb, .gro "
                                 "or .cif"});
}

std::optional<Topology> names_in(const Path& file) {
    if (is_topology_file(file)) return read_names(file);
    const auto reader = open_trajectory(file);
    if (reader->topology() == nullptr) return std::nullopt;
    return *reader->topology();
}

// What structure files do not say.
void complete_masses(Topology& topology) {
    for (MoleculeType& type : topology.types) {
        for (Atom& atom : type.atoms) {
            if (atom.mass <= 0.0) atom.mass = element_mass(atom.element);
        }
    }
}

// Names from the input's own topology, where that is still there.
std::optional<Topology> names_of_input(const RunPaths& paths, std::size_t entry) {
    try {
        const auto last = last_checkpoint(paths);
        if (!last) return std::nullopt;
        const Input* input = &last->input;
        if (entry >= input->output.trajectories.size() || !is_there(input->system.topology)) return std::nullopt;
        const Topology all = read_topology(input->system.topology, topology_options(input->system));
        std::vector<std::int64_t> atoms;
        for (const AtomId atom : select(input->output.trajectories[entry].select, all))
            atoms.push_back(static_cast<std::int64_t>(atom));
        return static_cast<std::int64_t>(atoms.size()) == all.atoms() ? all : subset(all, atoms);
    } catch (const Error&) {
        return std::nullopt;
    } catch (const SelectionError&) {
        return std::nullopt;
    }
}

// The first trajectory of a run, in the format that says most.
AnalysedFiles of_run(const RunPaths& paths) {
    AnalysedFiles files{.name = paths.name, .topology = {}, .trajectories = {}};
    for (const FormatFacts& format : all_formats()) {
        const Path file = paths.of_entry(0, std::string(format.ending));
        // NAME.pdb may be the topology for viewers, one frame.
        if (format.names && format.format != TrajectoryFormat::h5md) continue;
        if (is_there(file)) {
            files.trajectories = {file};
            break;
        }
    }
    if (files.trajectories.empty()) {
        throw_input_error({.code = "MD118",
                           .place = {paths.file(".log").string()},
                           .what = "this run has no trajectory yet",
                           .why = "a trajectory is there after the first checkpoint, if output.trajectory asks for one",
                           .remedy = "wait for it, or name other files"});
    }
    if (auto names = names_in(files.trajectories.front())) {
        files.topology = std::move(*names);
    } else if (auto of_input = names_of_input(paths, 0)) {
        files.topology = std::move(*of_input);
    } else if (is_there(paths.of_entry(0, ".pdb"))) {
        files.topology = names_in(paths.of_entry(0, ".pdb")).value();
    } else {
        throw_no_names(files.trajectories.front());
    }
    return files;
}

AnalysedFiles of_files(std::vector<Path> words, Path topology) {
    if (topology.empty()) {
        const auto is_structure = [](const Path& file) {
            const auto format = structure_format(file);
            return format && *format != StructureFormat::amber_restart;  // which has no names
        };
        auto names = std::find_if(words.begin(), words.end(), is_topology_file);
        if (names == words.end()) names = std::find_if(words.begin(), words.end(), is_structure);
        if (names != words.end()) {
            topology = *names;
            if (words.size() > 1) words.erase(names);
        } else {
            topology = words.front();
        }
    }
    auto names = names_in(topology);
    if (!names) throw_no_names(topology);
    return {words.front().stem().string(), std::move(*names), std::move(words)};
}

// A file that is there and whose name is that of a trajectory, structure or topology is none of a run's other names.
bool names_run(const Path& word) {
    return !is_there(word) || !(format_of_name(word) || is_topology_file(word));
}

}  // namespace

AnalysedFiles analysed_of_run(const RunPaths& paths) {
    AnalysedFiles files = of_run(paths);
    complete_masses(files.topology);
    return files;
}

AnalysedFiles find_analysed(const std::vector<Path>& words, const Path& topology) {
    if (words.size() == 1 && topology.empty() && names_run(words.front())) {
        return analysed_of_run(require_run(words.front()));
    }
    AnalysedFiles files = of_files(words, topology);
    complete_masses(files.topology);
    return files;
}

bool TrajectorySource::read() {
    for (; file_ < files_.trajectories.size(); ++file_) {
        const Path& path = files_.trajectories[file_];
        if (!reader_) reader_ = open_trajectory(path);
        if (reader_->read(frame_)) {
            const auto atoms = static_cast<std::size_t>(files_.topology.atoms());
            if (frame_.x.size() == atoms) return true;
            throw_input_error({.code = "MD205",
                               .place = {path.string()},
                               .what = fmt::format("the frame at {} ps has {} atoms, the topology {}", frame_.time,
                                                   frame_.x.size(), atoms),
                               .remedy = "give the topology that belongs to this trajectory"});
        }
        reader_.reset();
    }
    return false;
}

bool TrajectorySource::wanted() {
    if (last_time_ && frame_.time == *last_time_) return false;
    last_time_ = frame_.time;
    // Some formats have times in single precision.
    const double slack = 1e-6 * std::max(1.0, std::abs(frame_.time));
    if (range_.from && frame_.time < *range_.from - slack) return false;
    if (range_.to && frame_.time > *range_.to + slack) return false;
    return in_range_++ % range_.every == 0;
}

const analyse::Snapshot* TrajectorySource::next() {
    while (read()) {
        if (!wanted()) continue;
        const Path& path = files_.trajectories[file_];
        box_ = frame_.box.box(path);
        make_whole(files_.topology, box_, frame_.x, path);
        snapshot_.emplace(analyse::Snapshot{frame_.time, box_, frame_.x});
        ++taken_;
        return &*snapshot_;
    }
    return nullptr;
}

}  // namespace mdsim
