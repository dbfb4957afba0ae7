// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/placement.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

bool near(const std::vector<int>& a, const std::vector<int>& b) {
    if (a.empty() || b.empty()) return true;
    return std::any_of(a.begin(), a.end(), [&](int n) { return std::find(b.begin(), b.end(), n) != b.end(); });
}

/// A deal, and how to make it nearer: ranks handed on around a ring of devices. One place of the ring may be `spare`,
/// which stands for the ranks that are beyond an equal number for each device: what reaches it comes out again at a
/// device that has one rank more than the others. A deal that no ring makes nearer is the nearest (M. Klein, Manag.
/// Sci. 14, 205, 1967).
class Dealer {
  public:
    Dealer(std::span<const Locality> ranks, std::span<const Locality> devices)
        : ranks_(ranks), devices_(devices), spare_(devices.size()), load_(devices.size(), 0) {
        for (std::size_t r = 0; r < ranks.size(); ++r) device_of_.push_back(r % devices.size());
        for (const std::size_t d : device_of_) ++load_[d];
    }

    std::vector<std::size_t> deal() {
        for (auto ring = find_ring(); !ring.empty(); ring = find_ring()) hand_on(ring);
        return device_of_;
    }

  private:
    static constexpr std::size_t nobody = SIZE_MAX;
    struct Step {
        std::size_t rank = nobody;
        int gain = 0;
        bool possible = false;
    };

    std::span<const Locality> ranks_, devices_;
    std::size_t spare_;
    std::vector<std::size_t> load_;  ///< ranks of each device
    std::vector<std::size_t> device_of_;

    // The rank that it costs least to hand on from one place to another.
    Step step(std::size_t from, std::size_t to) const {
        const std::size_t equal = ranks_.size() / devices_.size();
        if (from == spare_ || to == spare_) {
            const bool possible = from != to && (to == spare_ ? load_[from] == equal : load_[to] > equal);
            return {nobody, 0, possible};
        }
        Step best;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            if (device_of_[r] != from) continue;
            const int gain = distance(ranks_[r], devices_[from]) - distance(ranks_[r], devices_[to]);
            if (!best.possible || gain > best.gain) best = {r, gain, true};
        }
        return best;
    }

    // Bellman and Ford: where sums of gains still grow after as many rounds as there are places, they grow in a ring.
    std::vector<std::size_t> find_ring() const {
        const std::size_t places = spare_ + 1;
        std::vector<int> sum(places, 0);
        std::vector<std::size_t> before(places, nobody);
        std::size_t grown = nobody;
        for (std::size_t round = 0; round <= places; ++round) {
            grown = nobody;
            for (std::size_t from = 0; from < places; ++from) {
                for (std::size_t to = 0; to < places; ++to) {
                    const Step s = step(from, to);
                    if (!s.possible || sum[from] + s.gain <= sum[to]) continue;
                    sum[to] = sum[from] + s.gain;
                    before[to] = from;
                    grown = to;
                }
            }
            if (grown == nobody) return {};
        }
        for (std::size_t n = 0; n < places; ++n) grown = before[grown];
        std::vector<std::size_t> ring;
        for (std::size_t place = grown; ring.empty() || place != grown; place = before[place]) ring.push_back(place);
        std::reverse(ring.begin(), ring.end());
        return ring;
    }

    void hand_on(const std::vector<std::size_t>& ring) {
        std::vector<Step> steps;
        for (std::size_t n = 0; n < ring.size(); ++n) steps.push_back(step(ring[n], ring[(n + 1) % ring.size()]));
        for (std::size_t n = 0; n < ring.size(); ++n) {
            if (steps[n].rank == nobody) continue;
            const std::size_t to = ring[(n + 1) % ring.size()];
            --load_[device_of_[steps[n].rank]];
            ++load_[to];
            device_of_[steps[n].rank] = to;
        }
    }
};

}  // namespace

int distance(const Locality& a, const Locality& b) {
    if (near(a.nodes, b.nodes)) return 0;
    return near(a.packages, b.packages) ? 1 : 2;
}

std::vector<std::size_t> deal_devices(std::span<const Locality> ranks, std::span<const Locality> devices) {
    MDSIM_EXPECT(!devices.empty());
    return Dealer(ranks, devices).deal();
}

std::vector<std::string> placement_table(std::span<const PlacementRow> rows) {
    std::vector<std::array<std::string, 7>> cells{{"rank", "host", "device", "uuid", "cores", "threads", "NUMA nodes"}};
    for (const PlacementRow& row : rows)
        cells.push_back(
            {fmt::format("{}", row.rank), row.host, row.device, row.uuid, row.cores, row.threads, row.nodes});
    std::array<std::size_t, 7> widths{};
    for (auto& line : cells) {
        for (std::size_t c = 0; c < line.size(); ++c) {
            if (line[c].empty()) line[c].push_back('-');
            widths[c] = std::max(widths[c], line[c].size());
        }
    }
    std::vector<std::string> lines;
    for (const auto& line : cells) {
        std::string text;
        for (std::size_t c = 0; c < line.size(); ++c) text += fmt::format("  {:<{}}", line[c], widths[c]);
        lines.push_back(text.substr(0, text.find_last_not_of(' ') + 1));
    }
    return lines;
}

}  // namespace mdsim
