// SPDX-License-Identifier: Apache-2.0
#include "run/convert/frame_choice.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/error.h"
#include "io/input/keys/quantity.h"

namespace mdsim {

namespace {
// Times are kept in single precision by many formats.
constexpr double slack = 1e-5;

bool before(double a, double b) {
    return a < b - slack * std::max({1.0, a < 0 ? -a : a, b < 0 ? -b : b});
}
}  // namespace

std::optional<FrameChoice::Place> FrameChoice::parse(const std::string& text, const char* option, Problems& problems) {
    if (text.empty()) return std::nullopt;
    std::int64_t frame = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), frame);
    if (error == std::errc{} && end == text.data() + text.size() && frame >= 0) return Place{frame, 0.0};
    inp::QuantityFault fault;
    const auto time = inp::parse_quantity(text, inp::Dimension::time, "ps", fault);
    if (time && *time >= 0.0) return Place{std::nullopt, *time};
    problems.add({.code = "MD116",
                  .place = {option},
                  .what = fmt::format("\"{}\" is neither a number of a frame nor a time{}", text,
                                      fault.what.empty() ? "" : ": " + fault.what),
                  .remedy = fmt::format("{0} 100 (frames, from 0) or {0} \"10 ps\"", option)});
    return std::nullopt;
}

FrameChoice::FrameChoice(const std::string& from, const std::string& to, const std::string& every) {
    Problems problems;
    from_ = parse(from, "--from", problems);
    to_ = parse(to, "--to", problems);
    every_ = parse(every, "--every", problems);
    if (every_ && (every_->frame ? *every_->frame == 0 : every_->time == 0.0)) {
        problems.add({.code = "MD116",
                      .place = {"--every"},
                      .what = "nothing can be taken every 0",
                      .remedy = "leave it out to take every frame"});
    }
    const bool backwards = from_ && to_ && from_->frame.has_value() == to_->frame.has_value() &&
                           (from_->frame ? *to_->frame < *from_->frame : to_->time < from_->time);
    if (backwards) {
        problems.add({.code = "MD116",
                      .place = {"--to"},
                      .what = fmt::format("--to {} comes before --from {}", to, from),
                      .remedy = "give --from the earlier one"});
    }
    problems.throw_if_any();
}

bool FrameChoice::falls_on(std::int64_t frame, double time) const {
    if (!every_ || taken_from_ < 0) return true;
    if (every_->frame) return (frame - taken_from_) % *every_->frame == 0;
    return !before(time, *last_time_ + every_->time);
}

FrameChoice::Answer FrameChoice::of(std::int64_t frame, double time) {
    if (to_ && (to_->frame ? frame > *to_->frame : before(to_->time, time))) return Answer::end;
    if (from_ && (from_->frame ? frame < *from_->frame : before(time, from_->time))) return Answer::pass;
    if (!falls_on(frame, time)) return Answer::pass;
    if (taken_from_ < 0) taken_from_ = frame;
    last_time_ = time;
    return Answer::take;
}

std::optional<std::int64_t> FrameChoice::count(std::int64_t frames) const {
    const auto counted = [](const std::optional<Place>& place) { return !place || place->frame; };
    if (!counted(from_) || !counted(to_) || !counted(every_)) return std::nullopt;
    const std::int64_t last = to_ ? std::min(frames - 1, *to_->frame) : frames - 1;
    if (last < first()) return 0;
    return (last - first()) / (every_ ? *every_->frame : 1) + 1;
}

}  // namespace mdsim
