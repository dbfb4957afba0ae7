// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/trajectory/binary/akma.h"
#include "io/trajectory/binary/dcd.h"

namespace mdsim {

namespace {

constexpr double angstrom = 0.1;  // [nm]
constexpr std::uint32_t header_length = 84;

double degrees_of_cosine(double cosine) {
    if (cosine == 0.0) return 90.0;
    return 90.0 - std::asin(cosine) * 180.0 / units::pi;
}

// The lower triangle of a symmetric matrix whose rows are the box vectors, as CHARMM stores it from version 25 on,
// turned so that a lies along x. Only lengths and angles survive, and positions are not turned with it: for cells
// without right angles CHARMM's orientation is another than that of other programs.
Cell of_symmetric_matrix(const std::array<double, 6>& m) {
    const Cell as_stored(
        {Vec3d{m[0], m[1], m[3]} * angstrom, Vec3d{m[1], m[2], m[4]} * angstrom, Vec3d{m[3], m[4], m[5]} * angstrom});
    return Cell::from_lengths_angles(as_stored.lengths(), as_stored.angles());
}

}  // namespace

DcdReader::DcdReader(const std::filesystem::path& path) : in_(path, "MD315", "DCD") {
    if (in_.size() == 0) in_.refuse("the file is empty");
    find_layout();
    read_header();
    read_titles();
    const std::uint64_t length = open_record();
    atoms_ = in_.i32();
    close_record(length);
    // Of every atom three numbers of four bytes follow, so a count beyond that is a damaged file.
    if (atoms_ < 0 || length != 4) in_.refuse(fmt::format("{} atoms cannot be right", atoms_));
    const auto fixed = static_cast<std::int64_t>(free_.size());
    free_.clear();
    read_free_atoms(fixed);
    begin_ = in_.position();
    const auto atoms = static_cast<std::uint64_t>(atoms_);
    const std::uint64_t first = frame_bytes(atoms);
    const std::uint64_t others = free_.empty() ? first : frame_bytes(free_.size());
    // The last one may be incomplete, which is an error when it is read.
    const std::uint64_t left = in_.left();
    if (left > 0) frames_ = 1 + (left > first ? static_cast<std::int64_t>((left - first + others - 1) / others) : 0);
    axis_.resize(std::min<std::uint64_t>(atoms, in_.size() / 4));
}

// The mark of the first record: 84, in either byte order, of four or eight bytes.
void DcdReader::find_layout() {
    if (in_.size() < 8 + header_length) in_.refuse("this is no DCD file, or only the beginning of one");
    for (const std::endian order : {std::endian::little, std::endian::big}) {
        in_.set_order(order);
        in_.seek(0);
        const std::uint32_t four = in_.u32();
        in_.seek(0);
        const std::uint64_t eight = in_.u64();
        in_.seek(0);
        if (eight == header_length) {
            mark_ = 8;
            return;
        }
        if (four == header_length) return;
    }
    in_.refuse("this is no DCD file: it does not begin with a record of 84 bytes");
}

std::uint64_t DcdReader::open_record() {
    const std::uint64_t length = mark_ == 8 ? in_.u64() : in_.u32();
    if (length > in_.left()) in_.refuse_cut_off();
    return length;
}

void DcdReader::close_record(std::uint64_t length) {
    const std::uint64_t again = mark_ == 8 ? in_.u64() : in_.u32();
    if (again != length) in_.refuse(fmt::format("a record of {} bytes ends with a mark of {}", length, again));
}

void DcdReader::read_header() {
    const std::uint64_t length = open_record();
    std::string kind(4, '\0');
    in_.read(kind);
    if (kind != "CORD") {
        in_.refuse(kind == "VELD" ? "this is a DCD file of velocities, without positions"
                                  : "this is no DCD file: CORD is missing");
    }
    std::array<std::int32_t, 20> words{};
    const std::uint64_t begin = in_.position();
    for (std::int32_t& word : words) word = in_.i32();
    const bool charmm = words[19] != 0;
    in_.seek(begin + 9 * sizeof(std::int32_t));
    const double delta = charmm ? static_cast<double>(in_.f32()) : in_.f64();
    in_.seek(begin + sizeof words);
    close_record(length);
    announced_ = words[0];
    first_step_ = words[1];
    steps_a_frame_ = words[2] == 0 ? 1 : words[2];
    timestep_ = std::isfinite(delta) ? delta * akma_time : 0.0;
    cell_ = charmm && words[10] != 0;
    fourth_ = charmm && words[11] == 1;
    const std::int64_t fixed = words[8];
    if (fixed < 0 || fixed > static_cast<std::int64_t>(in_.size()))
        in_.refuse("the number of fixed atoms is impossible");
    free_.resize(static_cast<std::size_t>(fixed));
}

void DcdReader::read_titles() {
    const std::uint64_t length = open_record();
    title_.resize(length);
    in_.read(title_);
    close_record(length);
}

void DcdReader::read_free_atoms(std::int64_t fixed) {
    if (fixed == 0) return;
    if (fixed >= atoms_) in_.refuse(fmt::format("{} of {} atoms are fixed", fixed, atoms_));
    const std::uint64_t length = open_record();
    const auto count = static_cast<std::uint64_t>(atoms_ - fixed);
    if (length != 4 * count) in_.refuse("the list of atoms that move has the wrong length");
    free_.resize(count);
    for (std::uint32_t& atom : free_) {
        atom = in_.u32() - 1;
        if (atom >= static_cast<std::uint64_t>(atoms_)) in_.refuse("an atom that moves has an impossible number");
    }
    close_record(length);
}

std::uint64_t DcdReader::frame_bytes(std::uint64_t atoms) const {
    const std::uint64_t marks = 2 * static_cast<std::uint64_t>(mark_);
    return (cell_ ? marks + 48 : 0) + (fourth_ ? 4U : 3U) * (marks + 4 * atoms);
}

Cell DcdReader::read_cell() {
    const std::uint64_t length = open_record();
    std::array<double, 6> m{};
    if (length != 48) in_.refuse(fmt::format("the record of the cell has {} bytes in place of 48", length));
    in_.reals(m, 8);
    close_record(length);
    const Vec3d lengths = Vec3d{m[0], m[2], m[5]} * angstrom;
    const Vec3d angles{m[4], m[3], m[1]};
    if (std::abs(angles.x) <= 1.0 && std::abs(angles.y) <= 1.0 && std::abs(angles.z) <= 1.0) {
        return Cell::from_lengths_angles(
            lengths, {degrees_of_cosine(angles.x), degrees_of_cosine(angles.y), degrees_of_cosine(angles.z)});
    }
    const bool no_angles = std::any_of(m.begin(), m.end(), [](double value) { return value < 0.0; }) ||
                           angles.x > 180.0 || angles.y > 180.0 || angles.z > 180.0;
    return no_angles ? of_symmetric_matrix(m) : Cell::from_lengths_angles(lengths, angles);
}

void DcdReader::read_positions(std::vector<Vec3d>& x) {
    const bool all = free_.empty() || in_.frames() == 0;
    const std::size_t count = all ? static_cast<std::size_t>(atoms_) : free_.size();
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint64_t length = open_record();
        if (length != 4 * count) {
            in_.refuse(fmt::format("the record of the {} coordinates has {} bytes, {} atoms need {}", "xyz"[axis],
                                   length, count, 4 * count));
        }
        axis_.resize(count);
        in_.reals(axis_, 4);
        close_record(length);
        if (axis == 0) x.resize(static_cast<std::size_t>(atoms_));
        for (std::size_t n = 0; n < count; ++n) x[all ? n : free_[n]][axis] = axis_[n] * angstrom;
    }
    if (fourth_) {
        const std::uint64_t length = open_record();
        in_.skip(length);
        close_record(length);
    }
}

