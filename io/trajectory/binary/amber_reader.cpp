// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/units.h"
#include "io/trajectory/binary/amber_trajectory.h"

namespace mdsim {

namespace {
constexpr double angstrom = 0.1;                          // [nm]
constexpr double kcal_per_angstrom = 10.0 * units::kcal;  // [kJ/mol/nm]
constexpr int type_float = 5, type_double = 6;
}  // namespace

AmberTrajectoryReader::AmberTrajectoryReader(const std::filesystem::path& path)
    : header_(path, NetcdfFile::Part::header), in_(path, "MD303", "NetCDF") {
    require_convention();
    atoms_ = header_.dimension("atom");
    // Of every atom three numbers of four bytes follow, so a count beyond that is a damaged file.
    if (atoms_ < 1) in_.refuse("this AMBER trajectory has no dimension \"atom\"");
    if (!header_.has("coordinates")) in_.refuse("this AMBER trajectory has no coordinates");
    for (const char* name : {"coordinates", "velocities", "forces"}) require_variable(name, {0, atoms_, 3});
    for (const char* name : {"cell_lengths", "cell_angles"}) require_variable(name, {0, 3});
    if (header_.has("time") && (header_.variable("time").bytes() > 8 || !header_.variable("time").by_record()))
        in_.refuse("the variable time is not one number a frame");
    const std::uint64_t begin = header_.records_begin(), record = header_.record_bytes();
    if (begin > in_.size()) in_.refuse_cut_off();
    // The count in the header may be behind the frames; the last of them may be incomplete, an error when it is read.
    frames_ = static_cast<std::int64_t>((in_.size() - begin + record - 1) / record);
    in_.seek(begin);
}

void AmberTrajectoryReader::require_convention() {
    const std::string convention = header_.text("Conventions");
    if (convention.find("AMBERRESTART") != std::string::npos) in_.refuse("this is an AMBER restart, not a trajectory");
    if (convention.find("AMBER") != std::string::npos) return;
    in_.refuse(convention.empty() ? "the global attribute Conventions is missing: this is no AMBER trajectory"
                                  : fmt::format("this is no AMBER trajectory: its Conventions are \"{}\"", convention));
}

void AmberTrajectoryReader::require_variable(const std::string& name, const std::vector<std::int64_t>& shape) {
    if (!header_.has(name)) return;
    const NetcdfFile::Variable& variable = header_.variable(name);
    const bool real = variable.type == type_float || variable.type == type_double;
    if (real && variable.shape == shape) return;
    in_.refuse(
        fmt::format("the variable {} is not frames x {}3 real numbers", name, shape.size() == 2 ? "" : "atoms x "));
}

void AmberTrajectoryReader::go_to(const std::string& name) {
    const std::uint64_t record = static_cast<std::uint64_t>(in_.frames()) * header_.record_bytes();
    in_.seek(header_.variable(name).begin + record);
}

double AmberTrajectoryReader::unit_of(const std::string& name, double of_convention) const {
    const auto& numbers = header_.variable(name).numbers;
    const auto factor = numbers.find("scale_factor");
    return factor == numbers.end() ? of_convention : of_convention * factor->second;
}

void AmberTrajectoryReader::read_vectors(const std::string& name, std::size_t count, double unit,
                                         std::vector<Vec3d>& out) {
    out.clear();
    if (!header_.has(name)) return;
    go_to(name);
    const int real = header_.variable(name).type == type_double ? 8 : 4;
    if (3 * count * static_cast<std::size_t>(real) > in_.left()) in_.refuse_cut_off();
    out.resize(count);
    in_.vectors(out, real, unit_of(name, unit));
}

Cell AmberTrajectoryReader::read_cell() {
    if (!header_.has("cell_lengths") || !header_.has("cell_angles")) return {};
    std::vector<Vec3d> lengths, angles;
    read_vectors("cell_lengths", 1, angstrom, lengths);
    read_vectors("cell_angles", 1, 1.0, angles);
    return Cell::from_lengths_angles(lengths[0], angles[0]);
}

bool AmberTrajectoryReader::read(StoredFrame& frame) {
    if (in_.frames() >= frames_) return false;
    const auto atoms = static_cast<std::size_t>(atoms_);
    frame.step = in_.frames();
    frame.time = 0.0;
    if (header_.has("time")) {
        go_to("time");
        std::array<double, 1> time{};
        in_.reals(time, header_.variable("time").type == type_double ? 8 : 4);
        frame.time = time[0] * unit_of("time", 1.0);
    }
    frame.box = read_cell();
    read_vectors("coordinates", atoms, angstrom, frame.x);
    read_vectors("velocities", atoms, angstrom, frame.v);
    read_vectors("forces", atoms, kcal_per_angstrom, frame.f);
    frame.images.clear();
    in_.count_frame();
    return true;
}

void AmberTrajectoryReader::seek(std::int64_t frame) {
    in_.set_frames(std::clamp<std::int64_t>(frame, 0, frames_));
}

double AmberTrajectoryReader::progress() const {
    return frames_ == 0 ? 1.0 : static_cast<double>(in_.frames()) / static_cast<double>(frames_);
}

}  // namespace mdsim
