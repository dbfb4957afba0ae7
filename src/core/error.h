// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim {

/// What the program returns to the shell (README, "Exit codes").
enum class ExitCode : int {
    finished = 0,
    internal_error = 1,
    input_error = 2,
    unstable = 3,
    io_error = 74,
    stopped = 75,
};

/// Where a problem is. line and column count from 1; 0 where there is none.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
};

/// One thing that is wrong, in the form in which a user reads it.
/// Codes: MD1xx input file, MD2xx topology, MD3xx structure and trajectory files, MD4xx set-up of the physics,
/// MD5xx physics while running, MD6xx input/output while running, MD7xx GPUs, MD8xx ranks and batch jobs, MD9xx mdsim
/// itself (docs/errors/).
struct Problem {
    std::string code;    ///< "MD101"
    Place place;         ///< may be empty
    std::string what;    ///< what is wrong
    std::string why;     ///< why it matters, may be empty
    std::string remedy;  ///< what to try, may be empty
};

/// error: [MDnnn] FILE:LINE:COLUMN: what, then indented lines "why:" and "try:".
std::string to_text(const Problem& problem);

/// An end of the program with one or more problems that a user can read and mend.
class Error : public std::exception {
  public:
    Error(ExitCode exit, std::vector<Problem> problems);
    Error(ExitCode exit, Problem problem) : Error(exit, std::vector<Problem>{std::move(problem)}) {}

    ExitCode exit_code() const { return exit_; }
    const std::vector<Problem>& problems() const { return problems_; }
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    ExitCode exit_;
    std::vector<Problem> problems_;
    std::string text_;
};

/// Shorthands for the two commonest ends.
[[noreturn]] void throw_input_error(Problem problem);
[[noreturn]] void throw_io_error(Problem problem);

/// Collects the problems of one file or set-up so that they are reported together.
class Problems {
  public:
    void add(Problem problem) { list_.push_back(std::move(problem)); }
    bool empty() const { return list_.empty(); }
    std::size_t size() const { return list_.size(); }
    /// Throws an input error with all that was added, if anything was.
    void throw_if_any();

  private:
    std::vector<Problem> list_;
};

/// Programmer's error: a broken precondition (expect) or promise (ensure). Ends with exit code 1 and says where.
[[noreturn]] void fail_internal(std::string_view condition, const char* file, int line);

}  // namespace mdsim

#define MDSIM_EXPECT(condition) \
    ((condition) ? static_cast<void>(0) : ::mdsim::fail_internal(#condition, __FILE__, __LINE__))
#define MDSIM_ENSURE(condition) MDSIM_EXPECT(condition)
