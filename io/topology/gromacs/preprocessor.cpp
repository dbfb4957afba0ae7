// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/preprocessor.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "io/topology/gromacs/fields.h"

namespace mdsim::gromacs {

namespace fs = std::filesystem;

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

[[noreturn]] void refuse(std::string file, int line, std::string code, std::string what, std::string why,
                         std::string remedy) {
    throw_input_error({.code = std::move(code),
                       .place = {std::move(file), line, 0},
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = std::move(remedy)});
}

std::string read_all(const fs::path& path) {
    std::error_code error;
    const bool folder = fs::is_directory(path, error);
    std::ifstream in(path, std::ios::binary);
    if (!in || folder) {
        refuse(path.string(), 0, "MD221", folder ? "this is a folder, not a topology" : "the file cannot be opened", "",
               "check the name and the right to read it");
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Refuses what is no text at all or a page of a web server, before hundreds of lines are found strange.
void check_is_topology(const std::string& text, const std::string& file) {
    const std::size_t nul = text.find('\0');
    if (nul != std::string::npos) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
        refuse(file, static_cast<int>(line), "MD221", "this is not a text file: it holds a NUL byte",
               "a GROMACS topology is plain text", "use the .top, not a .tpr; save the text as UTF-8");
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '<') return;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n');
    refuse(file, static_cast<int>(line), "MD221", "this is an HTML or XML page, not a GROMACS topology",
           fmt::format("it begins with \"{}\"", text.substr(first, std::min<std::size_t>(text.find('\n', first), 40))),
           "download the file again");
}

/// The data folders of an installed GROMACS: by its environment, then where packages put them.
std::vector<fs::path> data_folders() {
    std::vector<fs::path> out;
    for (const char* name : {"GMXLIB", "GMXDATA"}) {
        const char* value = std::getenv(name);
        std::string_view rest = value != nullptr ? value : "";
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(':'), rest.size());
            const fs::path folder(rest.substr(0, end));
            if (!folder.empty()) out.push_back(std::string_view(name) == "GMXDATA" ? folder / "top" : folder);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    out.emplace_back("/usr/share/gromacs/top");
    out.emplace_back("/usr/local/gromacs/share/gromacs/top");
    return out;
}

}  // namespace

Preprocessor::Preprocessor(const fs::path& top, const GromacsOptions& options, Report& report)
    : report_(report), include_path_(options.include_path) {
    for (std::string_view macro : options.define) {
        if (macro.starts_with("-D")) macro.remove_prefix(2);
        const std::size_t equals = std::min(macro.find('='), macro.size());
        const std::string value(macro.substr(std::min(equals + 1, macro.size())));
        macros_[std::string(macro.substr(0, equals))] = value;
        has_values_ = has_values_ || !value.empty();
    }
    open(top, std::nullopt);
}

void Preprocessor::open(const fs::path& path, std::optional<Origin> from) {
    const std::string name = path.string();
    for (const File& file : files_) {
        std::error_code error;
        if (!fs::equivalent(file.path, path, error)) continue;
        refuse(report_.file_name(from->file), from->line, "MD222", fmt::format("#include \"{}\" never ends", name),
               "the file is being read already: it includes itself, perhaps through another one",
               "guard the file with #ifndef, or take the line out");
    }
    File file{.path = path, .text = read_all(path), .number = report_.add_file(name)};
    if (file.text.starts_with("\xEF\xBB\xBF")) file.text.erase(0, 3);  // the mark of UTF-8
    check_is_topology(file.text, name);
    files_.push_back(std::move(file));
}

void Preprocessor::close_file() {
    while (!conditions_.empty() && conditions_.back().depth == files_.size()) {
        const Condition& open = conditions_.back();
        report_.add(
            open.origin, "MD222",
            fmt::format("{} opened at line {} is not closed at the end of the file", open.text, open.origin.line), "",
            "add the missing #endif");
        conditions_.pop_back();
    }
    files_.pop_back();
}

void Preprocessor::read_joined(std::string& text, Origin& origin) {
    text.clear();
    File& file = files_.back();
    bool more = true;
    for (bool first = true; more && file.position < file.text.size(); first = false) {
        const std::size_t end = std::min(file.text.find('\n', file.position), file.text.size());
        std::string_view piece(file.text.data() + file.position, end - file.position);
        file.position = end + 1;
        ++file.line;
        if (first) origin = {file.number, file.line};
        piece = piece.substr(0, piece.find_last_not_of(" \t\r") + 1);
        more = piece.ends_with('\\');
        if (more) piece.remove_suffix(1);
        text += piece;
        if (more) text += ' ';
    }
}

bool Preprocessor::next(Line& line) {
    std::string raw;
    while (!files_.empty()) {
        if (files_.back().position >= files_.back().text.size()) {
            close_file();
            continue;
        }
        read_joined(raw, line.origin);
        const std::string_view text = trim(std::string_view(raw).substr(0, raw.find(';')));
        if (text.empty()) continue;
        if (text.front() == '#') {
            directive(trim(text.substr(1)), line.origin);
            continue;
        }
        if (!taken()) continue;
        const bool plain = !has_values_ || text.front() == '[';
        line.text = plain ? std::string(text) : std::string(trim(expand(text, line.origin, 0)));
        if (!line.text.empty()) return true;
    }
    return false;
}

void Preprocessor::directive(std::string_view text, Origin origin) {
    std::size_t length = 0;
    while (length < text.size() && is_word(text[length])) ++length;
    const std::string_view word = text.substr(0, length);
    const std::string_view argument = trim(text.substr(length));
    if (word == "ifdef" || word == "ifndef" || word == "else" || word == "endif") {
        condition(word, argument, origin);
    } else if (!taken()) {
        return;
    } else if (word == "include") {
        include(argument, origin);
    } else if (word == "define") {
        define(argument, origin);
    } else if (word == "undef") {
        macros_.erase(std::string(argument));
    } else if (word == "error") {
        report_.add(origin, "MD222", fmt::format("#error {}", argument), "the topology itself stops here");
    } else {
        report_.add(origin, "MD222", fmt::format("#{} is not a directive of GROMACS' preprocessor", word),
                    "known are #include, #define, #undef, #ifdef, #ifndef, #else, #endif and #error");
    }
}

void Preprocessor::condition(std::string_view word, std::string_view argument, Origin origin) {
    if (word == "ifdef" || word == "ifndef") {
        const auto names = split(argument);
        if (names.size() != 1) {
            report_.add(origin, "MD222", fmt::format("#{} needs one name", word));
        }
        const bool known = !names.empty() && defined(names.front());
        conditions_.push_back({.text = fmt::format("#{} {}", word, argument),
                               .origin = origin,
                               .depth = files_.size(),
                               .outer_taken = taken(),
                               .taken = known == (word == "ifdef")});
        return;
    }
    if (conditions_.empty() || conditions_.back().depth != files_.size()) {
        report_.add(origin, "MD222", fmt::format("#{} without #ifdef or #ifndef in this file", word));
        return;
    }
    Condition& open = conditions_.back();
    if (word == "endif") {
        conditions_.pop_back();
    } else if (open.has_else) {
        report_.add(origin, "MD222", fmt::format("a second #else for {} (line {})", open.text, open.origin.line));
    } else {
        open.has_else = true;
        open.taken = !open.taken;
    }
}

void Preprocessor::define(std::string_view argument, Origin origin) {
    const std::size_t end = std::min(argument.find_first_of(" \t"), argument.size());
    const std::string_view name = argument.substr(0, end);
    if (name.empty()) {
        report_.add(origin, "MD222", "#define without a name");
        return;
    }
    const std::string_view value = trim(argument.substr(end));
    has_values_ = has_values_ || !value.empty();
    macros_[std::string(name)] = std::string(value);
}

std::vector<fs::path> Preprocessor::folders() const {
    std::vector<fs::path> out{files_.back().path.parent_path()};
    out.insert(out.end(), include_path_.begin(), include_path_.end());
    out.push_back(files_.front().path.parent_path());
    const auto data = data_folders();
    out.insert(out.end(), data.begin(), data.end());
    return out;
}

void Preprocessor::include(std::string_view argument, Origin origin) {
    const bool quoted = argument.size() > 2 && ((argument.front() == '"' && argument.back() == '"') ||
                                                (argument.front() == '<' && argument.back() == '>'));
    if (!quoted) {
        report_.add(origin, "MD222", fmt::format("#include needs a file name in quotes, not {}", argument));
        return;
    }
    const fs::path name(argument.substr(1, argument.size() - 2));
    std::string searched;
    for (const fs::path& folder : folders()) {
        const fs::path candidate = folder / name;
        std::error_code error;
        if (fs::exists(candidate, error)) {
            open(candidate, origin);
            return;
        }
        const std::string shown = folder.empty() ? "." : folder.string();
        if (searched.find(" " + shown + ",") == std::string::npos) searched += " " + shown + ",";
    }
    if (!searched.empty()) searched.pop_back();
    report_.add(origin, "MD222", fmt::format("#include {}: file not found", argument), "searched in" + searched,
                "give its folder with system.include_path or the environment variable GMXLIB");
    // What the file would have defined is missing from here on: every further message would be about that.
    report_.throw_if_any();
}

std::string Preprocessor::expand(std::string_view text, Origin origin, int depth) const {
    constexpr int deepest = 20;
    if (depth > deepest) {
        report_.add(origin, "MD222", fmt::format("the macros in \"{}\" refer to each other without end", text));
        return std::string(text);
    }
    std::string out;
    std::size_t position = 0;
    while (position < text.size()) {
        std::size_t end = position;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == position) {
            out += text[position++];
            continue;
        }
        const std::string word(text.substr(position, end - position));
        const auto found = macros_.find(word);
        // A macro without a value only answers #ifdef, as in GROMACS.
        const bool replace = found != macros_.end() && !found->second.empty() && found->second != word;
        out += replace ? expand(found->second, origin, depth + 1) : word;
        position = end;
    }
    return out;
}

}  // namespace mdsim::gromacs
