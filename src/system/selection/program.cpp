// SPDX-License-Identifier: Apache-2.0
#include "system/selection/program.h"

#include <charconv>
#include <cmath>
#include <string>

#include "system/preparation/elements.h"
#include "system/selection/selection.h"
#include "system/selection/words.h"

namespace mdsim::selection {

namespace {

struct Token {
    enum class Kind { word, quoted, open, close, end };
    Kind kind;
    std::string text;
    std::size_t column;
};

/// Deeper than anyone writes by hand; keeps the parser's recursion bounded.
constexpr int deepest_nesting = 200;

bool is_separator(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        const std::size_t column = at + 1;
        if (is_separator(c)) {
            ++at;
        } else if (c == '(' || c == ')') {
            tokens.push_back({c == '(' ? Token::Kind::open : Token::Kind::close, std::string(1, c), column});
            ++at;
        } else if (c == '\'' || c == '"') {
            const std::size_t end = text.find(c, at + 1);
            if (end == std::string_view::npos) throw SelectionError(column, "the quote is not closed", "");
            tokens.push_back({Token::Kind::quoted, std::string(text.substr(at + 1, end - at - 1)), column});
            at = end + 1;
        } else {
            std::size_t end = at;
            while (end < text.size() && !is_separator(text[end]) && text[end] != '(' && text[end] != ')') ++end;
            tokens.push_back({Token::Kind::word, std::string(text.substr(at, end - at)), column});
            at = end;
        }
    }
    tokens.push_back({Token::Kind::end, "", text.size() + 1});
    return tokens;
}

const Keyword* keyword_of(const Token& token) {
    return token.kind == Token::Kind::word ? find_keyword(token.text) : nullptr;
}

/// Lengths in nm. (The language has this one kind of quantity; io/ has the table of all.)
struct LengthUnit {
    std::string_view name;
    double nm;
};
constexpr LengthUnit length_units[] = {{"nm", 1.0}, {"A", 0.1}, {"um", 1000.0}};

/// Recursive descent over or, and, not, brackets.
class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

    std::vector<Step> parse() {
        any();
        if (peek().kind == Token::Kind::close) throw SelectionError(peek().column, "this bracket was never opened", "");
        if (peek().kind != Token::Kind::end) {
            const bool known = keyword_of(peek()) || peek().kind != Token::Kind::word;
            throw SelectionError(peek().column, "'" + peek().text + "' follows a complete selection",
                                 known ? "join the two with 'and' or 'or'" : remedy_for(peek().text));
        }
        return std::move(program_);
    }

  private:
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
    std::vector<Step> program_;

    const Token& peek() const { return tokens_[next_]; }
    bool take(Op op) {
        const Keyword* keyword = keyword_of(peek());
        if (!keyword || keyword->op != op) return false;
        ++next_;
        return true;
    }
    void any() {
        both();
        while (take(Op::op_or)) {
            both();
            program_.push_back({.op = Op::op_or});
        }
    }
    void both() {
        one();
        while (take(Op::op_and)) {
            one();
            program_.push_back({.op = Op::op_and});
        }
    }
    void one() {
        if (++depth_ > deepest_nesting) throw SelectionError(peek().column, "the selection is nested too deeply", "");
        const std::size_t column = peek().column;
        if (take(Op::op_not)) {
            one();
            program_.push_back({.op = Op::op_not});
        } else if (take(Op::within)) {
            const double distance = this->distance();
            require_word("of", "within 0.5 nm of protein");
            one();
            program_.push_back({.op = Op::within, .column = column, .distance = distance});
        } else if (take(Op::same_residue)) {
            const Op op = kind_of_same();
            require_word("as", "same residue as (within 0.5 nm of protein)");
            one();
            program_.push_back({.op = op, .column = column});
        } else if (peek().kind == Token::Kind::open) {
            ++next_;
            any();
            if (peek().kind != Token::Kind::close) throw SelectionError(column, "this bracket is not closed", "");
            ++next_;
        } else {
            leaf();
        }
        --depth_;
    }
    void leaf();
    double distance();
    Op kind_of_same();
    void require_word(std::string_view word, const std::string& example);
    void read_words(Step& step);
    void read_spans(Step& step);
    std::int64_t number(std::string_view text, const Token& token) const;
    Span span(const Token& token) const;
};

