// SPDX-License-Identifier: Apache-2.0
#include "analyse/msd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/threads.h"

namespace mdsim::analyse {

namespace {

/// Blocks of particles whose diffusion coefficients are compared to find the error of the mean.
constexpr std::size_t blocks = 10;

std::size_t block_begin(std::size_t particles, std::size_t block) {
    return particles * block / blocks;
}

}  // namespace

const std::vector<Vec3d>& Unwrapper::follow(const Box& box, const std::vector<Vec3d>& x) {
    if (wrapped_.size() != x.size()) {
        unwrapped_ = x;
    } else {
        for (std::size_t i = 0; i < x.size(); ++i) unwrapped_[i] += box.minimum_image(x[i] - wrapped_[i]);
    }
    wrapped_ = x;
    return unwrapped_;
}

Msd::Msd(const Topology& topology, Settings settings)
    : settings_(std::move(settings)),
      table_(atom_table(topology)),
      group_(settings_.select, topology, Selecting::once),
      kept_(static_cast<std::size_t>(settings_.lags) + 1),
      sums_(static_cast<std::size_t>(settings_.lags) + 1, std::vector<double>(blocks)) {}

std::vector<std::string> Msd::columns() const {
    if (settings_.result == Result::displacements) return {"lag [ps]", "msd [nm^2]", "origins"};
    return {"from [ps]",           "to [ps]",  "diffusion [nm^2/ps]", "error [nm^2/ps]", "diffusion [1e-5 cm^2/s]",
            "error [1e-5 cm^2/s]", "particles"};
}

std::vector<Vec3d> Msd::particles(const Snapshot& frame) {
    const std::vector<std::int64_t>& atoms = group_.atoms(frame);
    if (settings_.particles == Particles::atoms) return positions(frame.x, atoms);
    std::vector<Vec3d> centres;
    for (std::size_t i = 0; i < atoms.size();) {
        const std::int64_t molecule = table_.molecule[static_cast<std::size_t>(atoms[i])];
        Vec3d sum{};
        double mass = 0.0;
        for (; i < atoms.size() && table_.molecule[static_cast<std::size_t>(atoms[i])] == molecule; ++i) {
            const auto atom = static_cast<std::size_t>(atoms[i]);
            sum += table_.mass[atom] * frame.x[atom];
            mass += table_.mass[atom];
        }
        centres.push_back(sum * (1.0 / mass));
    }
    return centres;
}

void Msd::note_time(double time) {
    if (frames_ == 0) first_time_ = time;
    if (frames_ == 1) interval_ = time - first_time_;
    if (frames_ > 1) unevenness_ = std::max(unevenness_, std::abs((time - last_time_) / interval_ - 1.0));
    last_time_ = time;
}

// A lag belongs to one thread, and a block of particles is summed in order: the same for any number of threads.
void Msd::add(const Snapshot& frame, std::vector<Row>&) {
    note_time(frame.time);
    const std::vector<Vec3d>& now = unwrapper_.follow(frame.box, particles(frame));
    kept_[static_cast<std::size_t>(frames_) % kept_.size()] = now;
    ++frames_;
    const std::size_t reach = std::min(sums_.size(), static_cast<std::size_t>(frames_));
    parallel_ranges(reach, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t lag = begin; lag < end; ++lag) {
            const std::vector<Vec3d>& before = kept_[(static_cast<std::size_t>(frames_) - 1 - lag) % kept_.size()];
            for (std::size_t block = 0; block < blocks; ++block) {
                double sum = 0.0;
                const std::size_t last = block_begin(now.size(), block + 1);
                for (std::size_t i = block_begin(now.size(), block); i < last; ++i) sum += norm2(now[i] - before[i]);
                sums_[lag][block] += sum;
            }
        }
    });
}

std::size_t Msd::lags() const {
    return std::min(sums_.size(), static_cast<std::size_t>(frames_));
}

double Msd::displacement(std::size_t lag, int block) const {
    const std::size_t particles = kept_.front().size();
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (block >= 0 && b != static_cast<std::size_t>(block)) continue;
        sum += sums_[lag][b];
        count += block_begin(particles, b + 1) - block_begin(particles, b);
    }
    return sum / static_cast<double>(count) / static_cast<double>(origins(lag));
}

// Least squares over the lags of the fit.
double Msd::slope(int block) const {
    const auto longest = static_cast<double>(lags() - 1);
    const auto first = static_cast<std::size_t>(std::ceil(settings_.fit_from * longest));
    const auto last = static_cast<std::size_t>(std::floor(settings_.fit_to * longest));
    double n = 0.0, t = 0.0, y = 0.0, tt = 0.0, ty = 0.0;
    for (std::size_t lag = first; lag <= last; ++lag) {
        const double time = interval_ * static_cast<double>(lag), value = displacement(lag, block);
        n += 1.0;
        t += time;
        y += value;
        tt += time * time;
        ty += time * value;
    }
    return (n * ty - t * y) / (n * tt - t * t);
}

// Einstein: <r^2> = 6 D t. The error is that of the mean over the blocks of particles.
void Msd::add_diffusion(std::vector<Row>& rows) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double in_1e5_cm2_per_s = 1e3;  // of 1 nm^2/ps = 1e-2 cm^2/s
    const std::size_t particles = kept_.front().size();
    const double d = slope(-1) / 6.0;
    double square = 0.0;
    for (std::size_t b = 0; b < blocks && particles >= blocks; ++b) {
        const double deviation = slope(static_cast<int>(b)) / 6.0 - d;
        square += deviation * deviation;
    }
    const double error = particles >= blocks ? std::sqrt(square / (blocks * (blocks - 1))) : nan;
    const auto longest = static_cast<double>(lags() - 1);
    rows.push_back({interval_ * std::ceil(settings_.fit_from * longest),
                    interval_ * std::floor(settings_.fit_to * longest), d, error, in_1e5_cm2_per_s * d,
                    in_1e5_cm2_per_s * error, static_cast<std::int64_t>(particles)});
}

void Msd::finish(std::vector<Row>& rows) {
    if (frames_ == 0) return;
    if (settings_.result == Result::diffusion) return add_diffusion(rows);
    for (std::size_t lag = 0; lag < lags(); ++lag)
        rows.push_back({interval_ * static_cast<double>(lag), displacement(lag, -1), origins(lag)});
}

}  // namespace mdsim::analyse
