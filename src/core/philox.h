// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace mdsim {

/// What a random number is for; part of the key, so that no two uses share a stream.
enum class RandomPurpose : std::uint32_t {
    velocities = 1,
    v_rescale = 2,
    langevin = 3,
    monte_carlo_barostat = 4,
    c_rescale = 5,
    separation = 6
};

/// Counter-based random numbers, Philox4x32-10: Salmon, Moraes, Dror & Shaw, SC'11 (2011), "Parallel random numbers:
/// as easy as 1, 2, 3", algorithm 1 with the constants of its table 2. The numbers depend on the key alone, never on
/// who asks in which order.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Key and first counter of a stream; the counter's first word counts blocks of four 32-bit numbers.
struct RandomOrigin {
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> counter;
};
RandomOrigin random_origin(std::uint64_t seed, RandomPurpose purpose, std::uint64_t step, std::uint64_t id);

/// The stream of one (seed, purpose, atom, step): uniform and normal deviates, drawn in order.
class RandomStream {
  public:
    RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t step, std::uint64_t id = 0);
    /// Uniform in (0, 1), 53 bits, never 0 or 1.
    double uniform();
    /// Normal deviate, mean 0, variance 1 (Box & Muller, Ann. Math. Stat. 29 (1958) 610).
    double normal();
    /// Gamma deviate of integer or half-integer shape k and scale 1; k >= 0.5 (Marsaglia & Tsang, ACM TOMS 26 (2000)
    /// 363).
    double gamma(double shape);

  private:
    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::array<std::uint32_t, 4> block_{};
    int used_ = 4;
    double spare_ = 0.0;
    bool has_spare_ = false;

    std::uint64_t next64();
};

}  // namespace mdsim
