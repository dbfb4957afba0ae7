// SPDX-License-Identifier: Apache-2.0
#include "forces/force_sink.h"

#include <algorithm>

#include "parallel/threads.h"

namespace mdsim {

void ForceSink::resize(std::size_t home, std::size_t atoms, int threads) {
    home_ = home;
    const std::size_t blocks = (atoms >> block_shift) + 1;
    total_.assign(atoms, Vec3l{});
    slots_.resize(static_cast<std::size_t>(threads));
    for (Slot& slot : slots_) {
        slot.force_.assign(atoms, Vec3l{});
        slot.touched_.assign(blocks, 0);
        slot.energies_ = EnergySums{};
    }
}

void ForceSink::begin() {
    for (Slot& slot : slots_) slot.energies_ = EnergySums{};
    energies_ = EnergySums{};
}

// Slots are zeroed while they are summed, so that the next evaluation finds them clean.
void ForceSink::finish() {
    constexpr std::size_t block = std::size_t{1} << block_shift;
    parallel_ranges(total_.size(), block, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t first = begin; first < end; first += block) {
            const std::size_t last = std::min(first + block, end);
            std::fill(total_.begin() + static_cast<std::ptrdiff_t>(first),
                      total_.begin() + static_cast<std::ptrdiff_t>(last), Vec3l{});
            for (Slot& slot : slots_) {
                unsigned char& touched = slot.touched_[first >> block_shift];
                if (!touched) continue;
                touched = 0;
                for (std::size_t i = first; i < last; ++i) {
                    total_[i] += slot.force_[i];
                    slot.force_[i] = Vec3l{};
                }
            }
        }
    });
    for (const Slot& slot : slots_) energies_.add(slot.energies_);
}

}  // namespace mdsim
