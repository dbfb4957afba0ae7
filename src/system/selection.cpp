// SPDX-License-Identifier: Apache-2.0
#include "system/selection.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "system/elements.h"
#include "system/residue_names.h"

namespace mdsim {

namespace {

enum class Op {
    all,
    none,
    protein,
    backbone,
    water,
    ions,
    name,
    resname,
    element,
    resid,
    index,
    op_not,
    op_and,
    op_or
};

struct Span {
    std::int64_t first, last;
};

/// One step of a program in postfix order: leaves push a truth value, operators combine those on the stack.
struct Step {
    Op op;
    std::vector<std::string> words{};
    std::vector<Span> spans{};
};

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

/// * stands for any letters, ? for one.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(p, text); });
}

bool in_spans(const std::vector<Span>& spans, std::int64_t value) {
    return std::any_of(spans.begin(), spans.end(), [&](const Span& s) { return value >= s.first && value <= s.last; });
}

bool is_backbone_name(std::string_view name) {
    return name == "N" || name == "CA" || name == "C" || name == "O";
}

bool is_water_molecule(const MoleculeType& type) {
    if (type.size() != 3) return false;
    const auto count = [&](int element) {
        return std::count_if(type.atoms.begin(), type.atoms.end(), [&](const Atom& a) { return a.element == element; });
    };
    return count(8) == 1 && count(1) == 2;
}

/// A selection's program evaluated on one molecule type after the other.
class Evaluator {
  public:
    Evaluator(const std::vector<Step>& program, const Topology& topology);
    std::vector<AtomId> selected();

  private:
    using Mask = std::vector<char>;

    const std::vector<Step>& program_;
    const Topology& topology_;
    bool per_copy_ = false;                         ///< resid or index: differs between copies of a molecule
    std::vector<std::vector<Mask>> leaves_;         ///< by type and step; empty masks where a leaf is per copy
    std::vector<Mask> whole_;                       ///< by type: the result, where no leaf is per copy
    std::vector<std::int64_t> first_residue_seen_;  ///< by type: number of residues before its first copy, -1 before

    Mask leaf_mask(const Step& step, const MoleculeType& type) const;
    bool leaf_value(const Step& step, const MoleculeType& type, std::size_t atom) const;
    bool evaluate(int type, std::size_t atom, std::int64_t index, std::int64_t residue_shift, Mask& stack) const;
};

Evaluator::Evaluator(const std::vector<Step>& program, const Topology& topology)
    : program_(program), topology_(topology) {
    for (const Step& step : program_) per_copy_ = per_copy_ || step.op == Op::resid || step.op == Op::index;
    first_residue_seen_.assign(topology.types.size(), -1);
    Mask stack;
    for (std::size_t t = 0; t < topology.types.size(); ++t) {
        const MoleculeType& type = topology.types[t];
        std::vector<Mask> masks;
        for (const Step& step : program_) masks.push_back(leaf_mask(step, type));
        leaves_.push_back(std::move(masks));
        whole_.emplace_back();
        if (per_copy_) continue;
        for (std::size_t a = 0; a < type.atoms.size(); ++a) {
            whole_[t].push_back(evaluate(static_cast<int>(t), a, 0, 0, stack) ? 1 : 0);
        }
    }
}

Evaluator::Mask Evaluator::leaf_mask(const Step& step, const MoleculeType& type) const {
    switch (step.op) {
        case Op::resid:
        case Op::index:
        case Op::op_not:
        case Op::op_and:
        case Op::op_or:
            return {};
        default:
            break;
    }
    Mask mask(type.atoms.size());
    for (std::size_t a = 0; a < mask.size(); ++a) mask[a] = leaf_value(step, type, a) ? 1 : 0;
    return mask;
}

bool Evaluator::leaf_value(const Step& step, const MoleculeType& type, std::size_t atom) const {
    const Atom& a = type.atoms[atom];
    const std::string& residue = type.residues[static_cast<std::size_t>(a.residue)].name;
    switch (step.op) {
        case Op::all:
            return true;
        case Op::protein:
            return is_protein_residue(residue);
        case Op::backbone:
            return is_backbone_name(a.name) && is_protein_residue(residue);
        case Op::water:
            return is_water_residue(residue) || is_water_molecule(type);
        case Op::ions:
            return a.charge != 0.0 && std::count_if(type.atoms.begin(), type.atoms.end(),
                                                    [&](const Atom& other) { return other.residue == a.residue; }) == 1;
        case Op::name:
            return any_matches(step.words, a.name);
        case Op::resname:
            return any_matches(step.words, residue);
        case Op::element:
            return std::any_of(step.words.begin(), step.words.end(),
                               [&](const std::string& symbol) { return element_from_symbol(symbol) == a.element; });
        default:
            return false;
    }
}

bool Evaluator::evaluate(int type, std::size_t atom, std::int64_t index, std::int64_t residue_shift,
                         Mask& stack) const {
    const std::vector<Mask>& masks = leaves_[static_cast<std::size_t>(type)];
    const MoleculeType& molecule = topology_.types[static_cast<std::size_t>(type)];
    stack.clear();
    for (std::size_t s = 0; s < program_.size(); ++s) {
        const Step& step = program_[s];
        if (step.op == Op::op_not) {
            stack.back() = stack.back() ? 0 : 1;
        } else if (step.op == Op::op_and || step.op == Op::op_or) {
            const char right = stack.back();
            stack.pop_back();
            stack.back() = step.op == Op::op_and ? (stack.back() & right) : (stack.back() | right);
        } else if (step.op == Op::index) {
            stack.push_back(in_spans(step.spans, index) ? 1 : 0);
        } else if (step.op == Op::resid) {
            const auto residue = static_cast<std::size_t>(molecule.atoms[atom].residue);
            stack.push_back(in_spans(step.spans, molecule.residues[residue].number + residue_shift) ? 1 : 0);
        } else {
            stack.push_back(masks[s][atom]);
        }
    }
    return stack.back() != 0;
}

std::vector<AtomId> Evaluator::selected() {
    std::vector<AtomId> atoms;
    Mask stack;
    std::int64_t first = 0, residues = 0;
    for (const MoleculeBlock& block : topology_.blocks) {
        const auto t = static_cast<std::size_t>(block.type);
        const MoleculeType& type = topology_.types[t];
        const auto count = static_cast<std::int64_t>(type.residues.size());
        if (first_residue_seen_[t] < 0) first_residue_seen_[t] = residues;
        for (std::int64_t copy = 0; copy < block.count; ++copy, first += type.size(), residues += count) {
            for (std::size_t a = 0; a < type.atoms.size(); ++a) {
                const std::int64_t id = first + static_cast<std::int64_t>(a);
                const bool chosen = per_copy_
                                        ? evaluate(block.type, a, id + 1, residues - first_residue_seen_[t], stack)
                                        : whole_[t][a] != 0;
                if (chosen) atoms.push_back(AtomId{id});
            }
        }
    }
    return atoms;
}

}  // namespace

std::vector<AtomId> select(std::string_view text, const Topology& topology) {
    const std::vector<Step> program = Parser(text).parse();
    return Evaluator(program, topology).selected();
}

void check_selection(std::string_view text) {
    Parser(text).parse();
}

}  // namespace mdsim
