// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"

#include <fmt/format.h>

namespace mdsim {

std::string to_text(const Problem& problem) {
    std::string text = fmt::format("error: [{}] ", problem.code);
    if (!problem.place.file.empty()) {
        text += problem.place.file;
        if (problem.place.line > 0) text += fmt::format(":{}", problem.place.line);
        if (problem.place.column > 0) text += fmt::format(":{}", problem.place.column);
        text += ": ";
    }
    text += problem.what;
    if (!problem.why.empty()) text += "\n    why: " + problem.why;
    text +=
        "\n    try: " +
        (problem.remedy.empty() ? fmt::format("mend this; docs/errors/{}.md says more", problem.code) : problem.remedy);
    return text;
}

Error::Error(ExitCode exit, std::vector<Problem> problems) : exit_(exit), problems_(std::move(problems)) {
    for (const Problem& problem : problems_) {
        if (!text_.empty()) text_ += '\n';
        text_ += to_text(problem);
    }
}

void throw_input_error(Problem problem) {
    throw Error(ExitCode::input_error, std::move(problem));
}

void throw_io_error(Problem problem) {
    throw Error(ExitCode::io_error, std::move(problem));
}

void Problems::throw_if_any() {
    if (!list_.empty()) throw Error(ExitCode::input_error, std::move(list_));
}

void fail_internal(std::string_view condition, const char* file, int line) {
    throw Error(ExitCode::internal_error, Problem{.code = "MD900",
                                                  .place = {file, line, 0},
                                                  .what = fmt::format("mdsim's own check failed: {}", condition),
                                                  .why = "this is an error in mdsim, not in your input",
                                                  .remedy = "please report it with the input and the log"});
}

}  // namespace mdsim
