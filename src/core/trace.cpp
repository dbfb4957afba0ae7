// SPDX-License-Identifier: Apache-2.0
#include "core/trace.h"

#include <utility>

namespace mdsim {

Trace::Trace(std::string process) : began_(Clock::now()) {
    constexpr std::size_t usual = 4096;  // twenty steps: no allocation between spans
    spans_.reserve(usual);
    add_row(std::move(process), "step loop");
}

std::size_t Trace::add_row(std::string process, std::string name) {
    rows_.push_back({std::move(process), std::move(name)});
    return rows_.size() - 1;
}

void Trace::set_clock(std::size_t row, double start, double rate) {
    rows_[row].start = start;
    rows_[row].rate = rate;
}

void Trace::add(std::size_t row, std::string_view name, double begin, double end) {
    spans_.push_back({row, name, begin, end, step_});
}

void Trace::add(std::string_view name, Clock::time_point begin, Clock::time_point end) {
    add(step_loop, name, seconds(begin), seconds(end));
}

double Trace::seconds(Clock::time_point time) const {
    return std::chrono::duration<double>(time - began_).count();
}

}  // namespace mdsim
