// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>
#include <omp.h>

#include "core/units.h"
#include "forces/mesh/transform/fft3d.h"
#include "mesh/grid_lines.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

template <class Real>
AlignedVector<std::complex<Real>> some_lines(int length, unsigned seed) {
    AlignedVector<std::complex<Real>> v(static_cast<std::size_t>(8 * round_up(length, 8)));
    for (auto& z : v) {
        seed = seed * 1664525u + 1013904223u;
        z = {static_cast<Real>(seed >> 8) / Real(1 << 24), static_cast<Real>((seed * 69069u) >> 8) / Real(1 << 24)};
    }
    return v;
}

template <class Real>
void check_line_transform(int n, BatchLayout layout, double tolerance) {
    const LineFft<Real> fft(n, layout);
    const auto in = some_lines<Real>(n, 1u);
    auto work = in;
    AlignedVector<std::complex<Real>> out(in.size());
    fft.forward(work.data(), out.data());
    const auto at = [&](int line, int i) {
        return static_cast<std::size_t>(layout == BatchLayout::interleaved ? 8 * i + line : round_up(n, 8) * line + i);
    };
    double worst = 0.0;
    for (int line : {0, 3, 7}) {
        for (int k = 0; k < n; ++k) {
            std::complex<double> sum = 0;
            for (int i = 0; i < n; ++i) {
                sum += std::complex<double>(in[at(line, i)]) * std::polar(1.0, -2 * units::pi * i * k / n);
            }
            worst = std::max(worst, std::abs(sum - std::complex<double>(out[at(line, k)])));
        }
    }
    CHECK(worst < tolerance * n);
    fft.backward(out.data(), work.data());
    worst = 0.0;
    for (int i = 0; i < n; ++i) {
        worst = std::max(worst, static_cast<double>(std::abs(work[at(5, i)] / Real(n) - in[at(5, i)])));
    }
    CHECK(worst < tolerance * n);
}

// What the convolution hands to `multiply`, and what it gives back when nothing is multiplied.
struct Convolved {
    std::vector<std::complex<double>> spectrum;  // [nx/2 + 1][ny][nz]
    std::vector<double> back;                    // [nx][ny][nz]
};

double grid_value(int x, int y, int z) {
    return std::sin(1.0 + 3.7 * x + 1.3 * y * y + 0.7 * z * z * (x + 1));
}

template <class Real>
Convolved convolve(std::array<int, 3> n) {
    Fft3d<Real> fft(n);
    Convolved out;
    out.spectrum.resize(static_cast<std::size_t>(fft.planes() * n[1] * n[2]));
    out.back.resize(static_cast<std::size_t>(n[0] * n[1] * n[2]));
    fft.convolve(
        [&](int y, int z0, Real* lines) {
            test::fill_lines(lines, n[0], z0, n[2], [&](int x, int z) { return grid_value(x, y, z); });
        },
        [&](int, int kx, std::complex<Real>* plane) {
            for (int ky = 0; ky < n[1]; ++ky) {
                for (int kz = 0; kz < n[2]; ++kz) {
                    out.spectrum[static_cast<std::size_t>((kx * n[1] + ky) * n[2] + kz)] =
                        std::complex<double>(plane[ky * fft.pitch() + kz]);
                }
            }
        },
        [&](int y, int z0, const Real* lines) {
            test::read_lines(lines, n[0], z0, n[2], [&](int x, int z, Real value) {
                out.back[static_cast<std::size_t>((x * n[1] + y) * n[2] + z)] = value;
            });
        });
    return out;
}

}  // namespace

TEST_CASE("line transforms equal the sum that defines them", "[mesh][fft]") {
    for (int n : {8, 9, 10, 16, 21, 35, 48, 50, 64}) {
        for (const BatchLayout layout : {BatchLayout::interleaved, BatchLayout::contiguous}) {
            check_line_transform<double>(n, layout, 1e-14);
            check_line_transform<float>(n, layout, 1e-6);
        }
    }
}

TEST_CASE("the bits of a line transform do not depend on what was planned before", "[mesh][fft][determinism]") {
    for (int n : {20, 27, 42, 48, 64}) {
        const auto in = some_lines<float>(n, 7u);
        AlignedVector<std::complex<float>> first(in.size()), second(in.size());
        auto work = in;
        LineFft<float>(n, BatchLayout::interleaved).forward(work.data(), first.data());
        std::vector<LineFft<float>> others;
        for (int other : {n, 2 * n, 8, 64, 96}) {
            others.emplace_back(other, BatchLayout::contiguous);
            others.emplace_back(other, BatchLayout::interleaved);
        }
        work = in;
        LineFft<float>(n, BatchLayout::interleaved).forward(work.data(), second.data());
        CHECK(first == second);
    }
}

TEST_CASE("the three-dimensional transform equals the sum that defines it", "[mesh][fft]") {
    for (const std::array<int, 3> n : {std::array<int, 3>{8, 9, 10}, {9, 8, 21}, {12, 10, 16}}) {
        const Convolved d = convolve<double>(n), f = convolve<float>(n);
        double worst = 0.0, worst_float = 0.0, worst_back = 0.0;
        for (int kx = 0; kx <= n[0] / 2; ++kx) {
            for (int ky = 0; ky < n[1]; ky += 3) {
                for (int kz = 0; kz < n[2]; ++kz) {
                    std::complex<double> sum = 0;
                    for (int x = 0; x < n[0]; ++x) {
                        for (int y = 0; y < n[1]; ++y) {
                            for (int z = 0; z < n[2]; ++z) {
                                const double phase =
                                    double(kx * x) / n[0] + double(ky * y) / n[1] + double(kz * z) / n[2];
                                sum += grid_value(x, y, z) * std::polar(1.0, -2 * units::pi * phase);
                            }
                        }
                    }
                    const auto i = static_cast<std::size_t>((kx * n[1] + ky) * n[2] + kz);
                    worst = std::max(worst, std::abs(2.0 * sum - d.spectrum[i]));
                    worst_float = std::max(worst_float, std::abs(2.0 * sum - f.spectrum[i]));
                }
            }
        }
        const int points = n[0] * n[1] * n[2];
        for (int x = 0; x < n[0]; ++x) {
            for (int y = 0; y < n[1]; ++y) {
                for (int z = 0; z < n[2]; ++z) {
                    const auto i = static_cast<std::size_t>((x * n[1] + y) * n[2] + z);
                    worst_back = std::max(worst_back, std::abs(d.back[i] / (2.0 * points) - grid_value(x, y, z)));
                }
            }
        }
        CHECK(worst < 1e-11);
        CHECK(worst_float < 5e-4);
        CHECK(worst_back < 1e-14);
    }
}

TEST_CASE("the bits of a convolution do not depend on threads", "[mesh][fft][determinism]") {
    const int threads_before = omp_get_max_threads();
    const std::array<int, 3> n{20, 18, 27};
    omp_set_num_threads(1);
    const Convolved one = convolve<float>(n);
    for (int threads : {2, 3, 4, 9}) {
        omp_set_num_threads(threads);
        const Convolved many = convolve<float>(n);
        CHECK(many.spectrum == one.spectrum);
        CHECK(many.back == one.back);
    }
    omp_set_num_threads(threads_before);
}
