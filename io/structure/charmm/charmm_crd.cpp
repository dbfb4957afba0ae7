// SPDX-License-Identifier: Apache-2.0
#include "io/structure/charmm/charmm_crd.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text/line_source.h"
#include "io/text/text_file.h"

namespace mdsim {

namespace {

constexpr double angstrom = 0.1;  // [nm]

struct Field {
    std::size_t begin, width;
};
/// Columns from 0 of: number, residue's number in the file, residue, atom, x, y, z, segment, residue's name within it.
using Layout = std::array<Field, 9>;
constexpr Layout standard{{{0, 5}, {5, 5}, {11, 4}, {16, 4}, {20, 10}, {30, 10}, {40, 10}, {51, 4}, {56, 4}}};
constexpr Layout extended{{{0, 10}, {10, 10}, {22, 8}, {32, 8}, {40, 20}, {60, 20}, {80, 20}, {102, 8}, {112, 8}}};

class CrdReader {
  public:
    explicit CrdReader(const std::filesystem::path& file) : file_(file.string()), lines_(file, "MD350") {}

    Structure read() {
        read_count();
        std::string_view line;
        while (static_cast<int>(out_.x.size()) < count_ && lines_.next(line)) {
            if (!without_blanks(line).empty()) add_atom(line);
        }
        if (static_cast<int>(out_.x.size()) < count_) refuse_count("");
        if (!lines_.only_blanks_left()) refuse_count(" and more lines");
        return std::move(out_);
    }

  private:
    [[noreturn]] void refuse(int line, std::size_t column, std::string what, std::string why = {}) const {
        throw_input_error({.code = "MD351",
                           .place = {file_, line, static_cast<int>(column)},
                           .what = std::move(what),
                           .why = std::move(why),
                           .remedy = "use a whole copy of the file, or write it again (CHARMM: write coor card)"});
    }

    [[noreturn]] void refuse_count(const char* more) const {
        refuse(count_line_, 1, fmt::format("{} atoms are announced, {}{} found", count_, out_.x.size(), more));
    }

    void read_count() {
        std::string_view line;
        bool more = lines_.next(line);
        for (; more && (line.starts_with('*') || without_blanks(line).empty()); more = lines_.next(line)) {
            const std::string_view text = without_blanks(line.substr(std::min<std::size_t>(1, line.size())));
            if (out_.title.empty()) out_.title = std::string(text);
        }
        if (!more) refuse(lines_.number(), 0, "the file ends where the number of atoms is due");
        const std::string_view text = without_blanks(line);
        const std::string_view number = text.substr(0, text.find_first_of(" \t"));
        if (parse_number(number, count_) != std::string_view::npos || count_ < 1) {
            refuse(lines_.number(), 1, fmt::format("the number of atoms is due here, found \"{}\"", text.substr(0, 40)),
                   "lines of a star, the number of atoms, and a line for each atom make a coordinate file of CHARMM");
        }
        if (text.find("EXT") != std::string_view::npos || count_ > 99999) layout_ = &extended;
        count_line_ = lines_.number();
    }

    std::array<std::string_view, 9> fields_of(std::string_view line) const {
        std::array<std::string_view, 9> fields;
        std::size_t n = 0;
        for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos; ++n) {
            const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
            if (n < fields.size()) fields[n] = line.substr(at, end - at);
            at = line.find_first_not_of(" \t", end);
        }
        if (n == fields.size() + 1) return fields;
        for (n = 0; n < fields.size(); ++n) {
            const Field& field = (*layout_)[n];
            fields[n] = field.begin < line.size() ? without_blanks(line.substr(field.begin, field.width)) : "";
        }
        return fields;
    }

    void add_atom(std::string_view line) {
        const auto fields = fields_of(line);
        Vec3d x{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string_view text = fields[4 + axis];
            double value = 0.0;
            if (parse_number(text, value) != std::string_view::npos) {
                const std::size_t column = text.empty() ? 1 : static_cast<std::size_t>(text.data() - line.data()) + 1;
                refuse(lines_.number(), column,
                       fmt::format("\"{}\" is no coordinate (atom {} of {})", text, out_.x.size() + 1, count_));
            }
            x[static_cast<int>(axis)] = value * angstrom;
        }
        AtomLabel label;
        label.atom = std::string(fields[3]);
        label.residue = std::string(fields[2]);
        label.chain = std::string(fields[7]);
        label.residue_number = residue_number(fields[8], fields[1], label.insertion);
        out_.x.push_back(x);
        out_.labels.push_back(std::move(label));
    }

    // The name within the segment is a number with perhaps an insertion code; else the number in the file.
    static int residue_number(std::string_view name, std::string_view in_file, char& insertion) {
        int number = 0;
        const std::size_t end = name.find_first_not_of("-0123456789");
        if (parse_number(name.substr(0, end), number) == std::string_view::npos) {
            if (end < name.size()) insertion = name[end];
            return number;
        }
        return parse_number(in_file, number) == std::string_view::npos ? number : 0;
    }

    std::string file_;
    LineSource lines_;
    const Layout* layout_ = &standard;
    int count_ = 0;
    int count_line_ = 0;
    Structure out_;
};

}  // namespace

Structure read_charmm_crd(const std::filesystem::path& file) {
    return CrdReader(file).read();
}

}  // namespace mdsim
