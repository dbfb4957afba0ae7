// SPDX-License-Identifier: Apache-2.0
#include "io/structure/gro.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr std::size_t label_width = 20;  // residue number, residue, atom, atom number: five columns each

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class T>
std::optional<T> parse(std::string_view text) {
    text = trim(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    T value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "t= 12.5" in a title; 0 where there is none.
double time_of(std::string_view title) {
    const std::size_t at = title.rfind("t=");
    if (at == std::string_view::npos) return 0.0;
    std::string_view rest = trim(title.substr(at + 2));
    rest = rest.substr(0, rest.find_first_of(" \t"));
    return parse<double>(rest).value_or(0.0);
}

}  // namespace

std::size_t GroFrames::Layout::positions_end() const {
    return label_width + 3 * width;
}

std::size_t GroFrames::Layout::end() const {
    return label_width + 6 * width;
}

void GroFrames::refuse(std::size_t column, std::string what, std::string why, std::string remedy) const {
    throw_input_error({.code = "MD320",
                       .place = {file_, lines_.number() + (ended_ ? 1 : 0), static_cast<int>(column)},
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = std::move(remedy)});
}

std::optional<std::string_view> GroFrames::next_line() {
    std::string_view line;
    ended_ = !lines_.next(line);
    if (ended_) return std::nullopt;
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

std::int64_t GroFrames::read_count() {
    const auto line = next_line();
    if (!line) refuse(0, "the file ends before the number of atoms", "", "a .gro has it on its second line");
    const auto count = parse<std::int64_t>(*line);
    if (!count || *count < 1) {
        refuse(1, fmt::format("\"{}\" is no number of atoms", trim(*line).substr(0, 40)),
               "the second line of a frame must hold it");
    }
    return *count;
}

GroFrames::Layout GroFrames::find_layout(std::string_view line, std::int64_t found, std::int64_t count) const {
    check_is_atom(line, label_width, found, count);
    const std::size_t first = line.find('.', label_width);
    const std::size_t second = first == std::string_view::npos ? first : line.find('.', first + 1);
    if (second == std::string_view::npos) {
        refuse(label_width + 1, "no coordinates: two decimal points are expected from here on",
               "their distance tells how wide the columns are");
    }
    const std::size_t width = second - first;
    // Too wide for the line: something without a point stands among the numbers, and is to be named by its column.
    constexpr std::size_t usual = 8;
    return {line.size() > label_width + 2 * width ? width : usual};
}

void GroFrames::check_is_atom(std::string_view line, std::size_t end, std::int64_t found, std::int64_t count) const {
    if (line.empty()) {
        refuse(0, fmt::format("an empty line where atom {} of {} should be", found + 1, count));
    }
    if (line.size() < end || !parse<int>(line.substr(0, 5))) {
        refuse(0, fmt::format("this is not an atom line ({} of the {} atoms announced were found)", found, count),
               "a residue number, residue, atom, atom number and coordinates in fixed columns are expected",
               "the file may be cut off, or the number of atoms on its second line wrong");
    }
}

Vec3d GroFrames::read_vector(std::string_view line, std::size_t start, std::size_t width, std::string_view what) const {
    Vec3d out;
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t column = start + static_cast<std::size_t>(axis) * width;
        const std::string_view field = column < line.size() ? line.substr(column, width) : std::string_view{};
        const auto value = parse<double>(field);
        if (!value || !std::isfinite(*value)) {
            refuse(column + 1, fmt::format("\"{}\" is no {}", trim(field), what),
                   fmt::format("columns {} to {} must hold a number", column + 1, column + width));
        }
        out[axis] = *value;
    }
    return out;
}

void GroFrames::read_atom(std::string_view line, const Layout& layout, Structure& out, bool& velocities) const {
    out.x.push_back(read_vector(line, label_width, layout.width, "coordinate"));
    if (line.size() > layout.end()) {
        refuse(layout.end() + 1, fmt::format("\"{}\" stands behind the last column", trim(line.substr(layout.end()))));
    }
    if (line.size() > layout.positions_end()) {
        velocities = true;
        out.v.resize(out.x.size() - 1);  // zero for those that had none
        out.v.push_back(read_vector(line, layout.positions_end(), layout.width, "velocity"));
    }
    if (!labels_wanted()) return;
    out.labels.push_back({.atom = std::string(trim(line.substr(10, 5))),
                          .residue = std::string(trim(line.substr(5, 5))),
                          .residue_number = parse<int>(line.substr(0, 5)).value_or(0)});
}

/// Numbers may touch ("40000.0000040000.00000"): all have as many digits behind the point as the last.
std::vector<double> GroFrames::box_numbers(std::string_view line) const {
    std::vector<double> out;
    const std::size_t decimals = line.size() - std::min(line.rfind('.'), line.size());
    std::size_t begin = line.find_first_not_of(" \t");
    while (begin != std::string_view::npos) {
        std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        const std::size_t point = line.find('.', begin);
        const bool touches = point < end && line.find('.', point + 1) < end;
        if (touches) end = std::min(point + decimals, end);
        const auto value = parse<double>(line.substr(begin, end - begin));
        if (!value || !std::isfinite(*value)) {
            refuse(begin + 1, fmt::format("\"{}\" is no number of a box", line.substr(begin, end - begin)),
                   "behind the last atom the box must follow: three or nine numbers",
                   "there may be more atoms than the second line announces");
        }
        out.push_back(*value);
        begin = line.find_first_not_of(" \t", end);
    }
    return out;
}

Box GroFrames::read_box(std::int64_t count) {
    const auto line = next_line();
    if (!line) {
        refuse(0, fmt::format("the box line is missing after {} atoms (end of file)", count), "",
               "the last line needs three numbers, zeros for no box; or the file is cut off");
    }
    std::vector<double> b = box_numbers(*line);
    if (b.size() != 3 && b.size() != 9) {
        refuse(1, fmt::format("the box line has {} numbers", b.size()), "three or nine are expected [nm]",
               "there may be more atoms than the second line announces");
    }
    b.resize(9, 0.0);
    if (std::all_of(b.begin(), b.end(), [](double value) { return value == 0.0; })) return {};
    if (b[0] <= 0.0 || b[1] <= 0.0 || b[2] <= 0.0) {
        refuse(1, "the box needs three positive lengths, or only zeros for no box");
    }
    if (b[3] != 0.0 || b[4] != 0.0 || b[6] != 0.0) {
        refuse(1, "the box vectors are not in the form that GROMACS asks for",
               "the first must lie along x and the second in the xy plane (the 4th, 5th and 7th number are zero)",
               "turn the system, for example with gmx editconf");
    }
    return Box::from_rows({Vec3d{b[0], 0, 0}, Vec3d{b[5], b[1], 0}, Vec3d{b[7], b[8], b[2]}});
}

bool GroFrames::next(Structure* out) {
    if (any_ && lines_.only_blanks_left()) return false;
    any_ = true;
    read_frame(out);
    return true;
}

void GroFrames::rewind() {
    lines_.rewind();
    any_ = false;
}

void GroFrames::read_frame(Structure* out) {
    const auto first = next_line();
    if (!first) refuse(0, "the file is empty");
    const std::string title(*first);
    const std::int64_t count = read_count();
    if (out != nullptr) {
        out->title = std::string(trim(title));
        out->x.clear();
        out->v.clear();
        if (labels_wanted()) out->labels.clear();
        out->time = time_of(title);
        // A wrong count must not ask for more memory than the file can fill.
        const auto most = static_cast<std::size_t>(
            std::min<std::int64_t>(count, static_cast<std::int64_t>(lines_.size() / label_width)));
        out->x.reserve(most);
        if (labels_wanted()) out->labels.reserve(most);
    }
    Layout layout;
    bool velocities = false;
    for (std::int64_t found = 0; found < count; ++found) {
        const auto line = next_line();
        if (!line) {
            refuse(0, fmt::format("the file ends after {} of {} atoms", found, count), "",
                   "the file is cut off, or the number of atoms on its second line wrong");
        }
        if (found == 0) layout = find_layout(*line, found, count);
        // Some writers drop a blank or two, so that the last number is short.
        check_is_atom(*line, label_width + 2 * layout.width + 1, found, count);
        if (out != nullptr) read_atom(*line, layout, *out, velocities);
    }
    if (out != nullptr && velocities) out->v.resize(out->x.size());
    const Box box = read_box(count);
    if (out != nullptr) out->box = box;
}

Structure read_gro(const std::filesystem::path& file) {
    GroFrames frames(file);
    Structure structure;
    frames.next(&structure);
    // What follows must be a frame as well: a count that is too small shows here at the latest.
    frames.next(nullptr);
    return structure;
}

std::int64_t count_gro_frames(const std::filesystem::path& file) {
    GroFrames frames(file);
    std::int64_t count = 0;
    while (frames.next(nullptr)) ++count;
    return count;
}

}  // namespace mdsim
