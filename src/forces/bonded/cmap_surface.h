// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "physics/bonded/cmap.h"
#include "system/force_field.h"

namespace mdsim::bonded {

/// A correction map made smooth: bicubic in each cell of the grid, with the slopes at grid points of the periodic cubic
/// spline through them along either angle. Those are the slopes that CHARMM, GROMACS and OpenMM use (MacKerell, Feig
/// and Brooks, J. Comput. Chem. 25 (2004) 1400); the surface has continuous second derivatives.
class CmapSurface {
  public:
    explicit CmapSurface(const CmapGrid& grid);

    /// At two angles [rad] in [-pi, pi]: energy [kJ/mol] and slopes [kJ/mol/rad].
    physics::CmapResult at(double first, double second) const;

  private:
    const physics::CmapNode& node(int first, int second) const {
        return nodes_[static_cast<std::size_t>(first) * static_cast<std::size_t>(size_) +
                      static_cast<std::size_t>(second)];
    }

    int size_;
    std::vector<physics::CmapNode> nodes_;  // extent: size * size
};

}  // namespace mdsim::bonded
