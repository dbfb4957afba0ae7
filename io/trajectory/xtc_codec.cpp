// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/xtc_codec.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace mdsim::xtc {

namespace {

__extension__ using Wide = unsigned __int128;

// Sizes of "small": entry i is the largest m with m^3 <= 2^i (with the roundings that the format has fixed). Entries
// below 9 are not used.
constexpr std::array<int, 73> sizes{
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};
constexpr int first_index = 9;
constexpr int last_index = static_cast<int>(sizes.size()) - 1;
constexpr int longest_run = 8;

int size_at(int index) {
    return sizes[static_cast<std::size_t>(index)];
}

// A number of `count` bits as the format wants it: whole bytes from the least significant on, then what is left. Here
// as the word whose bits are written from the most significant on.
constexpr int most_bits_at_once = 56;

std::uint64_t byte_by_byte(int count, std::uint64_t value) {
    const int whole = (count - 1) / 8;
    if (whole == 0) return value;
    const int rest = count - 8 * whole;
    return __builtin_bswap64(value << (64 - 8 * whole)) << rest | value >> (8 * whole);
}

class BitWriter {
  public:
    /// The low `count` bits of value, most significant first; count at most 56.
    void put(int count, std::uint64_t value) {
        last_ = last_ << count | value;
        used_ += count;
        while (used_ >= 8) {
            used_ -= 8;
            bytes_ += static_cast<char>(last_ >> used_ & 0xff);
        }
    }
    void put_wide(int count, Wide value) {
        for (; count > most_bits_at_once; count -= 48, value >>= 48)
            put(48, byte_by_byte(48, static_cast<std::uint64_t>(value) & 0xffffffffffffU));
        put(count, byte_by_byte(count, static_cast<std::uint64_t>(value)));
    }
    std::string finish() {
        if (used_ > 0) put(8 - used_, 0);
        return std::move(bytes_);
    }

  private:
    std::string bytes_;
    std::uint64_t last_ = 0;
    int used_ = 0;
};

class BitReader {
  public:
    explicit BitReader(const std::string& bytes) : bytes_(bytes) {}
    /// count at most 56.
    std::uint64_t get(int count) {
        if (count == 0) return 0;
        if (next_ + static_cast<std::size_t>(count) > 8 * bytes_.size())
            throw std::runtime_error("the compressed coordinates end too early");
        std::uint64_t word = 0;
        const std::size_t first = next_ / 8;
        if (first + sizeof word <= bytes_.size()) {
            std::memcpy(&word, bytes_.data() + first, sizeof word);
            word = __builtin_bswap64(word);
        } else {
            for (std::size_t n = first; n < bytes_.size(); ++n)
                word |= std::uint64_t{static_cast<unsigned char>(bytes_[n])} << (56 - 8 * (n - first));
        }
        word = word << next_ % 8 >> (64 - count);
        next_ += static_cast<std::size_t>(count);
        return word;
    }
    Wide get_wide(int count) {
        Wide value = 0;
        int shift = 0;
        for (; count > most_bits_at_once; count -= 48, shift += 48) value |= Wide{in_order(48)} << shift;
        return value | Wide{in_order(count)} << shift;
    }

  private:
    std::uint64_t in_order(int count) {
        if (count == 0) return 0;
        const std::uint64_t word = get(count);
        const int whole = (count - 1) / 8, rest = count - 8 * whole;
        if (whole == 0) return word;
        const std::uint64_t low = __builtin_bswap64(word >> rest << (64 - 8 * whole));
        return low | (word & (~std::uint64_t{0} >> (64 - rest))) << (8 * whole);
    }

    const std::string& bytes_;
    std::size_t next_ = 0;
};

/// How a whole coordinate is written: as one mixed-radix number, or by axis where the extent is very large.
struct WholeFormat {
    std::array<std::uint32_t, 3> extent{};
    std::array<int, 3> axis_bits{};
    int bits = 0;  // 0: by axis

