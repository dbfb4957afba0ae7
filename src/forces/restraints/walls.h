// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forces/force_term.h"
#include "forces/restraints/restraint_sums.h"
#include "system/restraints/restraint_kinds.h"

namespace mdsim {

/// plane: |x_axis - centre_axis| <= half_width.
struct WallSettings {
    std::string name;
    WallShape shape = WallShape::plane;
    int axis = 2;             ///< of plane and cylinder
    Vec3d centre;             ///< [nm]
    double half_width = 0.0;  ///< or radius [nm]
    WallSide keep = WallSide::inside;
    double force_constant = 0.0;      ///< [kJ/mol/nm^2]
    std::vector<std::int64_t> atoms;  ///< global numbers, ascending
};

/// Keeps atoms inside or outside a region that stands still: k/2 (way out of it)^2 each, nothing within, counted as
/// `restraint`. Each atom is taken in the periodic image nearest to the centre; along an axis, or across one, that is
/// right where the box vector of the axis is at right angles to the others (`fits`). The virial is that of the image's
/// position, as of any external field.
class Wall final : public HostTerm {
  public:
    explicit Wall(WallSettings settings);
    /// Whether a region of this shape repeats with the box.
    static bool fits(WallShape shape, int axis, const Box& box);

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override;
    void rebuild(const Evaluation&) override {}
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void compute(const Evaluation&, ForceSink&) override {}
    void report(std::vector<RestraintSums>& to) const override { to.push_back(report_); }

  private:
    WallSettings settings_;
    std::vector<std::size_t> home_;  ///< local numbers
    RestraintSums report_;           ///< of the last evaluation with energies

    Vec3d from_centre(const Vec3d& x) const;
};

}  // namespace mdsim
