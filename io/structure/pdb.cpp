// SPDX-License-Identifier: Apache-2.0
#include "io/structure/pdb.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/cell.h"
#include "io/text/text_file.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

/// Columns first to last, counted from 1 as the format's description does; less where the line ends before.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
    return first > line.size() ? std::string_view{} : line.substr(first - 1, last - first + 1);
}

/// A number in `width` columns: plain, or hybrid-36 beyond what fits. False where it is neither.
bool hybrid36(std::string_view field, int width, int& value) {
    if (parse_number(field, value) == std::string_view::npos) return true;
    const std::string_view word = without_blanks(field);
    if (static_cast<int>(word.size()) != width) return false;
    const bool lower = word[0] >= 'a' && word[0] <= 'z';
    if (!lower && !(word[0] >= 'A' && word[0] <= 'Z')) return false;
    std::int64_t base36 = 0, block = 26, decimal = 10;
    for (const char c : word) {
        const bool digit = c >= '0' && c <= '9';
        const bool letter = lower ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z';
        if (!digit && !letter) return false;
        base36 = base36 * 36 + (digit ? c - '0' : c - (lower ? 'a' : 'A') + 10);
    }
    for (int n = 1; n < width; ++n) {
        block *= 36;
        decimal *= 10;
    }
    // "A000" follows 9999, "a000" follows "ZZZZ".
    value = static_cast<int>(base36 - 10 * (block / 26) + decimal + (lower ? block : 0));
    return true;
}

double time_of(std::string_view title) {
    const std::size_t at = title.rfind("t=");
    double time = 0.0;
    if (at == std::string_view::npos) return time;
    const std::string_view rest = title.substr(at + 2);
    const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
    const std::string_view number = rest.substr(begin, rest.find(' ', begin) - begin);
    return parse_number(number, time) == std::string_view::npos ? time : 0.0;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The element of columns 77 and 78; 0 where there is none.
int element_of(std::string_view line) {
    return element_from_symbol(without_blanks(columns(line, 77, 78)));
}

}  // namespace

void PdbFrames::refuse(std::size_t column, std::string what, std::string why, std::string remedy) const {
    throw_input_error({.code = "MD331",
                       .place = {file_, column > 0 ? lines_.number() : 0, static_cast<int>(column)},
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = std::move(remedy)});
}

bool PdbFrames::next(Structure* out) {
    if (out != nullptr) {
        out->x.clear();
        out->v.clear();
        if (labels_wanted()) out->labels.clear();
    }
    found_ = 0;
    alternate_ = ' ';
    residue_.clear();
    std::string_view line;
    bool complete = false;
    while (!complete && lines_.next(line)) complete = read_record(line, out);
    if (out != nullptr) {
        out->box = box_;
        out->title = title_;
        out->time = time_of(title_);
    }
    return found_ > 0;
}

void PdbFrames::rewind() {
    lines_.rewind();
    box_ = {};
    title_.clear();
    last_number_ = 0;
}

// True where the model has ended: at END, ENDMDL or the next MODEL.
bool PdbFrames::read_record(std::string_view line, Structure* out) {
    const std::string_view record = columns(line, 1, 6);
    if (record == "ATOM  " || record == "HETATM") {
        ++found_;
        if (out != nullptr) read_atom(line, *out);
    } else if (record == "CRYST1") {
        if (out != nullptr) read_cell(line);
    } else if (record.starts_with("END") || record.starts_with("MODEL")) {
        return found_ > 0;
    } else if (record == "CONECT") {
        check_conect(line);
    } else if (record.starts_with("TITLE") && columns(line, 9, 10).find_first_not_of(' ') == std::string_view::npos) {
        title_ = std::string(without_blanks(columns(line, 11, 80)));
    }
    return false;
}

Vec3d PdbFrames::read_position(std::string_view line) const {
    if (line.size() < 54) refuse(line.size() + 1, "the line ends before the coordinates do (columns 31 to 54)");
    Vec3d x;
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t first = 31 + 8 * static_cast<std::size_t>(axis);
        double value = 0.0;
        const std::string_view field = columns(line, first, first + 7);
        const std::size_t wrong = parse_number(field, value);
        if (wrong != std::string_view::npos) {
            const bool overflow = field.find('*') != std::string_view::npos;
            refuse(first + wrong,
                   fmt::format("the {} coordinate \"{}\" is not a number", "xyz"[axis], without_blanks(field)),
                   overflow ? "the number did not fit its columns: the coordinate is lost" : "");
        }
        x[axis] = value * 0.1;
    }
    return x;
}

