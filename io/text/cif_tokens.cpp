// SPDX-License-Identifier: Apache-2.0
#include "io/text/cif_tokens.h"

#include <algorithm>

#include "core/error.h"

namespace mdsim {

namespace {

bool blank(char c) {
    return c == ' ' || c == '\t';
}

// CIF's own words may be in capitals.
bool begins_with(std::string_view word, std::string_view lower) {
    if (word.size() < lower.size()) return false;
    return std::equal(lower.begin(), lower.end(), word.begin(), [](char a, char b) {
        return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
    });
}

}  // namespace

CifTokens::CifTokens(const std::filesystem::path& file, std::string_view open_code, std::string syntax_code)
    : file_(file.string()), syntax_code_(std::move(syntax_code)), lines_(file, open_code) {}

void CifTokens::refuse(const char* what) const {
    throw_input_error({.code = syntax_code_,
                       .place = {file_, line(), column()},
                       .what = std::string("not a CIF file: ") + what,
                       .why = {},
                       .remedy = {}});
}

void CifTokens::rewind() {
    lines_.rewind();
    line_ = {};
    at_ = 0;
}

// False at the end of the file.
bool CifTokens::skip_blanks() {
    for (;;) {
        while (at_ < line_.size() && blank(line_[at_])) ++at_;
        if (at_ < line_.size() && line_[at_] != '#') return true;
        if (!lines_.next(line_)) {
            line_ = {};
            at_ = 0;
            return false;
        }
        at_ = 0;
    }
}

CifTokens::Kind CifTokens::next() {
    null_ = false;
    if (!skip_blanks()) return Kind::end;
    start_ = at_;
    const char first = line_[at_];
    if (first == ';' && at_ == 0) return text_field();
    if (first == '\'' || first == '"') return quoted(first);
    return word();
}

// The quote that ends it has a blank behind it.
CifTokens::Kind CifTokens::quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < line_.size() && !(line_[end] == quote && (end + 1 == line_.size() || blank(line_[end + 1])))) ++end;
    if (end >= line_.size()) refuse("the quotation that begins here does not end on its line");
    text_ = line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return Kind::value;
}

CifTokens::Kind CifTokens::text_field() {
    field_ = line_.substr(1);
    do {
        if (!lines_.next(line_)) {
            line_ = {};
            refuse("the file ends in a text of several lines");
        }
        if (!line_.starts_with(';')) (field_ += '\n') += line_;
    } while (!line_.starts_with(';'));
    at_ = 1;
    text_ = field_;
    return Kind::value;
}

CifTokens::Kind CifTokens::word() {
    std::size_t end = at_;
    while (end < line_.size() && !blank(line_[end])) ++end;
    text_ = line_.substr(at_, end - at_);
    at_ = end;
    const char first = text_[0];
    if (first == '_') return Kind::tag;
    null_ = text_ == "." || text_ == "?";
    if (begins_with(text_, "loop_") && text_.size() == 5) return Kind::loop;
    if (begins_with(text_, "save_")) return Kind::save;
    if (!begins_with(text_, "data_")) return Kind::value;
    text_.remove_prefix(5);
    return Kind::data;
}

}  // namespace mdsim
