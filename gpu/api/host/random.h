// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mdsim::gpu::executor {

/// Numbers for shuffling: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
class Shuffler {
  public:
    explicit Shuffler(std::uint64_t seed, std::uint64_t stream = 0)
        : state_(seed + 0x9E3779B97F4A7C15u * (stream + 1)) {
        next();
    }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// 0 ... n - 1, n > 0.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

  private:
    std::uint64_t state_;
};

}  // namespace mdsim::gpu::executor