void PdbFrames::read_atom(std::string_view line, Structure& out) {
    out.x.push_back(read_position(line));
    if (!labels_wanted()) return check_alternate(line);
    AtomLabel label;
    label.atom = std::string(without_blanks(columns(line, 13, 16)));
    label.residue = std::string(without_blanks(columns(line, 18, 21)));
    label.residue_number = read_residue_number(line);
    const std::string_view code = columns(line, 27, 27);
    if (!code.empty() && !is_digit(code[0])) label.insertion = code[0];
    label.chain = std::string(without_blanks(columns(line, 22, 22)));
    if (label.chain.empty()) label.chain = std::string(without_blanks(columns(line, 73, 76)));
    check_alternate(line);
    label.element = element_of(line);
    out.labels.push_back(std::move(label));
}

int PdbFrames::read_residue_number(std::string_view line) {
    std::string_view field = columns(line, 23, 26);
    // A digit is no insertion code: the number needed a fifth column.
    const std::string_view next = columns(line, 27, 27);
    const bool five = !next.empty() && is_digit(next[0]);
    if (five) field = columns(line, 23, 27);
    int number = last_number_;
    if (!hybrid36(field, five ? 5 : 4, number) && field.find_first_not_of(" *") != std::string_view::npos) {
        refuse(23, fmt::format("\"{}\" is not a residue number", without_blanks(field)));
    }
    return last_number_ = number;
}

void PdbFrames::check_alternate(std::string_view line) {
    const char here = line[16];
    const std::string_view residue = columns(line, 18, 27);
    if (residue != residue_) {
        alternate_ = ' ';
        residue_ = residue;
    }
    if (here == ' ' || here == alternate_) return;
    if (alternate_ == ' ') {
        alternate_ = here;
        return;
    }
    throw_input_error(
        {.code = "MD332",
         .place = {file_, lines_.number(), 17},
         .what = fmt::format("alternate locations {} and {} in residue {} {}", alternate_, here,
                             without_blanks(columns(line, 18, 21)), without_blanks(columns(line, 23, 27))),
         .why = "a simulation needs one position of every atom, and which one is not for the reader to choose",
         .remedy = "keep one location of each atom, with pdb4amber or by hand"});
}

void PdbFrames::read_cell(std::string_view line) {
    constexpr std::size_t first[] = {7, 16, 25, 34, 41, 48};
    double values[6] = {};
    for (int n = 0; n < 6; ++n) {
        const std::string_view field = columns(line, first[n], first[n] + (n < 3 ? 8 : 6));
        const std::size_t wrong = parse_number(field, values[n]);
        if (wrong != std::string_view::npos) {
            refuse(first[n] + wrong, fmt::format("CRYST1: \"{}\" is not a number", without_blanks(field)));
        }
    }
    box_ = cell_from_angstrom({values[0], values[1], values[2]}, {values[3], values[4], values[5]},
                              {file_, lines_.number(), 7});
}

// mdsim has no use for these bonds; but a line whose numbers ran over their columns says that others may have, too.
void PdbFrames::check_conect(std::string_view line) const {
    std::string_view numbers = line.substr(6);
    numbers = numbers.substr(0, numbers.find_last_not_of(" \t") + 1);
    for (std::size_t at = 0; at < numbers.size(); at += 5) {
        const std::string_view field = numbers.substr(at, 5);
        int number = 0;
        const bool blank = without_blanks(field).empty();
        const bool padded = field[0] == '0' && field.size() > 1;
        if (blank || (field.size() == 5 && !padded && hybrid36(field, 5, number))) continue;
        if (field.size() < 5 && numbers.find(' ') != std::string_view::npos) continue;
        refuse(7 + at, "CONECT: the atom numbers cannot be told apart",
               "each has five columns, and these have run over them", "remove the CONECT lines");
    }
}

Structure read_pdb(const std::filesystem::path& file) {
    PdbFrames frames(file);
    Structure structure;
    if (!frames.next(&structure)) {
        throw_input_error({.code = "MD331",
                           .place = {file.string(), 0, 0},
                           .what = "the file holds no atoms (no ATOM or HETATM record)",
                           .why = "a PDB file is needed here",
                           .remedy = {}});
    }
    while (frames.next(nullptr)) ++structure.frames;
    return structure;
}

}  // namespace mdsim
