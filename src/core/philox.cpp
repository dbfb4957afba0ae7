// SPDX-License-Identifier: Apache-2.0
#include "core/philox.h"

#include <cmath>

#include "core/units.h"

namespace mdsim {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
        k[0] += 0x9E3779B9U;
        k[1] += 0xBB67AE85U;
    }
    return c;
}

// The seed is mixed with the purpose into the key; the counter holds 40 bits of atom, 56 of step and 32 of position
// in the stream.
RandomOrigin random_origin(std::uint64_t seed, RandomPurpose purpose, std::uint64_t step, std::uint64_t id) {
    return {{static_cast<std::uint32_t>(seed),
             static_cast<std::uint32_t>(seed >> 32) ^ static_cast<std::uint32_t>(purpose) * 0x85EBCA6BU},
            {0, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(step),
             (static_cast<std::uint32_t>(step >> 32) << 8) ^ static_cast<std::uint32_t>(id >> 32)}};
}

RandomStream::RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t step, std::uint64_t id) {
    const RandomOrigin origin = random_origin(seed, purpose, step, id);
    key_ = origin.key;
    counter_ = origin.counter;
}

std::uint64_t RandomStream::next64() {
    if (used_ == 4) {
        block_ = philox4x32(counter_, key_);
        ++counter_[0];
        used_ = 0;
    }
    const std::uint64_t low = block_[static_cast<std::size_t>(used_)];
    const std::uint64_t high = block_[static_cast<std::size_t>(used_) + 1];
    used_ += 2;
    return high << 32 | low;
}

double RandomStream::uniform() {
    return (static_cast<double>(next64() >> 12) + 0.5) * 0x1p-52;
}

double RandomStream::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * units::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

double RandomStream::gamma(double shape) {
    if (shape < 1.0) {  // Marsaglia & Tsang, section 6: boost the shape by one
        const double u = uniform();
        return gamma(shape + 1.0) * std::pow(u, 1.0 / shape);
    }
    const double d = shape - 1.0 / 3.0;
    const double c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
        const double x = normal();
        const double root = 1.0 + c * x;
        if (root <= 0.0) continue;
        const double v = root * root * root;
        if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

}  // namespace mdsim
