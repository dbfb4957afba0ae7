// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/statements.h"

#include <algorithm>
#include <utility>

#include "io/text/text_file.h"

namespace mdsim::charmm {

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return out;
}

void Statements::refuse(const Place& where, std::string what, std::string why, std::string remedy) {
    throw_input_error({.code = "MD233",
                       .place = where,
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = remedy.empty() ? "correct the line, or use a whole copy of the file" : remedy});
}

void Statements::refuse_feature(const Place& where, std::string what, std::string why, std::string remedy) {
    throw_input_error(
        {.code = "MD235", .place = where, .what = std::move(what), .why = std::move(why), .remedy = std::move(remedy)});
}

// True where the statement goes on in the next line.
bool Statements::add_words(std::string_view line, Statement& out) const {
    std::string_view text = line.substr(0, line.find('!'));
    const std::size_t last = text.find_last_not_of(" \t");
    const bool goes_on = last != std::string_view::npos && text[last] == '-';
    if (goes_on) text = text.substr(0, last);
    for (std::size_t at = text.find_first_not_of(" \t"); at != std::string_view::npos;
         at = text.find_first_not_of(" \t", at)) {
        const std::size_t end = std::min(text.find_first_of(" \t", at), text.size());
        out.words.emplace_back(text.substr(at, end - at));
        out.upper.push_back(upper(out.words.back()));
        out.places.push_back({file_, lines_.number(), static_cast<int>(at) + 1});
        at = end;
    }
    return goes_on;
}

bool Statements::next(Statement& out) {
    out = {};
    std::string_view line;
    while (lines_.next(line)) {
        const std::string_view text = without_blanks(line);
        if (in_title_ && text.starts_with('*')) continue;
        if (out.words.empty()) out.line = lines_.number();
        if (add_words(line, out)) {
            if (lines_.only_blanks_left())
                refuse({file_, lines_.number(), static_cast<int>(line.size())},
                       "the file ends after a line that goes on", "the line ends in \"-\", so that another is due");
            continue;
        }
        if (out.words.empty()) continue;
        in_title_ = false;
        return true;
    }
    return !out.words.empty();
}

}  // namespace mdsim::charmm
