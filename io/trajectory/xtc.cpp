// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/xtc.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"
#include "io/trajectory/xtc_codec.h"

namespace mdsim {

namespace {

constexpr std::int32_t magic = 1995;
constexpr std::int32_t magic_large = 2023;  // 64-bit length of the compressed block
constexpr std::size_t most_uncompressed = 9;

// XDR: big-endian 32-bit words.
void put(std::string& out, std::uint32_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 0xffU);
}
void put(std::string& out, std::int32_t value) {
    put(out, static_cast<std::uint32_t>(value));
}
void put(std::string& out, float value) {
    put(out, std::bit_cast<std::uint32_t>(value));
}

std::int32_t to_integer(double x, float precision, std::size_t atom) {
    const double scaled = std::round(static_cast<double>(static_cast<float>(x) * precision));
    if (!(std::abs(scaled) < 2147483645.0)) {
        throw_input_error(
            {.code = "MD310",
             .what = fmt::format("atom {} is at {} nm: XTC with precision {} cannot hold it", atom + 1, x, precision),
             .remedy = "write H5MD, or give the trajectory a smaller precision"});
    }
    return static_cast<std::int32_t>(scaled);
}

}  // namespace

std::string encode_xtc_frame(const Frame& frame, float precision) {
    std::string out;
    const auto atoms = static_cast<std::int32_t>(frame.x.size());
    put(out, magic);
    put(out, atoms);
    put(out, static_cast<std::int32_t>(frame.step));
    put(out, static_cast<float>(frame.time));
    for (const Vec3d& row : frame.box.rows()) {
        for (int a = 0; a < 3; ++a) put(out, static_cast<float>(row[a]));
    }
    put(out, atoms);
    if (frame.x.size() <= most_uncompressed) {
        for (const Vec3d& r : frame.x) {
            for (int a = 0; a < 3; ++a) put(out, static_cast<float>(r[a]));
        }
        return out;
    }
    std::vector<xtc::Int3> grid(frame.x.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
        for (int a = 0; a < 3; ++a) grid[i][static_cast<std::size_t>(a)] = to_integer(frame.x[i][a], precision, i);
    }
    const xtc::Packed packed = xtc::pack(std::move(grid));
    put(out, precision);
    for (const std::int32_t low : packed.low) put(out, low);
    for (const std::int32_t high : packed.high) put(out, high);
    put(out, packed.small_index);
    put(out, static_cast<std::int32_t>(packed.bits.size()));
    out += packed.bits;
    out.append((4 - packed.bits.size() % 4) % 4, '\0');
    return out;
}

XtcReader::XtcReader(const std::filesystem::path& path) : in_(path, "MD311", "XTC") {
    if (in_.at_end()) return;
    atoms_ = static_cast<std::int64_t>(header().atoms);
    in_.seek(0);
}

XtcReader::Header XtcReader::header() {
    Header header;
    const std::int32_t kind = in_.i32();
    if (kind != magic && kind != magic_large) in_.refuse("this is not the beginning of a frame");
    header.large = kind == magic_large;
    const std::int32_t atoms = in_.i32();
    header.step = in_.i32();
    header.time = static_cast<double>(in_.f32());
    in_.vectors(header.box, 4, 1.0);
    const bool again = in_.i32() == atoms;
    // Each atom takes at least one bit, so a count beyond that is a damaged file and no reason to ask for memory.
    if (atoms < 0 || !again || static_cast<std::uint64_t>(atoms) > 8 * in_.left()) {
        in_.refuse(fmt::format("{} atoms cannot be right", atoms));
    }
    header.atoms = static_cast<std::size_t>(atoms);
    if (in_.frames() > 0 && atoms != atoms_)
        in_.refuse(fmt::format("frame {} has {} atoms, those before have {}", in_.frames(), atoms, atoms_));
    return header;
}

// What comes before the bits; returns how many bytes these take.
std::uint64_t XtcReader::packed_header(bool large) {
    for (std::int32_t& low : packed_.low) low = in_.i32();
    for (std::int32_t& high : packed_.high) high = in_.i32();
    packed_.small_index = in_.i32();
    const std::uint64_t length = large ? in_.u64() : in_.u32();
    if (length > in_.left()) in_.refuse_cut_off();
    return length;
}

void XtcReader::coordinates(std::vector<Vec3d>& x, bool large) {
    if (x.size() <= most_uncompressed) return in_.vectors(x, 4, 1.0);
    const float precision = in_.f32();
    if (!(precision > 0.0F)) in_.refuse("the precision is not positive");
    const std::uint64_t length = packed_header(large);
    packed_.bits.resize(length);
    in_.read(packed_.bits);
    in_.skip(std::min<std::uint64_t>((4 - length % 4) % 4, in_.left()));
    try {
        xtc::unpack(packed_, x.size(), grid_);
    } catch (const std::runtime_error& error) {
        in_.refuse(error.what());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto number = [&](std::size_t axis) {
            return static_cast<double>(static_cast<float>(grid_[i][axis]) / precision);
        };
        x[i] = {number(0), number(1), number(2)};
    }
}

bool XtcReader::read(StoredFrame& frame) {
    if (in_.at_end()) return false;
    const Header header = this->header();
    frame.step = header.step;
    frame.time = header.time;
    frame.box = Cell(header.box);
    frame.x.resize(header.atoms);
    frame.v.clear();
    frame.f.clear();
    frame.images.clear();
    coordinates(frame.x, header.large);
    in_.count_frame();
    return true;
}

void XtcReader::seek(std::int64_t frame) {
    if (frame < in_.frames()) {
        in_.seek(0);
        in_.set_frames(0);
    }
    for (; in_.frames() < frame && !in_.at_end(); in_.count_frame()) {
        const Header header = this->header();
        if (header.atoms <= most_uncompressed) {
            in_.skip(12 * header.atoms);
            continue;
        }
        in_.f32();  // precision
        const std::uint64_t length = packed_header(header.large);
        in_.skip(std::min((length + 3) / 4 * 4, in_.left()));
    }
}

double XtcReader::progress() const {
    return in_.size() == 0 ? 1.0 : static_cast<double>(in_.position()) / static_cast<double>(in_.size());
}

}  // namespace mdsim
