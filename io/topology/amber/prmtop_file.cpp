// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber/prmtop_file.h"

#include <fmt/format.h>

#include "io/text/text_file.h"

namespace mdsim::amber {

namespace {

constexpr std::int64_t any_count = -1;

std::string_view without_trailing_blanks(std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t");
    return last == std::string_view::npos ? std::string_view{} : line.substr(0, last + 1);
}

/// "KEYWORD rest" -> rest.
std::string_view after_keyword(std::string_view line) {
    const std::size_t blank = line.find_first_of(" (");
    return blank == std::string_view::npos ? std::string_view{} : without_blanks(line.substr(blank));
}

/// The old format begins with a title and then nothing but integers of six columns.
bool looks_like_old_format(std::string_view text) {
    LineReader lines(text);
    std::string_view line;
    if (!lines.next(line) || !lines.next(line)) return false;
    line = without_trailing_blanks(line);
    if (line.size() < 60) return false;
    for (std::size_t at = 0; at + 6 <= line.size(); at += 6) {
        int value = 0;
        if (parse_number(line.substr(at, 6), value) != std::string_view::npos) return false;
    }
    return true;
}

}  // namespace

PrmtopFile::PrmtopFile(const std::filesystem::path& file) : file_(file.string()), text_(read_text_file(file, "MD200")) {
    check_start();
    split();
}

void PrmtopFile::refuse(const Place& where, std::string what, std::string why, std::string remedy) const {
    throw_input_error(
        {.code = "MD201", .place = where, .what = std::move(what), .why = std::move(why), .remedy = std::move(remedy)});
}

void PrmtopFile::check_start() const {
    LineReader lines(text_);
    std::string_view line;
    lines.next(line);
    if (line.starts_with("%VERSION") || line.starts_with("%FLAG") || line.starts_with("%COMMENT")) return;
    if (looks_like_old_format(text_)) {
        refuse({file_, 1, 0}, "this prmtop is in the old format of before AMBER 7, without %FLAG lines",
               "mdsim reads the format that every AMBER since 2004 writes",
               "convert it once: python3 -c \"import parmed; parmed.load_file('old.prmtop').save('new.prmtop')\"");
    }
    refuse({file_, 1, 1}, fmt::format("not an AMBER prmtop: its first line must begin with %VERSION or %FLAG, found "
                                      "\"{}\"",
                                      without_blanks(line.substr(0, 40))));
}

Section& PrmtopFile::open_section(std::string_view flag, int line) {
    const std::string name(after_keyword(flag));
    if (name.empty()) refuse({file_, line, 1}, "%FLAG without a name");
    if (sections_.contains(name)) refuse({file_, line, 1}, fmt::format("%FLAG {} is here for a second time", name));
    Section& section = sections_[name];
    section.flag_line = line;
    return section;
}

void PrmtopFile::read_format(Section& section, std::string_view line, int number) const {
    const auto fields = parse_format(after_keyword(line));
    if (!fields) {
        refuse({file_, number, 8}, fmt::format("no FORTRAN format that a prmtop can have: {}", after_keyword(line)));
    }
    section.fields = *fields;
    section.first_line = number + 1;
}

void PrmtopFile::split() {
    LineReader lines(text_);
    std::string_view line;
    Section* open = nullptr;
    const char* data = nullptr;
    const auto close = [&](const char* end) {
        if (open == nullptr) return;
        if (data == nullptr) refuse({file_, lines.number(), 0}, "a %FORMAT is due before this");
        open->data = {data, static_cast<std::size_t>(end - data)};
        data = nullptr;
    };
    while (lines.next(line)) {
        if (line.starts_with("%FLAG")) {
            close(line.data());
            open = &open_section(line, lines.number());
        } else if (line.starts_with("%FORMAT") && open != nullptr) {
            read_format(*open, line, lines.number());
            data = lines.rest().data();
        } else if (line.starts_with("%VERSION") || line.starts_with("%COMMENT")) {
            continue;
        } else if (line.starts_with('%') || (open == nullptr && !without_blanks(line).empty())) {
            refuse({file_, lines.number(), 1},
                   fmt::format("\"{}\" where a %FLAG is due", without_blanks(line.substr(0, 40))));
        }
    }
    if (open != nullptr) open->last = true;
    close(text_.data() + text_.size());
}

const Section& PrmtopFile::find(const std::string& section) const {
    const auto found = sections_.find(section);
    if (found != sections_.end()) return found->second;
    for (const auto& [name, other] : sections_) {
        if (!other.last) continue;
        refuse({file_, other.flag_line, 0},
               fmt::format("the file ends in section %FLAG {} after {} values, before section %FLAG {}", name,
                           count(name), section),
               "the file was cut off (truncated), or is no complete prmtop", "copy or write the file again");
    }
    refuse({file_, 0, 0}, fmt::format("section %FLAG {} is missing", section));
}

// Calls f(field text, place) for every value; a field of blanks at the end of a line is a value only where
// blank_counts.
template <class F>
std::int64_t PrmtopFile::for_each_field(const Section& section, bool blank_counts, F&& f) const {
    LineReader lines(section.data, section.first_line);
    std::string_view line;
    std::int64_t index = 0;
    while (lines.next(line)) {
        if (line.starts_with('%')) continue;
        const std::string_view content = without_trailing_blanks(line);
        const std::size_t end = blank_counts ? line.size() : content.size();
        // Numbers end where their columns do, but for a file that ends within one.
        const bool last_bytes = line.data() + line.size() == text_.data() + text_.size();
        std::size_t at = 0;
        for (const Field& field : section.fields) {
            if (at >= end) break;
            const std::size_t width = static_cast<std::size_t>(field.width);
            if (last_bytes && field.kind != 'a' && at + width > content.size()) {
                refuse({file_, lines.number(), static_cast<int>(at) + 1},
                       fmt::format("the file ends within the number \"{}\" of the section that begins in line {}",
                                   without_blanks(content.substr(at)), section.flag_line),
                       "it was cut off (truncated)", "copy or write the file again");
            }
            if (!f(line.substr(at, width), index, Place{file_, lines.number(), static_cast<int>(at) + 1})) {
                return index;
            }
            ++index;
            at += width;
        }
        if (at < content.size()) {
            refuse({file_, lines.number(), static_cast<int>(at) + 1},
                   fmt::format("the line is longer than its %FORMAT: \"{}\" is left over",
                               content.substr(at, std::size_t{40})));
        }
    }
    return index;
}

void PrmtopFile::refuse_extra(const std::string& name, std::int64_t count, const Place& where,
                              std::string_view text) const {
    refuse(where,
           fmt::format("section %FLAG {} holds more than the {} values that POINTERS announces: \"{}\" where a %FLAG "
                       "is due",
                       name, count, without_blanks(text)));
}

void PrmtopFile::require_count(const std::string& name, std::int64_t found, std::int64_t count, int line) const {
    if (found >= count) return;
    const Section& section = find(name);
    refuse({file_, line, 0},
           fmt::format("section %FLAG {} (line {}) ends after {} values, {} were expected", name, section.flag_line,
                       found, count),
           section.last ? "the file ends inside this section: it was cut off (truncated)" : "",
           section.last ? "copy or write the file again" : "compare with the counts in POINTERS");
}

void PrmtopFile::refuse_field(const std::string& name, const Place& where, std::string_view field,
                              std::size_t wrong) const {
    Place place = where;
    place.column += static_cast<int>(wrong);
    const std::string_view word = without_blanks(field);
    if (word.find('*') != std::string_view::npos) {
        refuse(place, fmt::format("section %FLAG {}: \"{}\" is a number that did not fit its columns", name, word));
    }
    refuse(place, fmt::format("section %FLAG {}: \"{}\" is not a number", name, word));
}

template <class T>
std::vector<T> PrmtopFile::numbers(const std::string& name, std::int64_t count) const {
    const Section& section = find(name);
    std::vector<T> values;
    // A line of ten columns a value is about what files have; the announced count alone is not to be trusted.
    values.reserve(section.data.size() / 8 + 1);
    int line = section.flag_line;
    for_each_field(section, false, [&](std::string_view field, std::int64_t index, const Place& where) {
        if (count != any_count && index >= count) refuse_extra(name, count, where, field);
        T value{};
        const std::size_t wrong = parse_number(field, value);
        if (wrong != std::string_view::npos) refuse_field(name, where, field, wrong);
        values.push_back(value);
        line = where.line;
        return true;
    });
    if (count != any_count) require_count(name, static_cast<std::int64_t>(values.size()), count, line);
    return values;
}

std::vector<int> PrmtopFile::integers(const std::string& section, std::int64_t count) const {
    return numbers<int>(section, count);
}

std::vector<int> PrmtopFile::integers(const std::string& section) const {
    return numbers<int>(section, any_count);
}

std::vector<double> PrmtopFile::reals(const std::string& section, std::int64_t count) const {
    return numbers<double>(section, count);
}

std::vector<std::string> PrmtopFile::words(const std::string& name, std::int64_t count) const {
    const Section& section = find(name);
    std::vector<std::string> values;
    int line = section.flag_line;
    for_each_field(section, true, [&](std::string_view field, std::int64_t index, const Place& where) {
        const std::string_view word = without_blanks(field);
        if (index >= count) {
            if (!word.empty()) refuse_extra(name, count, where, word);
            return true;
        }
        values.emplace_back(word);
        line = where.line;
        return true;
    });
    require_count(name, static_cast<std::int64_t>(values.size()), count, line);
    return values;
}

void PrmtopFile::require_values(const std::string& name, std::int64_t wanted) const {
    if (!has(name)) return;
    const Section& section = find(name);
    int line = section.flag_line;
    std::int64_t found = 0;
    for_each_field(section, section.fields.front().kind == 'a',
                   [&](std::string_view, std::int64_t, const Place& where) {
                       line = where.line;
                       ++found;
                       return true;
                   });
    require_count(name, found, wanted, line);
}

std::string PrmtopFile::line(const std::string& section) const {
    const auto found = sections_.find(section);
    if (found == sections_.end()) return {};
    LineReader lines(found->second.data);
    std::string_view line;
    return lines.next(line) ? std::string(without_blanks(line)) : std::string{};
}

std::int64_t PrmtopFile::count(const std::string& section) const {
    const auto found = sections_.find(section);
    if (found == sections_.end()) return 0;
    return for_each_field(found->second, false, [](std::string_view, std::int64_t, const Place&) { return true; });
}

Place PrmtopFile::place(const std::string& section, std::int64_t index) const {
    Place result = place(section);
    for_each_field(find(section), false, [&](std::string_view, std::int64_t at, const Place& where) {
        if (at == index) result = where;
        return at < index;
    });
    return result;
}

Place PrmtopFile::place(const std::string& section) const {
    const auto found = sections_.find(section);
    return {file_, found == sections_.end() ? 0 : found->second.flag_line, 0};
}

}  // namespace mdsim::amber
