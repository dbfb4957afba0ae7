// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/report.h"

#include <fmt/format.h>

namespace mdsim::gromacs {

namespace {
constexpr std::size_t most_problems = 20;
}

int Report::add_file(std::string name) {
    files_.push_back(std::move(name));
    return static_cast<int>(files_.size()) - 1;
}

std::string Report::describe(Origin origin) const {
    return fmt::format("{}:{}", file_name(origin.file), origin.line);
}

void Report::add(Origin origin, std::string code, std::string what, std::string why, std::string remedy) {
    if (problems_.size() >= most_problems) {
        ++left_out_;
        return;
    }
    problems_.add({.code = std::move(code),
                   .place = {file_name(origin.file), origin.line, 0},
                   .what = std::move(what),
                   .why = std::move(why),
                   .remedy = std::move(remedy)});
}

void Report::throw_if_any() {
    if (left_out_ > 0) {
        problems_.add({.code = "MD220",
                       .place = {file_name(0), 0, 0},
                       .what = fmt::format("and {} more problems like these", left_out_)});
        left_out_ = 0;
    }
    problems_.throw_if_any();
}

}  // namespace mdsim::gromacs
