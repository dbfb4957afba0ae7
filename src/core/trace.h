// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim {

/// What was done when, to be looked at: spans of named work in rows, the step loop and the streams of devices. In a row
/// one thing is done after the other, or within another. Filled by the thread that runs the loop.
class Trace {
  public:
    using Clock = std::chrono::steady_clock;

    struct Row {
        std::string process;  ///< "mdsim rank 0 on node7", "NVIDIA H200"; rows of one stand together
        std::string name;     ///< "step loop", "mesh"
        double start = 0.0;   ///< the zero of the row's own clock [s since the trace began]
        double rate = 1.0;    ///< seconds in one of its own
    };
    struct Span {
        std::size_t row;
        std::string_view name;  ///< of a literal
        double begin, end;      ///< on the clock of the row [s]
        std::int64_t step;
    };

    /// The row of the step loop, whose clock is that of the trace.
    static constexpr std::size_t step_loop = 0;

    /// Begins now. process: that of the step loop.
    explicit Trace(std::string process);

    std::size_t add_row(std::string process, std::string name);
    /// Rows of devices have clocks of their own, which are known once the last span is over.
    void set_clock(std::size_t row, double start, double rate);
    /// The step that spans belong to from now on.
    void set_step(std::int64_t step) { step_ = step; }
    void add(std::size_t row, std::string_view name, double begin, double end);
    /// To the step loop.
    void add(std::string_view name, Clock::time_point begin, Clock::time_point end);

    /// Since the trace began [s].
    double seconds(Clock::time_point time) const;
    const std::vector<Row>& rows() const { return rows_; }
    const std::vector<Span>& spans() const { return spans_; }

  private:
    Clock::time_point began_;
    std::int64_t step_ = 0;
    std::vector<Row> rows_;
    std::vector<Span> spans_;
};

}  // namespace mdsim
