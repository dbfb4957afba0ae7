// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/xtc.h"

#include <bit>
#include <cmath>
#include <fstream>

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

XtcReader::XtcReader(std::filesystem::path path) : path_(std::move(path)) {
    std::ifstream in(path_, std::ios::binary);
    if (!in) throw_system_error(path_, "opening");
    bytes_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

void XtcReader::fail(const std::string& what) const {
    throw_input_error({.code = "MD311",
                       .place = {path_.string()},
                       .what = fmt::format("XTC at byte {}: {}", at_, what),
                       .remedy = "use a whole copy of the file"});
}

std::uint32_t XtcReader::word() {
    if (bytes_.size() - at_ < 4) fail("the file ends inside a frame");
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return value;
}

float XtcReader::number() {
    return std::bit_cast<float>(word());
}

std::vector<Vec3d> XtcReader::coordinates(std::size_t atoms, bool large) {
    std::vector<Vec3d> x(atoms);
    if (atoms <= most_uncompressed) {
        for (Vec3d& r : x) {
            for (int a = 0; a < 3; ++a) r[a] = static_cast<double>(number());
        }
        return x;
    }
    const float precision = number();
    if (!(precision > 0.0F)) fail("the precision is not positive");
    xtc::Packed packed;
    for (std::int32_t& low : packed.low) low = integer();
    for (std::int32_t& high : packed.high) high = integer();
    packed.small_index = integer();
    const std::uint64_t high_word = large ? word() : 0;
    const std::uint64_t length = high_word << 32 | word();
    if (length > bytes_.size() - at_) fail("the file ends inside a frame");
    packed.bits = bytes_.substr(at_, length);
    at_ = std::min<std::uint64_t>(bytes_.size(), at_ + (length + 3) / 4 * 4);
    try {
        const std::vector<xtc::Int3> grid = xtc::unpack(packed, atoms);
        for (std::size_t i = 0; i < atoms; ++i) {
            for (int a = 0; a < 3; ++a)
                x[i][a] = static_cast<double>(static_cast<float>(grid[i][static_cast<std::size_t>(a)]) / precision);
        }
    } catch (const std::runtime_error& error) {
        fail(error.what());
    }
    return x;
}

std::optional<StoredFrame> XtcReader::next() {
    if (at_ == bytes_.size()) return std::nullopt;
    const std::int32_t kind = integer();
    if (kind != magic && kind != magic_large) fail("this is not the beginning of a frame");
    const std::int32_t atoms = integer();
    StoredFrame frame;
    frame.step = integer();
    frame.time = static_cast<double>(number());
    for (Vec3d& row : frame.box) {
        for (int a = 0; a < 3; ++a) row[a] = static_cast<double>(number());
    }
    // Each atom takes at least one bit, so a count beyond that is a damaged file and no reason to ask for memory.
    if (atoms < 0 || integer() != atoms || static_cast<std::size_t>(atoms) > 8 * (bytes_.size() - at_)) {
        fail(fmt::format("{} atoms cannot be right", atoms));
    }
    frame.x = coordinates(static_cast<std::size_t>(atoms), kind == magic_large);
    return frame;
}

}  // namespace mdsim