    WholeFormat(const Int3& low, const Int3& high) {
        bool large = false;
        for (std::size_t k = 0; k < 3; ++k) {
            extent[k] = static_cast<std::uint32_t>(high[k]) - static_cast<std::uint32_t>(low[k]) + 1;
            axis_bits[k] = static_cast<int>(std::bit_width(extent[k]));
            large = large || extent[k] > 0xffffff || extent[k] == 0;
        }
        if (large) return;
        const Wide product = Wide{extent[0]} * extent[1] * extent[2];
        while (bits < 127 && product >> bits != 0) ++bits;
    }
};

Wide mixed_radix(const std::array<std::uint32_t, 3>& digits, const std::array<std::uint32_t, 3>& radix) {
    return (Wide{digits[0]} * radix[1] + digits[1]) * radix[2] + digits[2];
}

template <class Number>
std::array<std::uint32_t, 3> split(Number value, const std::array<std::uint32_t, 3>& radix) {
    std::array<std::uint32_t, 3> digits{};
    digits[2] = static_cast<std::uint32_t>(value % radix[2]);
    value /= radix[2];
    digits[1] = static_cast<std::uint32_t>(value % radix[1]);
    digits[0] = static_cast<std::uint32_t>(value / radix[1]);
    return digits;
}

std::array<std::uint32_t, 3> digits_of(Wide value, const std::array<std::uint32_t, 3>& radix) {
    // The division of 64 bits takes a fraction of the time of one of 128.
    if (value >> 64 == 0) return split(static_cast<std::uint64_t>(value), radix);
    return split(value, radix);
}

/// The size of "small", which steps up and down with the data.
struct SmallFormat {
    int index;
    int half, half_below;

    explicit SmallFormat(int start)
        : index(start), half(size_at(start) / 2), half_below(size_at(std::max(first_index, start - 1)) / 2) {}
    std::array<std::uint32_t, 3> radix() const {
        const auto size = static_cast<std::uint32_t>(size_at(index));
        return {size, size, size};
    }
    void step(int direction) {
        index += direction;
        if (index < first_index || index > last_index)
            throw std::runtime_error("the compressed coordinates are damaged");
        if (direction < 0) {
            half = half_below;
            half_below = index > first_index ? size_at(index - 1) / 2 : 0;
        } else if (direction > 0) {
            half_below = half;
            half = size_at(index) / 2;
        }
    }
};

bool near(const Int3& a, const Int3& b, std::int64_t limit) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (std::abs(std::int64_t{a[k]} - b[k]) >= limit) return false;
    }
    return true;
}

class Packer {
  public:
    Packer(std::vector<Int3>& x, const WholeFormat& whole, const Int3& low, int start)
        : x_(x),
          whole_(whole),
          low_(low),
          small_(start),
          highest_(std::min(last_index, start + longest_run)),
          lowest_(highest_ - longest_run),
          larger_(size_at(highest_) / 2) {}

    std::string run() {
        while (next_ < x_.size()) put_group();
        return out_.finish();
    }

  private:
    // One whole atom and the run of near ones that follows it.
    void put_group() {
        int direction = wanted_direction();
        bool in_run = next_ + 1 < x_.size() && near(x_[next_], x_[next_ + 1], small_.half);
        if (in_run) std::swap(x_[next_], x_[next_ + 1]);
        put_whole(x_[next_]);
        Int3 before = x_[next_++];
        if (!in_run && direction < 0) direction = 0;
        int length = 0;
        while (in_run && length < longest_run) {
            const Int3& here = x_[next_++];
            if (direction < 0 && !fits_below(here, before)) direction = 0;
            std::array<std::uint32_t, 3>& difference = run_[static_cast<std::size_t>(length++)];
            for (std::size_t k = 0; k < 3; ++k)
                difference[k] = static_cast<std::uint32_t>(here[k] - before[k] + small_.half);
            before = here;
            in_run = next_ < x_.size() && near(x_[next_], before, small_.half);
        }
        put_run(length, direction);
        before_ = before;
    }

    int wanted_direction() const {
        if (small_.index < highest_ && next_ >= 1 && near(x_[next_], before_, larger_)) return 1;
        return small_.index > lowest_ ? -1 : 0;
    }

    bool fits_below(const Int3& a, const Int3& b) const {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += (std::int64_t{a[k]} - b[k]) * (std::int64_t{a[k]} - b[k]);
        return sum < std::int64_t{small_.half_below} * small_.half_below;
    }

