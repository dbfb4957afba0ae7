// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/transform/pencil_fft.h"

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>
#include <omp.h>

#include "forces/mesh/ranks/mesh_route.h"
#include "forces/mesh/transform/fft3d.h"
#include "mesh/grid_lines.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

double grid_value(int x, int y, int z) {
    return std::sin(2.0 + 1.7 * x + 2.3 * y * y + 0.9 * z * z * (x + 2));
}

// Not symmetric, so that a row in the wrong place shows.
template <class Real>
Real factor(int kx, int ky, int kz) {
    return static_cast<Real>(0.01 * (1 + kx + 3 * ky + 7 * kz));
}

template <class Real>
using Grid = std::vector<Real>;  // [nx][ny][nz]

std::size_t node(const std::array<int, 3>& n, int x, int y, int z) {
    return static_cast<std::size_t>((x * n[1] + y) * n[2] + z);
}

template <class Real>
Grid<Real> whole(const std::array<int, 3>& n) {
    Fft3d<Real> fft(n);
    Grid<Real> out(node(n, n[0], 0, 0));
    fft.convolve(
        [&](int y, int z0, Real* lines) {
            test::fill_lines(lines, n[0], z0, n[2], [&](int x, int z) { return grid_value(x, y, z); });
        },
        [&](int, int kx, std::complex<Real>* plane) {
            for (int ky = 0; ky < n[1]; ++ky) {
                for (int kz = 0; kz < n[2]; ++kz) plane[ky * fft.pitch() + kz] *= factor<Real>(kx, ky, kz);
            }
        },
        [&](int y, int z0, const Real* lines) {
            test::read_lines(lines, n[0], z0, n[2], [&](int x, int z, Real value) { out[node(n, x, y, z)] = value; });
        });
    return out;
}

enum class Way { forward, backward };

// What messages do where every tile is a rank.
template <class Real>
void exchange(std::vector<PencilFft<Real>>& tiles, Turn<Real>& (PencilFft<Real>::*turn_of)(), Way way) {
    for (PencilFft<Real>& tile : tiles) {
        Turn<Real>& to = (tile.*turn_of)();
        for (std::size_t i = 0; i < to.tiles.size(); ++i) {
            if (i == to.own) continue;
            Turn<Real>& from = (tiles[static_cast<std::size_t>(to.tiles[i])].*turn_of)();
            auto& piece = way == Way::forward ? to.after[i] : to.before[i];
            const auto& sent = way == Way::forward ? from.before[to.own] : from.after[to.own];
            REQUIRE(piece.size() == sent.size());
            std::copy(sent.begin(), sent.end(), piece.begin());
        }
    }
}

// Some tiles may have too few planes to go by them.
template <class Real>
void along_y_and_z(std::vector<PencilFft<Real>>& tiles, const std::array<int, 3>& n) {
    const int pitch = tiles.front().part().pitch;
    const auto multiply = [&](int, const SpectrumRows& rows, std::complex<Real>* spectrum) {
        for (int r = 0; r < rows.count; ++r) {
            for (int kz = 0; kz < n[2]; ++kz) {
                spectrum[r * pitch + kz] *= factor<Real>(rows.kx, rows.ky + r, kz);
            }
        }
    };
    for (auto& tile : tiles) tile.goes_by_planes() ? tile.along_y_and_z(multiply) : tile.forward_y();
    exchange(tiles, &PencilFft<Real>::y_to_z, Way::forward);
    for (auto& tile : tiles) {
        if (!tile.goes_by_planes()) tile.along_z(multiply);
    }
    exchange(tiles, &PencilFft<Real>::y_to_z, Way::backward);
    for (auto& tile : tiles) {
        if (!tile.goes_by_planes()) tile.backward_y();
    }
}

