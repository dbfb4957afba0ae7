// SPDX-License-Identifier: Apache-2.0
#include "forces/reference/ewald.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/units.h"
#include "parallel/threads.h"

namespace mdsim {

using ewald::ComplexLanes;
using ewald::Lanes;
using ewald::lanes;

namespace {

void load(ComplexLanes& out, const std::vector<double>& re, const std::vector<double>& im, std::size_t first,
          double sign) {
    for (std::size_t l = 0; l < lanes; ++l) {
        out.re[l] = re[first + l];
        out.im[l] = sign * im[first + l];
    }
}

/// a *= b
void multiply(ComplexLanes& a, const ComplexLanes& b) {
    for (std::size_t l = 0; l < lanes; ++l) {
        const double re = a.re[l] * b.re[l] - a.im[l] * b.im[l];
        a.im[l] = a.re[l] * b.im[l] + a.im[l] * b.re[l];
        a.re[l] = re;
    }
}

/// Calls add(n, start * step^n) for n = -largest .. largest, from 0 outwards. step has the absolute value 1.
template <class F>
void walk(const ComplexLanes& start, const ComplexLanes& step, int largest, F&& add) {
    ComplexLanes back = step, up = start, down = start;
    for (double& im : back.im) im = -im;
    add(0, start);
    for (int n = 1; n <= largest; ++n) {
        multiply(up, step);
        multiply(down, back);
        add(n, up);
        add(-n, down);
    }
}

std::complex<double> sum(const ComplexLanes& a) {
    std::complex<double> total{};
    for (std::size_t l = 0; l < lanes; ++l) total += std::complex<double>(a.re[l], a.im[l]);
    return total;
}

}  // namespace

EwaldReciprocal::EwaldReciprocal(std::vector<double> scaled_charges, const EwaldSettings& settings)
    : charges_(std::move(scaled_charges)), settings_(settings) {
    MDSIM_EXPECT(settings.beta > 0.0);
    if (settings_.largest_k2 <= 0.0) settings_.largest_k2 = 4.0 * settings.beta * settings.beta * std::log(1e13);
    // Padded with atoms without charge to whole vectors.
    charges_.resize((charges_.size() + lanes - 1) / lanes * lanes, 0.0);
}

Vec3d EwaldReciprocal::wave_vector(int x, int y, int z) const {
    return static_cast<double>(x) * reciprocal_[0] + static_cast<double>(y) * reciprocal_[1] +
           static_cast<double>(z) * reciprocal_[2];
}

void EwaldReciprocal::make_rows(const Box& box) {
    const Mat3d& h = box.rows();
    volume_ = box.volume();
    const double scale = 2.0 * units::pi / volume_;
    reciprocal_ = {scale * cross(h[1], h[2]), scale * cross(h[2], h[0]), scale * cross(h[0], h[1])};
    const double largest_k2 = settings_.largest_k2;
    // |k.a| = 2 pi n <= |k| |a| bounds n along each box vector.
    for (int a = 0; a < 3; ++a) {
        largest_[a] = static_cast<int>(std::sqrt(largest_k2) * norm(h[static_cast<std::size_t>(a)]) / (2 * units::pi));
    }
    rows_.clear();
    std::size_t first = 0;
    for (int z = 0; z <= largest_.z; ++z) {
        for (int y = z == 0 ? 0 : -largest_.y; y <= largest_.y; ++y) {
            int x = -1;  // the largest |n| in this row, of either sign
            for (int n = 0; n <= largest_.x; ++n) {
                if (norm2(wave_vector(n, y, z)) <= largest_k2 || norm2(wave_vector(-n, y, z)) <= largest_k2) x = n;
            }
            if (x < 0) continue;
            rows_.push_back({y, z, x, first});
            first += static_cast<std::size_t>(2 * x + 1);
        }
    }
    factors_.assign(first, {});
}

void EwaldReciprocal::make_phases(const Evaluation& evaluation) {
    for (int a = 0; a < 3; ++a) {
        for (auto* part : {&phases_[a].re, &phases_[a].im}) {
            part->resize(static_cast<std::size_t>(largest_[a]) + 1);
            for (auto& of_n : *part) of_n.assign(charges_.size(), 0.0);
        }
    }
    parallel_ranges(evaluation.x.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3d s = evaluation.box.to_fractional(evaluation.x[i]);
            for (int a = 0; a < 3; ++a) {
                const double angle = 2.0 * units::pi * (s[a] - std::round(s[a]));
                const std::complex<double> step(std::cos(angle), std::sin(angle));
                std::complex<double> power(1.0, 0.0);
                for (std::size_t n = 0; n < phases_[a].re.size(); ++n, power *= step) {
                    phases_[a].re[n][i] = power.real();
                    phases_[a].im[n][i] = power.imag();
                }
            }
        }
    });
}

