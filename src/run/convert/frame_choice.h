// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mdsim {

/// Which frames of a trajectory are taken: those between two places, both included, and of these every n-th or one at
/// least every so often.
class FrameChoice {
  public:
    FrameChoice() = default;
    /// Texts of --from, --to and --every, empty where they are not given: a whole number counts frames, from 0; a
    /// quantity ("10 ps") is a time. Input errors (MD116), all together, where they are neither.
    FrameChoice(const std::string& from, const std::string& to, const std::string& every);

    enum class Answer { take, pass, end };
    /// Of frames in their order: whether this one is taken, or it and all that follow are not. time: [ps]
    Answer of(std::int64_t frame, double time);
    /// Whether neither this frame nor any behind it is taken, as far as its number says that.
    bool ends_before(std::int64_t frame) const { return to_ && to_->frame && frame > *to_->frame; }
    /// The first frame that may be taken, where frames are counted.
    std::int64_t first() const { return from_ && from_->frame ? *from_->frame : 0; }
    /// How many are taken of a file with so many frames; nothing where that depends on their times.
    std::optional<std::int64_t> count(std::int64_t frames) const;

  private:
    struct Place {
        std::optional<std::int64_t> frame;  // else the time counts
        double time = 0.0;                  // [ps]
    };
    std::optional<Place> from_, to_, every_;
    std::optional<double> last_time_;  // of the last frame that was taken [ps]
    std::int64_t taken_from_ = -1;     // first frame that was taken

    static std::optional<Place> parse(const std::string& text, const char* option, class Problems& problems);
    bool falls_on(std::int64_t frame, double time) const;
};

}  // namespace mdsim