void Parser::leaf() {
    const Token token = peek();
    if (token.kind == Token::Kind::end) {
        throw SelectionError(token.column, next_ == 0 ? "the selection is empty" : "the selection ends too early",
                             known_words());
    }
    const Keyword* keyword = keyword_of(token);
    if (!keyword) {
        throw SelectionError(token.column, "'" + token.text + "' is not a word of selections", remedy_for(token.text));
    }
    if (keyword->op == Op::op_and || keyword->op == Op::op_or)
        throw SelectionError(token.column, "'" + token.text + "' has nothing before it",
                             "protein " + token.text + " water");
    ++next_;
    Step step{.op = keyword->op, .column = token.column};
    switch (keyword->op) {
        case Op::name:
        case Op::resname:
        case Op::chain:
        case Op::molecule:
        case Op::element:
            read_words(step);
            break;
        case Op::resid:
        case Op::index:
            read_spans(step);
            break;
        default:
            break;
    }
    program_.push_back(std::move(step));
}

// "0.5 nm", "0.5nm" or "5 A".
double Parser::distance() {
    const std::string example = "within 0.5 nm of protein";
    const Token token = peek();
    if (token.kind != Token::Kind::word)
        throw SelectionError(token.column, "'within' needs a distance after it", example);
    ++next_;
    double value = 0.0;
    const char* const text_end = token.text.data() + token.text.size();
    const auto [end, error] = std::from_chars(token.text.data(), text_end, value);
    if (error != std::errc{} || !std::isfinite(value) || value <= 0.0)
        throw SelectionError(token.column, "'" + token.text + "' is not a distance above zero", example);
    std::string unit(end, text_end);
    std::size_t column = token.column + static_cast<std::size_t>(end - token.text.data());
    if (unit.empty() && peek().kind == Token::Kind::word && peek().text != "of") {
        unit = peek().text;
        column = peek().column;
        ++next_;
    }
    for (const LengthUnit& known : length_units) {
        if (known.name == unit) return value * known.nm;
    }
    if (unit.empty())
        throw SelectionError(token.column, "the distance " + token.text + " has no unit",
                             "within " + token.text + " nm of ...");
    throw SelectionError(column, "'" + unit + "' is not a unit of length", "nm, A or um");
}

Op Parser::kind_of_same() {
    const Token token = peek();
    if (token.kind == Token::Kind::word && (token.text == "residue" || token.text == "molecule")) {
        ++next_;
        return token.text == "residue" ? Op::same_residue : Op::same_molecule;
    }
    throw SelectionError(token.column, "'same' needs 'residue as' or 'molecule as' after it",
                         "same residue as (within 0.5 nm of protein)");
}

void Parser::require_word(std::string_view word, const std::string& example) {
    if (peek().kind != Token::Kind::word || peek().text != word)
        throw SelectionError(peek().column, "'" + std::string(word) + "' is missing here", example);
    ++next_;
}

void Parser::read_words(Step& step) {
    const std::string keyword = tokens_[next_ - 1].text;
    for (; !keyword_of(peek()) && (peek().kind == Token::Kind::word || peek().kind == Token::Kind::quoted); ++next_) {
        if (step.op == Op::element && element_from_symbol(peek().text) == 0) {
            throw SelectionError(peek().column, "'" + peek().text + "' is not a chemical symbol", "element H C N");
        }
        step.words.push_back({peek().text, peek().column});
    }
    if (step.words.empty())
        throw SelectionError(peek().column, "'" + keyword + "' needs names after it", keyword + " CA CB");
}

std::int64_t Parser::number(std::string_view text, const Token& token) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // Far from the ends of the range, so that sums with offsets cannot overflow.
    if (error != std::errc{} || end != text.data() + text.size() || value > (std::int64_t{1} << 60) ||
        value < -(std::int64_t{1} << 60)) {
        throw SelectionError(token.column, "'" + token.text + "' is not a number or range", "5, 1-10 or 1 to 10");
    }
    return value;
}

Span Parser::span(const Token& token) const {
    const std::string_view text = token.text;
    // A minus at the front is a sign.
    const std::size_t dash = text.find_first_of("-:", 1);
    if (dash == std::string_view::npos) {
        const std::int64_t value = number(text, token);
        return {value, value};
    }
    return {number(text.substr(0, dash), token), number(text.substr(dash + 1), token)};
}

void Parser::read_spans(Step& step) {
    const std::string keyword = tokens_[next_ - 1].text;
    while (peek().kind == Token::Kind::word && !keyword_of(peek())) {
        const Token token = peek();
        ++next_;
        Span range = span(token);
        if (peek().kind == Token::Kind::word && peek().text == "to") {
            ++next_;
            if (peek().kind != Token::Kind::word)
                throw SelectionError(peek().column, "'to' needs a number after it", "1 to 10");
            range.last = number(peek().text, peek());
            ++next_;
        }
        if (range.last < range.first)
            throw SelectionError(token.column, "the range runs backwards", "smaller number first");
        step.spans.push_back(range);
    }
    if (step.spans.empty())
        throw SelectionError(peek().column, "'" + keyword + "' needs numbers after it", keyword + " 1-10");
}

}  // namespace

std::vector<Step> parse(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace mdsim::selection
