// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text/text_file.h"
#include "io/trajectory/binary/akma.h"
#include "io/trajectory/binary/dcd.h"

namespace mdsim {

namespace {

constexpr double nm = 10.0;  // [Angstrom]
constexpr int header_length = 84, title_length = 80, charmm_version = 24;
// In the file: after the mark and CORD come the words; the tenth is the time step.
constexpr std::uint64_t words_begin = 8, delta_begin = words_begin + 9 * 4;
constexpr int counting_words = 4;  // frames, first step, steps a frame, steps

std::vector<LooseBytes> loose() {
    return {{words_begin, words_begin + 4 * counting_words}, {delta_begin, delta_begin + 4}};
}

// A line of the title keeps the time of the first frame as it was, for whoever continues the file.
constexpr const char* first_frame_at = "REMARKS first frame at";

double first_time_of(const std::string& title) {
    const std::size_t at = title.find(first_frame_at);
    double time = 0.0;
    if (at == std::string::npos) return time;
    const std::size_t begin = title.find_first_not_of(' ', at + std::string_view(first_frame_at).size());
    if (begin == std::string::npos) return time;
    parse_number(std::string_view(title).substr(begin, title.find(' ', begin) - begin), time);
    return time;
}

bool fits(std::int64_t value) {
    return value >= 0 && value <= std::numeric_limits<std::int32_t>::max();
}

/// First step, steps a frame and time step with which a reader finds the times of the frames.
struct Times {
    std::int64_t first = 0, every = 1;
    double timestep = 0.0;  // [ps]
};

// Steps as they were counted, where the times are these multiples of a time step; else the frames are counted.
Times times_of(std::int64_t first_step, std::int64_t second_step, double first_time, double second_time) {
    const double interval = second_time - first_time;
    const std::int64_t every = second_step - first_step;
    if (every > 0 && fits(first_step) && fits(every)) {
        const double timestep = interval / static_cast<double>(every);
        const double error = static_cast<double>(first_step) * timestep - first_time;
        if (std::abs(error) <= 1e-4 * std::abs(interval)) return {first_step, every, timestep};
    }
    const double frames_before = interval == 0.0 ? 0.0 : std::round(first_time / interval);
    return {frames_before >= 0.0 && frames_before < 2e9 ? std::llround(frames_before) : 0, 1, interval};
}

}  // namespace

DcdWriter DcdWriter::create(AppendFile file, std::int64_t atoms, std::string title) {
    return {std::move(file), atoms, std::move(title)};
}

DcdWriter DcdWriter::reopen(const std::filesystem::path& path, std::int64_t atoms, std::string title,
                            const OutputMark& mark) {
    DcdWriter writer(AppendFile::reopen(path, mark, loose()), atoms, std::move(title));
    if (mark.length == 0) return writer;
    const DcdReader reader(path);
    if (reader.atoms() != atoms) throw_changed(path, "the file has another number of atoms");
    writer.cell_ = reader.has_cell();
    writer.frames_ = reader.frames().value();
    writer.first_step_ = reader.first_step();
    writer.second_step_ = reader.first_step() + reader.steps_a_frame();
    writer.first_time_ = first_time_of(reader.title());
    writer.second_time_ = writer.first_time_ + static_cast<double>(reader.steps_a_frame()) * reader.timestep();
    return writer;
}

void DcdWriter::put_header() {
    out_.clear();
    out_.i32(header_length);
    out_.text("CORD");
    for (int word = 0; word < 20; ++word) out_.i32(word == 10 ? (cell_ ? 1 : 0) : word == 19 ? charmm_version : 0);
    out_.i32(header_length);
    out_.i32(4 + 2 * title_length);
    out_.i32(2);
    for (std::string line : {title_.substr(0, title_length), fmt::format("{} {} ps", first_frame_at, first_time_)}) {
        line.resize(title_length, ' ');
        out_.text(line);
    }
    out_.i32(4 + 2 * title_length);
    out_.i32(4);
    out_.i32(atoms_);
    out_.i32(4);
    file_.append(out_.bytes());
}

void DcdWriter::append(const Frame& frame) {
    MDSIM_EXPECT(static_cast<std::int64_t>(frame.x.size()) == atoms_);
    if (frames_ == 0) {
        cell_ = frame.box.periodic();
        first_step_ = frame.step;
        first_time_ = frame.time;
        put_header();
    }
    if (frames_ == 1) {
        second_step_ = frame.step;
        second_time_ = frame.time;
    }
    ++frames_;
    out_.clear();
    if (cell_) {
        const Vec3d lengths = frame.box.lengths() * nm, angles = frame.box.angles();
        out_.i32(48);
        for (const double value : {lengths.x, angles.z, lengths.y, angles.y, angles.x, lengths.z}) out_.f64(value);
        out_.i32(48);
    }
    for (int axis = 0; axis < 3; ++axis) {
        out_.i32(4 * atoms_);
        out_.components(frame.x, axis, nm);
        out_.i32(4 * atoms_);
    }
    file_.append(out_.bytes());
}

void DcdWriter::patch_header() {
    // Of one frame its time, where a step that is not zero can express it.
    Times times{first_step_, 1, first_step_ == 0 ? 0.0 : first_time_ / static_cast<double>(first_step_)};
    if (frames_ > 1) times = times_of(first_step_, second_step_, first_time_, second_time_);
    ByteSink words(std::endian::little);
    words.i32(frames_);
    words.i32(fits(times.first) ? times.first : 0);
    words.i32(times.every);
    words.i32(fits(times.every * frames_) ? times.every * frames_ : 0);
    file_.patch(words_begin, words.bytes());
    words.clear();
    words.f32(times.timestep / akma_time);
    file_.patch(delta_begin, words.bytes());
}

OutputMark DcdWriter::sync() {
    if (file_.length() > 0) patch_header();
    return file_.sync();
}

OutputMark DcdWriter::finish() {
    if (frames_ == 0) put_header();
    return sync();
}

}  // namespace mdsim