template <class Real>
Grid<Real> by_tiles(const Pencils& pencils) {
    const std::array<int, 3>& n = pencils.n;
    std::vector<PencilFft<Real>> tiles;
    for (int t = 0; t < pencils.tiles(); ++t) tiles.emplace_back(pencils, t);
    Grid<Real> out(node(n, n[0], 0, 0));
    const auto box = [&](std::size_t t) { return tile_nodes(pencils, static_cast<int>(t)); };
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        const NodeBox nodes = box(t);
        tiles[t].forward_x([&](int y, int z0, Real* lines) {
            test::fill_lines(lines, n[0], z0, nodes.count[2], [&](int x, int z) {
                return grid_value(x, (nodes.first[1] + y) % n[1], (nodes.first[2] + z) % n[2]);
            });
        });
    }
    exchange(tiles, &PencilFft<Real>::x_to_y, Way::forward);
    along_y_and_z(tiles, n);
    exchange(tiles, &PencilFft<Real>::x_to_y, Way::backward);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        const NodeBox nodes = box(t);
        tiles[t].backward_x([&](int y, int z0, const Real* lines) {
            test::read_lines(lines, n[0], z0, nodes.count[2], [&](int x, int z, Real value) {
                out[node(n, x, (nodes.first[1] + y) % n[1], (nodes.first[2] + z) % n[2])] = value;
            });
        });
    }
    return out;
}

// Whether a line of random numbers has the same transform in every place of a batch, beside zeros, other lines and what
// is not even a number.
template <class Real>
bool same_bits_in_every_place(int n, BatchLayout layout) {
    const LineFft<Real> fft(n, layout);
    const int pitch = round_up(n, 8);
    const auto at = [&](int line, int i) {
        return static_cast<std::size_t>(layout == BatchLayout::interleaved ? 8 * i + line : pitch * line + i);
    };
    std::vector<std::complex<Real>> first;
    bool same = true;
    for (const double beside : {0.0, 0.7, std::numeric_limits<double>::quiet_NaN()}) {
        for (int line = 0; line < 8; ++line) {
            AlignedVector<std::complex<Real>> in(static_cast<std::size_t>(8 * pitch)), out(in.size()), back(in.size());
            for (std::size_t i = 0; i < in.size(); ++i) {
                in[i] = {static_cast<Real>(beside * grid_value(static_cast<int>(i), 3, line)),
                         static_cast<Real>(beside)};
            }
            for (int i = 0; i < n; ++i) {
                in[at(line, i)] = {static_cast<Real>(grid_value(i, 1, 2)), static_cast<Real>(grid_value(i, 2, 1))};
            }
            fft.forward(in.data(), out.data());
            std::vector<std::complex<Real>> bits;
            for (int i = 0; i < n; ++i) bits.push_back(out[at(line, i)]);
            fft.backward(out.data(), back.data());
            for (int i = 0; i < n; ++i) bits.push_back(back[at(line, i)]);
            if (first.empty()) first = bits;
            same = same && bits == first;
        }
    }
    return same;
}

}  // namespace

TEST_CASE("the bits of a line transform depend neither on its place in the batch nor on the other lines",
          "[mesh][fft][determinism]") {
    for (int n = 8; n <= 200; ++n) {
        INFO("length " << n);
        for (const BatchLayout layout : {BatchLayout::interleaved, BatchLayout::contiguous}) {
            CHECK(same_bits_in_every_place<float>(n, layout));
            CHECK(same_bits_in_every_place<double>(n, layout));
        }
    }
}

TEST_CASE("a convolution by tiles has the bits of the whole one", "[mesh][fft][determinism]") {
    const int threads_before = omp_get_max_threads();
    for (const std::array<int, 3> n : {std::array<int, 3>{8, 9, 10}, {20, 18, 27}, {15, 32, 24}}) {
        const Grid<float> mixed = whole<float>(n);
        const Grid<double> exact = whole<double>(n);
        for (const auto& [first, second] :
             {std::pair{1, 1}, {2, 1}, {1, 2}, {1, 3}, {3, 1}, {2, 2}, {4, 2}, {3, 5}, {5, 5}}) {
            // Parts that begin elsewhere, so that one of each runs over the end of the period.
            for (const int from : {0, 1, n[1] - 1}) {
                const Pencils pencils{n, first, second, from, n[2] % 2 == 0 ? 2 * from % n[2] : 0};
                INFO("mesh " << n[0] << " " << n[1] << " " << n[2] << " cut " << first << " x " << second << " from "
                             << pencils.from_y << " and " << pencils.from_z);
                omp_set_num_threads(1);
                CHECK(by_tiles<float>(pencils) == mixed);
                CHECK(by_tiles<double>(pencils) == exact);
                omp_set_num_threads(3);
                CHECK(by_tiles<float>(pencils) == mixed);
            }
        }
    }
    omp_set_num_threads(threads_before);
}
