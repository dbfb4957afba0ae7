// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

namespace mdsim::mesh {

/// The numbers from begin to end - 1.
struct Stretch {
    int begin = 0, end = 0;
    int size() const { return end - begin; }
};
/// Part `part` of 0 ... n - 1, cut into `parts` as even as can be.
constexpr Stretch cut(int n, int parts, int part) {
    return {n * part / parts, n * (part + 1) / parts};
}

/// A part of a spectrum: planes of kx, rows of ky, all of kz in `pitch` elements.
struct SpectrumPart {
    Stretch kx, ky;
    int pitch = 0;
};
/// Rows ky ... ky + count - 1 of plane kx.
struct SpectrumRows {
    int kx = 0, ky = 0, count = 0;
};

/// How the lines of a transform are dealt out to tiles, of which there are first * second. Tile t has part i = t /
/// second of the first cut and part j = t % second of the second cut:
///
///     lines along x: y in part i, z in part j;    lines along y: kx in part i, z in part j;
///     lines along z: kx in part i, ky in part j.
///
/// So what a tile needs next is with the tiles of its own j between x and y, and with those of its own i between y and
/// z. z is cut between pairs of real lines, which are transformed together: an odd number of points is padded by one.
/// Parts of y and z may begin anywhere, and then one of each runs over the end of the period.
struct Pencils {
    std::array<int, 3> n{};  ///< mesh points
    int first = 1, second = 1;
    int from_y = 0, from_z = 0;  ///< where part 0 of each begins; from_z: even, and 0 where n[2] is odd

    int tiles() const { return first * second; }
    int planes() const { return n[0] / 2 + 1; }  ///< of constant kx
    Stretch y(int i) const { return turned(cut(n[1], first, i), from_y, n[1]); }
    Stretch kx(int i) const { return cut(planes(), first, i); }
    Stretch z(int j) const {
        const Stretch pairs = cut(pairs_z(), second, j);
        return turned({2 * pairs.begin, 2 * pairs.end}, from_z, 2 * pairs_z());
    }
    Stretch ky(int j) const { return cut(n[1], second, j); }
    /// The same without padding.
    Stretch points_z(int j) const {
        const Stretch padded = z(j);
        return n[2] % 2 == 0 ? padded : Stretch{padded.begin, std::min(padded.end, n[2])};
    }
    /// More parts would leave some empty.
    int most_first() const { return std::min(n[1], planes()); }
    int most_second() const { return std::min(n[1], pairs_z()); }

  private:
    int pairs_z() const { return (n[2] + 1) / 2; }
    static Stretch turned(Stretch s, int from, int period) {
        const int begin = (s.begin + from) % period;
        return {begin, begin + s.size()};
    }
};

}  // namespace mdsim::mesh
