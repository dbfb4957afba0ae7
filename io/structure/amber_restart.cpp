// SPDX-License-Identifier: Apache-2.0
#include "io/structure/amber_restart.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/amber_netcdf.h"
#include "io/structure/cell.h"
#include "io/text/text_file.h"

namespace mdsim {

namespace {

constexpr std::size_t width = 12;         // of a number, FORTRAN format 6F12.7
constexpr std::size_t per_line = 6;       // numbers
constexpr double angstrom = 0.1;          // [nm]
constexpr double velocity_unit = 2.0455;  // Angstrom per 1/20.455 ps, in nm/ps

/// Reads the text form.
class RestartReader {
  public:
    explicit RestartReader(const std::filesystem::path& file)
        : file_(file.string()), text_(read_text_file(file, "MD300")), lines_(text_) {}

    Structure read(std::int64_t expected_atoms);

  private:
    [[noreturn]] void refuse(int line, int column, std::string what, std::string why = {},
                             std::string remedy = {}) const {
        throw_input_error({.code = "MD301",
                           .place = {file_, line, column},
                           .what = std::move(what),
                           .why = std::move(why),
                           .remedy = std::move(remedy)});
    }
    std::int64_t read_head(Structure& structure);
    std::size_t lines_left() const;
    void read_values(std::vector<double>& values, std::size_t count, const char* what);
    void read_line(std::string_view line, std::vector<double>& values, std::size_t count) const;
    void read_vectors(std::vector<Vec3d>& vectors, std::int64_t atoms, double unit, const char* what);
    void read_box(Structure& structure);
    bool next_is_box(std::int64_t atoms) const;

    std::string file_;
    std::string text_;
    LineReader lines_;
};

std::int64_t RestartReader::read_head(Structure& structure) {
    std::string_view line;
    if (!lines_.next(line)) refuse(1, 0, "the file is empty");
    structure.title = std::string(without_blanks(line));
    if (!lines_.next(line)) refuse(2, 0, "the file ends where the number of atoms is due");
    const std::string_view words = without_blanks(line);
    std::int64_t atoms = 0;
    const auto [stop, error] = std::from_chars(words.data(), words.data() + words.size(), atoms);
    const bool ends = stop == words.data() + words.size() || *stop == ' ';
    if (words.empty() || error != std::errc{} || !ends || atoms < 1) {
        refuse(2, 1, fmt::format("the number of atoms is due here, found \"{}\"", words.substr(0, 40)),
               "an AMBER restart has a title, then the number of atoms and the time, then the positions");
    }
    const std::string_view rest = without_blanks(words.substr(static_cast<std::size_t>(stop - words.data())));
    const std::string_view time = rest.substr(0, rest.find(' '));
    if (!time.empty() && parse_number(time, structure.time) != std::string_view::npos) {
        refuse(2, static_cast<int>(time.data() - line.data()) + 1, fmt::format("\"{}\" is not a time", time));
    }
    return atoms;
}

// Lines with content; blank ones at the end do not count.
std::size_t RestartReader::lines_left() const {
    LineReader ahead = lines_;
    std::string_view line;
    std::size_t lines = 0;
    std::size_t last = 0;
    while (ahead.next(line)) {
        ++lines;
        if (!without_blanks(line).empty()) last = lines;
    }
    return last;
}

void RestartReader::read_line(std::string_view line, std::vector<double>& values, std::size_t count) const {
    for (std::size_t n = 0; n < count; ++n) {
        const std::string_view field = n * width < line.size() ? line.substr(n * width, width) : std::string_view{};
        double value = 0.0;
        const std::size_t wrong = parse_number(field, value);
        if (wrong != std::string_view::npos) {
            refuse(lines_.number(), static_cast<int>(n * width + wrong) + 1,
                   without_blanks(field).empty() ? fmt::format("the line holds {} numbers, {} were expected", n, count)
                                                 : fmt::format("\"{}\" in columns {} to {} is not a number",
                                                               without_blanks(field), n * width + 1, (n + 1) * width));
        }
        values.push_back(value);
    }
    if (line.size() > count * width && !without_blanks(line.substr(count * width)).empty()) {
        refuse(lines_.number(), static_cast<int>(count * width) + 1,
               fmt::format("the line holds more than the {} numbers that are due", count));
    }
}

void RestartReader::read_values(std::vector<double>& values, std::size_t count, const char* what) {
    while (values.size() < count) {
        std::string_view line;
        if (!lines_.next(line)) {
            refuse(
                lines_.number(), 0,
                fmt::format("the file ends after {} of {} {}: it was cut off (truncated)", values.size(), count, what));
        }
        read_line(line, values, std::min(per_line, count - values.size()));
    }
}

void RestartReader::read_vectors(std::vector<Vec3d>& vectors, std::int64_t atoms, double unit, const char* what) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(atoms) * 3);
    read_values(values, static_cast<std::size_t>(atoms) * 3, what);
    vectors.resize(static_cast<std::size_t>(atoms));
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        vectors[i] = {values[3 * i] * unit, values[3 * i + 1] * unit, values[3 * i + 2] * unit};
    }
}

