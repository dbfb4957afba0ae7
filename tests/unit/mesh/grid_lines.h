// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forces/mesh/transform/line_fft.h"

namespace mdsim::test {

/// Fills a batch of lines along x as transforms take them: value(x, z) for z0 ... nz - 1, and zero beyond.
template <class Real, class Value>
void fill_lines(Real* lines, int nx, int z0, int nz, Value&& value) {
    constexpr int batch = mesh::LineFft<Real>::real_lines;
    for (int x = 0; x < nx; ++x) {
        for (int l = 0; l < batch; ++l) {
            lines[x * batch + l] = z0 + l < nz ? static_cast<Real>(value(x, z0 + l)) : Real(0);
        }
    }
}

/// take(x, z, value) for what such a batch holds.
template <class Real, class Take>
void read_lines(const Real* lines, int nx, int z0, int nz, Take&& take) {
    constexpr int batch = mesh::LineFft<Real>::real_lines;
    for (int x = 0; x < nx; ++x) {
        for (int l = 0; l < batch && z0 + l < nz; ++l) take(x, z0 + l, lines[x * batch + l]);
    }
}

}  // namespace mdsim::test
