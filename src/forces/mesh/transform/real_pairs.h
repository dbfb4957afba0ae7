// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

namespace mdsim::mesh {

// Two real lines a and b are transformed as one complex line a + i b with the transform Z. That of a is
// (Z[k] + conj Z[-k]) / 2 and that of b is (Z[k] - conj Z[-k]) / 2i. Twice these are kept, for k = 0 ... n/2, those of
// a pair beside each other.

/// plus, minus: Z[k] and Z[-k] of `pairs` lines; out: twice the transforms at k of both lines of each.
template <class Real>
void separate_pairs(const std::complex<Real>* plus, const std::complex<Real>* minus, int pairs,
                    std::complex<Real>* spectrum) {
    const Real* p = reinterpret_cast<const Real*>(plus);
    const Real* m = reinterpret_cast<const Real*>(minus);
    Real* out = reinterpret_cast<Real*>(spectrum);
    for (int l = 0; l < pairs; ++l) {
        out[4 * l] = p[2 * l] + m[2 * l];
        out[4 * l + 1] = p[2 * l + 1] - m[2 * l + 1];
        out[4 * l + 2] = p[2 * l + 1] + m[2 * l + 1];
        out[4 * l + 3] = m[2 * l] - p[2 * l];
    }
}

/// The way back for transforms A and B: Z[k] = A[k] + i B[k] and Z[-k] = conj A[k] + i conj B[k].
template <class Real>
void join_pairs(const std::complex<Real>* spectrum, int pairs, std::complex<Real>* plus, std::complex<Real>* minus) {
    const Real* in = reinterpret_cast<const Real*>(spectrum);
    Real* p = reinterpret_cast<Real*>(plus);
    Real* m = reinterpret_cast<Real*>(minus);
    for (int l = 0; l < pairs; ++l) {
        const Real ar = in[4 * l], ai = in[4 * l + 1], br = in[4 * l + 2], bi = in[4 * l + 3];
        p[2 * l] = ar - bi;
        p[2 * l + 1] = ai + br;
        m[2 * l] = ar + bi;
        m[2 * l + 1] = br - ai;
    }
}

/// The same where k = -k and A and B are real: what rounding (or a multiplier without symmetry) left as imaginary parts
/// is dropped.
template <class Real>
void join_real_pairs(const std::complex<Real>* spectrum, int pairs, std::complex<Real>* plus) {
    for (int l = 0; l < pairs; ++l) plus[l] = {spectrum[2 * l].real(), spectrum[2 * l + 1].real()};
}

/// Both for a whole batch [n][8] of lines of length n; row(k): where the transforms of the batch at k are.
template <class Real, class Row>
void separate_lines(const std::complex<Real>* batch, int n, int pairs, Row&& row) {
    for (int k = 0; 2 * k <= n; ++k) separate_pairs(batch + 8 * k, batch + 8 * (k == 0 ? 0 : n - k), pairs, row(k));
}
template <class Real, class Row>
void join_lines(int n, int pairs, Row&& row, std::complex<Real>* batch) {
    for (int k = 0; 2 * k <= n; ++k) {
        if (k == 0 || 2 * k == n) {
            join_real_pairs(row(k), pairs, batch + 8 * k);
        } else {
            join_pairs(row(k), pairs, batch + 8 * k, batch + 8 * (n - k));
        }
    }
}

}  // namespace mdsim::mesh
