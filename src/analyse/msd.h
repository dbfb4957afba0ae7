// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyse/measure.h"

namespace mdsim::analyse {

/// What moves: atoms, or the centres of mass of the selected atoms of each molecule.
enum class Particles { atoms, molecules };

/// Follows particles through periodic boundaries: each step is the shortest way in the box of the later frame (the
/// scheme that keeps displacements right when the box changes: von Bulow, Bullerjahn & Hummer, J. Chem. Phys. 153
/// (2020) 021101, "toroidal view"). Right as long as nothing moves half a box between two frames.
class Unwrapper {
  public:
    /// Takes the next frame; gives positions without jumps.
    const std::vector<Vec3d>& follow(const Box& box, const std::vector<Vec3d>& x);

  private:
    std::vector<Vec3d> wrapped_, unwrapped_;  // of the last frame
};

/// Mean squared displacement against lag, averaged over particles and over all origins of time, and the diffusion
/// coefficient from a straight line through it. Frames must follow each other at equal times. The last `lags` frames
/// are kept, so that the memory does not depend on how many there are.
class Msd final : public Measure {
  public:
    enum class Result { displacements, diffusion };
    struct Settings {
        std::string select;
        Particles particles = Particles::atoms;
        std::int64_t lags = 100;  ///< longest lag [frames]
        /// The line is fitted from so large a share of the longest lag to so large a one.
        double fit_from = 0.1, fit_to = 0.5;
        Result result = Result::displacements;
    };
    Msd(const Topology& topology, Settings settings);
    std::vector<std::string> columns() const override;
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>& rows) override;

    /// Relative deviation of the time between two frames from that between the first two, the largest so far.
    double unevenness() const { return unevenness_; }

  private:
    Settings settings_;
    AtomTable table_;
    Group group_;
    Unwrapper unwrapper_;
    std::vector<std::vector<Vec3d>> kept_;   // of the last frames, in a ring
    std::vector<std::vector<double>> sums_;  // by lag and block of particles: squared displacements [nm^2]
    std::int64_t frames_ = 0;
    double first_time_ = 0.0, last_time_ = 0.0, interval_ = 0.0, unevenness_ = 0.0;  // [ps]

    std::vector<Vec3d> particles(const Snapshot& frame);
    void note_time(double time);
    std::int64_t origins(std::size_t lag) const { return frames_ - static_cast<std::int64_t>(lag); }
    std::size_t lags() const;
    /// Of one block of particles, or of all (block -1) [nm^2].
    double displacement(std::size_t lag, int block) const;
    double slope(int block) const;
    void add_diffusion(std::vector<Row>& rows) const;
};

}  // namespace mdsim::analyse