bool DcdReader::read(StoredFrame& frame) {
    if (in_.at_end()) return false;
    const std::int64_t n = in_.frames();
    frame.step = first_step_ + n * steps_a_frame_;
    frame.time = static_cast<double>(frame.step) * timestep_;
    frame.box = cell_ ? read_cell() : Cell();
    if (!free_.empty() && n > 0) frame.x = fixed_;
    read_positions(frame.x);
    if (!free_.empty() && n == 0) fixed_ = frame.x;
    frame.v.clear();
    frame.f.clear();
    frame.images.clear();
    in_.count_frame();
    return true;
}

void DcdReader::seek(std::int64_t frame) {
    const auto first = frame_bytes(static_cast<std::uint64_t>(atoms_));
    const auto others = free_.empty() ? first : frame_bytes(free_.size());
    if (!free_.empty() && frame > 0 && fixed_.empty()) {
        StoredFrame whole;
        seek(0);
        read(whole);
    }
    const auto n = static_cast<std::uint64_t>(std::clamp<std::int64_t>(frame, 0, frames_));
    in_.set_frames(static_cast<std::int64_t>(n));
    in_.seek(n == 0 ? begin_ : std::min(begin_ + first + (n - 1) * others, in_.size()));
}

double DcdReader::progress() const {
    return static_cast<double>(in_.position()) / static_cast<double>(in_.size());
}

}  // namespace mdsim