EwaldReciprocal::RowPhases EwaldReciprocal::row_phases(const Row& row, std::size_t i) const {
    const auto y = static_cast<std::size_t>(std::abs(row.y)), z = static_cast<std::size_t>(row.z);
    const std::size_t one = largest_.x > 0 ? 1 : 0;
    RowPhases out;
    ComplexLanes other;
    load(out.start, phases_[1].re[y], phases_[1].im[y], i, row.y < 0 ? -1.0 : 1.0);
    load(other, phases_[2].re[z], phases_[2].im[z], i, 1.0);
    multiply(out.start, other);
    load(out.step, phases_[0].re[one], phases_[0].im[one], i, 1.0);
    return out;
}

// S(k) of one row, atoms in their order.
void EwaldReciprocal::make_factors(const Row& row) {
    std::vector<ComplexLanes> sums(static_cast<std::size_t>(2 * row.x + 1), ComplexLanes{});
    for (std::size_t i = 0; i < charges_.size(); i += lanes) {
        RowPhases phases = row_phases(row, i);
        for (std::size_t l = 0; l < lanes; ++l) {
            phases.start.re[l] *= charges_[i + l];
            phases.start.im[l] *= charges_[i + l];
        }
        walk(phases.start, phases.step, row.x, [&](int n, const ComplexLanes& p) {
            ComplexLanes& s = sums[static_cast<std::size_t>(row.x + n)];
            for (std::size_t l = 0; l < lanes; ++l) {
                s.re[l] += p.re[l];
                s.im[l] += p.im[l];
            }
        });
    }
    for (std::size_t n = 0; n < sums.size(); ++n) factors_[row.first + n] = sum(sums[n]);
}

// Energy and virial of a row, each one addend (most wave vectors have less than one unit); afterwards a factor is
// S(k) times its weight in the force. Every wave vector of the half space counts twice, save k = 0 and, in the row
// through the origin, those with n < 0.
void EwaldReciprocal::weigh_factors(const Evaluation& evaluation, const Row& row, EnergySums& sums) {
    const double quarter = 1.0 / (4.0 * settings_.beta * settings_.beta);
    double row_energy = 0.0;
    Mat3d row_virial{};
    for (int n = -row.x; n <= row.x; ++n) {
        std::complex<double>& factor = factors_[row.first + static_cast<std::size_t>(row.x + n)];
        const Vec3d k = wave_vector(n, row.y, row.z);
        const double k2 = norm2(k);
        const bool left_out = (row.y == 0 && row.z == 0 && n <= 0) || k2 > settings_.largest_k2;
        const double weight = left_out ? 0.0 : 4.0 * units::pi / volume_ * std::exp(-k2 * quarter) / k2;
        const double energy = weight * std::norm(factor);
        factor *= 2.0 * weight;
        if (left_out) continue;
        row_energy += energy;
        for (int a = 0; a < 3; ++a) {
            row_virial[static_cast<std::size_t>(a)] += -2.0 * energy * (1.0 / k2 + quarter) * k[a] * k;
            row_virial[static_cast<std::size_t>(a)][a] += energy;
        }
    }
    if (evaluation.plan.energies == Need::yes) sums[Term::coulomb_recip].add(row_energy);
    if (evaluation.plan.virial == Need::no) return;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) sums.virial(a, b).add(row_virial[static_cast<std::size_t>(a)][b]);
    }
}

// f = q sum over k of k Im(2 w S(k)* exp(i k.x)), summed for a vector of atoms in the basis of the reciprocal cell.
void EwaldReciprocal::add_forces(ForceSink::Slot& slot, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; i += lanes) {
        Lanes gx{}, gy{}, gz{};
        for (const Row& row : rows_) {
            const RowPhases phases = row_phases(row, i);
            Lanes total{};
            walk(phases.start, phases.step, row.x, [&](int n, const ComplexLanes& p) {
                const std::complex<double> s = factors_[row.first + static_cast<std::size_t>(row.x + n)];
                for (std::size_t l = 0; l < lanes; ++l) {
                    const double t = s.real() * p.im[l] - s.imag() * p.re[l];
                    total[l] += t;
                    gx[l] += n * t;
                }
            });
            for (std::size_t l = 0; l < lanes; ++l) {
                gy[l] += row.y * total[l];
                gz[l] += row.z * total[l];
            }
        }
        for (std::size_t l = 0; l < lanes; ++l) {
            if (charges_[i + l] == 0.0) continue;  // also the padding
            slot.add(i + l,
                     charges_[i + l] * (gx[l] * reciprocal_[0] + gy[l] * reciprocal_[1] + gz[l] * reciprocal_[2]));
        }
    }
}

void EwaldReciprocal::compute(const Evaluation& evaluation, ForceSink& sink) {
    if (!evaluation.box.periodic()) return;
    make_rows(evaluation.box);
    make_phases(evaluation);
    parallel_ranges(rows_.size(), [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            make_factors(rows_[n]);
            weigh_factors(evaluation, rows_[n], sink.slot(thread).energies());
        }
    });
    parallel_ranges(charges_.size(), lanes,
                    [&](int thread, std::size_t begin, std::size_t end) { add_forces(sink.slot(thread), begin, end); });
}

}  // namespace mdsim