void RestartReader::read_box(Structure& structure) {
    LineReader ahead = lines_;
    std::string_view line;
    ahead.next(line);
    if (line.size() <= 3 * width || without_blanks(line.substr(3 * width)).empty()) {
        refuse(ahead.number(), static_cast<int>(3 * width) + 1, "the box has lengths but no angles",
               "90 degrees would be a guess: the box may be a truncated octahedron",
               "add them to this line, three times \"  90.0000000\" or \" 109.4712190\"");
    }
    std::vector<double> values;
    read_values(values, 6, "numbers of the box");
    structure.box = cell_from_angstrom({values[0], values[1], values[2]}, {values[3], values[4], values[5]},
                                       {file_, lines_.number(), 0});
}

// One or two atoms: velocities would fill as many lines as a box. Angles of 90 degrees are no velocities.
bool RestartReader::next_is_box(std::int64_t atoms) const {
    LineReader ahead = lines_;
    std::string_view line;
    ahead.next(line);
    std::vector<double> values;
    read_line(line, values, atoms == 2 || without_blanks(line).size() > 3 * width ? 6 : 3);
    const auto in_range = [](double low, double high) {
        return [low, high](double value) { return value >= low && value <= high; };
    };
    const bool lengths = std::all_of(values.begin(), values.begin() + 3, in_range(1.0, 1e5));
    return lengths && std::all_of(values.begin() + 3, values.end(), in_range(20.0, 160.0));
}

Structure RestartReader::read(std::int64_t expected_atoms) {
    Structure structure;
    const std::int64_t atoms = read_head(structure);
    const std::size_t left = lines_left();
    const std::size_t block = static_cast<std::size_t>((atoms + 1) / 2);
    if (left < block) {
        refuse(2, 1,
               fmt::format("{} atoms are announced, which takes {} lines of positions, but {} lines follow", atoms,
                           block, left),
               "the number is wrong, or the file was cut off (truncated)");
    }
    if (expected_atoms >= 0 && atoms != expected_atoms) {
        refuse(2, 1, fmt::format("{} atoms, but the topology has {}", atoms, expected_atoms));
    }
    read_vectors(structure.x, atoms, angstrom, "coordinates");
    const std::size_t more = left - block;
    const bool ambiguous = block == 1 && more == 1;
    const bool velocities = ambiguous ? !next_is_box(atoms) : more == block || more == block + 1;
    if (velocities) read_vectors(structure.v, atoms, velocity_unit, "velocity components");
    const std::size_t rest = more - (velocities ? block : 0);
    if (rest == 1) read_box(structure);
    if (rest > 1) {
        refuse(lines_.number() + 1, 1,
               fmt::format("{} lines follow the positions of {} atoms: velocities would be {}, a box 1", more, atoms,
                           block));
    }
    return structure;
}

bool is_netcdf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    char head[3] = {};
    return in.read(head, 3) && std::string_view(head, 3) == "CDF";
}

}  // namespace

Structure read_amber_restart(const std::filesystem::path& file, std::int64_t expected_atoms) {
    if (is_netcdf(file)) return read_amber_netcdf_restart(file, expected_atoms);
    return RestartReader(file).read(expected_atoms);
}

}  // namespace mdsim
