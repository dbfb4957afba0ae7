// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/vec3.h"
#include "integrate/barostats/box_move.h"
#include "system/state.h"

namespace mdsim {

/// Stochastic cell rescaling, Bernetti & Bussi, J. Chem. Phys. 153 (2020) 114107: eq 5 for the logarithm of the volume,
/// and the semi-isotropic equations of their supplementary material (area and height, without surface tension). In the
/// logarithm the drift caused by a diffusion coefficient that depends on the volume cancels the volume's own measure,
/// so that kT/V appears nowhere. Momenta are scaled inversely.
class CRescale {
  public:
    struct Settings {
        PressureCoupling coupling;
        double pressure;         ///< [bar]
        double time;             ///< tau [ps]
        double interval;         ///< between two uses: coupling_every * dt [ps]
        double compressibility;  ///< [1/bar]
        std::uint64_t seed;
    };
    explicit CRescale(const Settings& settings) : settings_(settings) {}

    /// From the pressure tensor [bar] of this step: draws the change of the box that is due before the next evaluation
    /// (state.coupling.pending_box_move) and books its work on the system, -V sum P_aa ln m_a to first order in the
    /// strain, in state.coupling.barostat_work. `temperature` [K] of the bath. The noise depends on seed and step
    /// alone.
    void couple(State& state, const Mat3d& pressure, double temperature) const;

  private:
    Settings settings_;
};

}  // namespace mdsim
