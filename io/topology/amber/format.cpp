// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber/format.h"

#include <cctype>

namespace mdsim::amber {

namespace {

constexpr int largest_number = 1000;  // of repeats and widths: beyond it a format is nonsense

/// Recursive descent over: list = item {"," item}; item = [repeat] ("(" list ")" | letter width ["." digits]).
class FormatParser {
  public:
    explicit FormatParser(std::string_view text) : text_(text) {}

    bool list(std::vector<Field>& fields) {
        do {
            if (!item(fields)) return false;
        } while (take(','));
        return true;
    }
    bool take(char wanted) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

  private:
    bool item(std::vector<Field>& fields) {
        const int repeat = number(1);
        std::vector<Field> once;
        if (take('(')) {
            if (!list(once) || !take(')')) return false;
        } else if (!field(once)) {
            return false;
        }
        if (repeat < 1 || static_cast<int>(fields.size() + once.size()) * repeat > largest_number) return false;
        for (int n = 0; n < repeat; ++n) fields.insert(fields.end(), once.begin(), once.end());
        return true;
    }
    bool field(std::vector<Field>& once) {
        if (at_end()) return false;
        const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_++])));
        const int width = number(0);
        if (take('.')) number(0);
        if (width < 1) return false;
        const bool real = letter == 'e' || letter == 'd' || letter == 'f' || letter == 'g';
        if (!real && letter != 'a' && letter != 'i') return false;
        once.push_back({real ? 'f' : letter, width});
        return true;
    }
    int number(int otherwise) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] > '9') return otherwise;
        int value = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            value = value * 10 + (text_[at_] - '0');
            if (value > largest_number) return 0;
        }
        return value;
    }
    void skip_blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<Field>> parse_format(std::string_view format) {
    FormatParser parser(format);
    std::vector<Field> fields;
    if (!parser.take('(') || !parser.list(fields) || !parser.take(')') || !parser.at_end()) return std::nullopt;
    return fields;
}

}  // namespace mdsim::amber
