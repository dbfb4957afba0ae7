// SPDX-License-Identifier: Apache-2.0
#include "forces/force_sink.h"

#include <algorithm>

#include "core/arrays/resize_tightly.h"
#include "parallel/threads.h"

namespace mdsim {

void ForceSink::resize(std::size_t home, std::size_t atoms, int threads) {
    home_ = home;
    slots_.resize(static_cast<std::size_t>(threads));
    for (Slot& slot : slots_) {
        resize_tightly(slot.force_, atoms);
        slot.touched_.resize((atoms >> block_shift) + 1, 0);
    }
}

// An evaluation that ended in an error may have left something in the others.
void ForceSink::begin() {
    std::vector<Vec3l>& total = slots_.front().force_;
    parallel_ranges(total.size(), [&](int, std::size_t begin, std::size_t end) {
        std::fill(total.begin() + static_cast<std::ptrdiff_t>(begin), total.begin() + static_cast<std::ptrdiff_t>(end),
                  Vec3l{});
    });
    for (Slot& slot : std::span(slots_).subspan(1)) slot.clear();
    for (Slot& slot : slots_) slot.energies_ = EnergySums{};
    energies_ = EnergySums{};
}

void ForceSink::Slot::clear() {
    for (std::size_t b = 0; b < touched_.size(); ++b) {
        if (touched_[b]) clear_block(b);
    }
}

void ForceSink::Slot::clear_block(std::size_t block) {
    const auto first = static_cast<std::ptrdiff_t>(block << block_shift);
    const auto last = std::min(first + (std::ptrdiff_t{1} << block_shift), static_cast<std::ptrdiff_t>(force_.size()));
    std::fill(force_.begin() + first, force_.begin() + last, Vec3l{});
    touched_[block] = 0;
}

// Slots are zeroed while they are summed, so that the next evaluation finds them clean.
void ForceSink::finish() {
    std::vector<Vec3l>& total = slots_.front().force_;
    if (slots_.size() > 1) {
        parallel_ranges(slots_.front().touched_.size(), [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                const std::size_t first = b << block_shift;
                const std::size_t last = std::min(first + (std::size_t{1} << block_shift), total.size());
                for (Slot& slot : std::span(slots_).subspan(1)) {
                    if (!slot.touched_[b]) continue;
                    for (std::size_t i = first; i < last; ++i) total[i] += slot.force_[i];
                    slot.clear_block(b);
                }
            }
        });
    }
    for (const Slot& slot : slots_) energies_.add(slot.energies_);
}

}  // namespace mdsim
