// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/binary/trr.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace mdsim {

namespace {
constexpr std::int32_t magic = 1993;
const std::string version = "GMX_trn_file";
}  // namespace

TrrReader::TrrReader(const std::filesystem::path& path) : in_(path, "MD314", "TRR") {
    Header first;
    if (header_with_positions(first)) atoms_ = first.atoms;
    atoms_ = std::max<std::int64_t>(atoms_, 0);
    in_.seek(0);
}

TrrReader::Header TrrReader::header() {
    if (in_.i32() != magic) in_.refuse("this is not the beginning of a frame");
    // The length of the text that follows, its zero byte counted, and then as XDR has it.
    in_.i32();
    std::string text(in_.u32(), '\0');
    if (text.size() != version.size()) in_.refuse("this is not the beginning of a frame");
    in_.read(text);
    if (text != version) in_.refuse(fmt::format("the frame does not say {}", version));
    Header h;
    std::uint32_t other = in_.u32() | in_.u32();  // input record, energies: not used since long
    h.box = in_.u32();
    h.virial = in_.u32();
    h.pressure = in_.u32();
    other |= in_.u32() | in_.u32();  // topology, symbols
    h.x = in_.u32();
    h.v = in_.u32();
    h.f = in_.u32();
    h.atoms = in_.i32();
    h.step = in_.i32();
    in_.i32();  // energies
    if (other != 0) in_.refuse("the frame has parts of a kind that GROMACS no longer writes");
    check_sizes(h);
    const auto per_atom = [&](std::uint32_t bytes) { return bytes / (3 * static_cast<std::uint64_t>(h.atoms)); };
    for (const std::uint32_t bytes : {h.x, h.v, h.f}) {
        if (bytes > 0) h.real = static_cast<int>(per_atom(bytes));
    }
    if (h.box > 0) h.real = static_cast<int>(h.box / 9);
    h.time = h.real == 8 ? in_.f64() : static_cast<double>(in_.f32());
    in_.skip(static_cast<std::uint64_t>(h.real));  // lambda
    return h;
}

void TrrReader::check_sizes(const Header& h) {
    const auto atoms = static_cast<std::uint64_t>(std::max<std::int64_t>(h.atoms, 0));
    bool good = h.atoms >= 0 && (h.box == 0 || h.box == 36 || h.box == 72);
    std::uint64_t real = h.box / 9;
    for (const std::uint32_t bytes : {h.x, h.v, h.f}) {
        if (bytes == 0) continue;
        if (real == 0 && atoms > 0) real = bytes / (3 * atoms);
        good = good && (real == 4 || real == 8) && bytes == 3 * atoms * real;
    }
    if (!good) in_.refuse(fmt::format("the sizes of a frame's parts do not fit {} atoms", h.atoms));
    if (h.body() > in_.left()) in_.refuse_cut_off();
}

bool TrrReader::header_with_positions(Header& header) {
    while (!in_.at_end()) {
        header = this->header();
        if (header.x > 0) {
            if (atoms_ > 0 && header.atoms != atoms_)
                in_.refuse(
                    fmt::format("frame {} has {} atoms, those before have {}", in_.frames(), header.atoms, atoms_));
            return true;
        }
        in_.skip(header.body());
    }
    return false;
}

bool TrrReader::read(StoredFrame& frame) {
    Header h;
    if (!header_with_positions(h)) return false;
    frame.step = h.step;
    frame.time = h.time;
    Mat3d rows{};
    if (h.box > 0) in_.vectors(rows, h.real, 1.0);
    frame.box = Cell(rows);
    in_.skip(std::uint64_t{h.virial} + h.pressure);
    const auto part = [&](std::uint32_t bytes, std::vector<Vec3d>& into) {
        into.resize(bytes > 0 ? static_cast<std::size_t>(h.atoms) : 0);
        in_.vectors(into, h.real, 1.0);
    };
    part(h.x, frame.x);
    part(h.v, frame.v);
    part(h.f, frame.f);
    frame.images.clear();
    in_.count_frame();
    return true;
}

void TrrReader::seek(std::int64_t frame) {
    if (frame < in_.frames()) {
        in_.seek(0);
        in_.set_frames(0);
    }
    Header h;
    for (; in_.frames() < frame && header_with_positions(h); in_.count_frame()) in_.skip(h.body());
}

double TrrReader::progress() const {
    return in_.size() == 0 ? 1.0 : static_cast<double>(in_.position()) / static_cast<double>(in_.size());
}

void TrrWriter::append(const Frame& frame) {
    out_.clear();
    const std::size_t part = 12 * frame.x.size();
    const bool box = frame.box.periodic();
    const bool v = velocities_ == WithVelocities::yes && !frame.v.empty();
    const bool f = forces_ == WithForces::yes && !frame.f.empty();
    out_.i32(magic);
    out_.i32(static_cast<std::int64_t>(version.size()) + 1);
    out_.i32(static_cast<std::int64_t>(version.size()));
    out_.text(version);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{0}, std::size_t{box ? 36U : 0U}, std::size_t{0},
                                    std::size_t{0}, std::size_t{0}, std::size_t{0}, part, v ? part : 0, f ? part : 0})
        out_.u32(static_cast<std::uint32_t>(bytes));
    out_.i32(static_cast<std::int64_t>(frame.x.size()));
    out_.i32(frame.step);
    out_.i32(0);
    out_.f32(frame.time);
    out_.f32(0.0);
    if (box) out_.vectors(frame.box.rows(), 1.0);
    out_.vectors(frame.x, 1.0);
    if (v) out_.vectors(frame.v, 1.0);
    if (f) out_.vectors(frame.f, 1.0);
    file_.append(out_.bytes());
}

}  // namespace mdsim
