// SPDX-License-Identifier: Apache-2.0
#include "system/selection/program.h"

#include <charconv>

#include "system/preparation/elements.h"
#include "system/selection/selection.h"

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

struct Keyword {
    std::string_view word;
    Op op;
};
constexpr Keyword keywords[] = {
    {"all", Op::all},         {"none", Op::none},   {"protein", Op::protein}, {"backbone", Op::backbone},
    {"water", Op::water},     {"ions", Op::ions},   {"name", Op::name},       {"resname", Op::resname},
    {"element", Op::element}, {"resid", Op::resid}, {"index", Op::index},     {"not", Op::op_not},
    {"and", Op::op_and},      {"or", Op::op_or},
};

const Keyword* find_keyword(const Token& token) {
    if (token.kind != Token::Kind::word) return nullptr;
    for (const Keyword& keyword : keywords) {
        if (keyword.word == token.text) return &keyword;
    }
    return nullptr;
}

constexpr char known_words[] =
    "the words are all, none, protein, backbone, water, ions, name, resname, element, resid, index, and, or, not";

/// Recursive descent over or, and, not, brackets.
class Parser {
  public:
    explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

    std::vector<Step> parse() {
        any();
        if (peek().kind == Token::Kind::close) throw SelectionError(peek().column, "this bracket was never opened", "");
        if (peek().kind != Token::Kind::end) {
            throw SelectionError(peek().column, "'" + peek().text + "' follows a complete selection",
                                 "join the two with 'and' or 'or'");
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
        const Keyword* keyword = find_keyword(peek());
        if (!keyword || keyword->op != op) return false;
        ++next_;
        return true;
    }
    void any() {
        both();
        while (take(Op::op_or)) {
            both();
            program_.push_back({Op::op_or});
        }
    }
    void both() {
        one();
        while (take(Op::op_and)) {
            one();
            program_.push_back({Op::op_and});
        }
    }
    void one() {
        if (++depth_ > deepest_nesting) throw SelectionError(peek().column, "the selection is nested too deeply", "");
        if (take(Op::op_not)) {
            one();
            program_.push_back({Op::op_not});
        } else if (peek().kind == Token::Kind::open) {
            const std::size_t column = peek().column;
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
    void read_words(Step& step);
    void read_spans(Step& step);
    std::int64_t number(std::string_view text, const Token& token) const;
    Span span(const Token& token) const;
};

void Parser::leaf() {
    const Token token = peek();
    if (token.kind == Token::Kind::end) {
        throw SelectionError(token.column, next_ == 0 ? "the selection is empty" : "the selection ends too early",
                             known_words);
    }
    const Keyword* keyword = find_keyword(token);
    if (!keyword || keyword->op == Op::op_and || keyword->op == Op::op_or) {
        throw SelectionError(token.column, "'" + token.text + "' is not expected here", known_words);
    }
    ++next_;
    Step step{keyword->op};
    switch (keyword->op) {
        case Op::name:
        case Op::resname:
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

void Parser::read_words(Step& step) {
    const std::string keyword = tokens_[next_ - 1].text;
    for (; !find_keyword(peek()) && (peek().kind == Token::Kind::word || peek().kind == Token::Kind::quoted); ++next_) {
        if (step.op == Op::element && element_from_symbol(peek().text) == 0) {
            throw SelectionError(peek().column, "'" + peek().text + "' is not a chemical symbol", "element H C N");
        }
        step.words.push_back(peek().text);
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
    while (peek().kind == Token::Kind::word && !find_keyword(peek())) {
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