    void put_whole(const Int3& a) {
        std::array<std::uint32_t, 3> digits{};
        for (std::size_t k = 0; k < 3; ++k)
            digits[k] = static_cast<std::uint32_t>(a[k]) - static_cast<std::uint32_t>(low_[k]);
        if (whole_.bits == 0) {
            for (std::size_t k = 0; k < 3; ++k) out_.put(whole_.axis_bits[k], digits[k]);
        } else {
            out_.put_wide(whole_.bits, mixed_radix(digits, whole_.extent));
        }
    }

    void put_run(int length, int direction) {
        if (length != length_before_ || direction != 0) {
            length_before_ = length;
            out_.put(1, 1);
            out_.put(5, static_cast<std::uint32_t>(3 * length + direction + 1));
        } else {
            out_.put(1, 0);
        }
        for (int n = 0; n < length; ++n)
            out_.put_wide(small_.index, mixed_radix(run_[static_cast<std::size_t>(n)], small_.radix()));
        small_.step(direction);
    }

    std::vector<Int3>& x_;
    const WholeFormat& whole_;
    Int3 low_;
    SmallFormat small_;
    int highest_, lowest_;
    std::int64_t larger_;
    BitWriter out_;
    std::size_t next_ = 0;
    Int3 before_{};
    int length_before_ = -1;
    std::array<std::array<std::uint32_t, 3>, longest_run> run_{};
};

int start_index(const std::vector<Int3>& x) {
    std::int64_t least = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 1; i < x.size(); ++i) {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += std::abs(std::int64_t{x[i][k]} - x[i - 1][k]);
        least = std::min(least, sum);
    }
    int index = first_index;
    while (index < last_index && size_at(index) < least) ++index;
    return index;
}

}  // namespace

Packed pack(std::vector<Int3> x) {
    Packed packed;
    packed.low = packed.high = x.at(0);
    for (const Int3& a : x) {
        for (std::size_t k = 0; k < 3; ++k) {
            packed.low[k] = std::min(packed.low[k], a[k]);
            packed.high[k] = std::max(packed.high[k], a[k]);
        }
    }
    packed.small_index = start_index(x);
    const WholeFormat whole(packed.low, packed.high);
    packed.bits = Packer(x, whole, packed.low, packed.small_index).run();
    return packed;
}

void unpack(const Packed& packed, std::size_t atoms, std::vector<Int3>& x) {
    if (packed.small_index < first_index || packed.small_index > last_index) {
        throw std::runtime_error("the compressed coordinates have an impossible size index");
    }
    const WholeFormat whole(packed.low, packed.high);
    SmallFormat small(packed.small_index);
    BitReader in(packed.bits);
    x.clear();
    x.reserve(atoms);
    int run = 0;
    while (x.size() < atoms) {
        std::array<std::uint32_t, 3> digits{};
        if (whole.bits == 0) {
            for (std::size_t k = 0; k < 3; ++k) digits[k] = static_cast<std::uint32_t>(in.get(whole.axis_bits[k]));
        } else {
            digits = digits_of(in.get_wide(whole.bits), whole.extent);
        }
        Int3 before{};
        for (std::size_t k = 0; k < 3; ++k)
            before[k] = static_cast<std::int32_t>(digits[k] + static_cast<std::uint32_t>(packed.low[k]));
        int direction = 0;
        if (in.get(1) != 0) {
            const auto code = static_cast<int>(in.get(5));
            direction = code % 3 - 1;
            run = code / 3;
        }
        if (x.size() + static_cast<std::size_t>(run) + 1 > atoms)
            throw std::runtime_error("the compressed coordinates hold too many atoms");
        const std::size_t whole_at = x.size();
        x.push_back(before);
        for (int n = 0; n < run; ++n) {
            digits = digits_of(in.get_wide(small.index), small.radix());
            for (std::size_t k = 0; k < 3; ++k)
                before[k] = static_cast<std::int32_t>(static_cast<std::uint32_t>(before[k]) + digits[k] -
                                                      static_cast<std::uint32_t>(small.half));
            x.push_back(before);
        }
        if (run > 0) std::swap(x[whole_at], x[whole_at + 1]);
        small.step(direction);
    }
}

}  // namespace mdsim::xtc
