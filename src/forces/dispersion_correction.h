// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "forces/force_term.h"
#include "system/nonbonded.h"
#include "system/topology.h"

namespace mdsim {

/// <C6> over all distinct pairs of atoms that are not excluded [kJ/mol nm^6].
double average_c6(const Topology& topology);

/// What a homogeneous liquid would add to the plain r^-6 attraction beyond the cutoff and where its form differs from
/// -r^-6 before (shift, switches), as GROMACS' DispCorr = EnerPres does (GROMACS manual, "Long range Van der Waals
/// interactions"; Allen and Tildesley, Computer Simulation of Liquids, 2nd ed., eqs. 2.139-2.143):
/// E = N/2 <C6> (rho energy - self), W = N/2 <C6> rho virial on each diagonal.
struct DispersionConstants {
    double energy;  ///< integral of the missing potential over all space [nm^-3]
    double self;    ///< the constant by which the form is shifted near r = 0, counted once too often [nm^-6]
    double virial;  ///< minus a third of the integral of r times its slope [nm^-3]
};
DispersionConstants dispersion_constants(const NonbondedSettings& settings);

/// Energy (dispersion_correction) and virial of the correction at the volume of the box; nothing in vacuum.
class DispersionCorrection final : public HostTerm {
  public:
    DispersionCorrection(double atoms, double average_c6, const NonbondedSettings& settings);

    Part part() const override { return Part::short_range; }
    void rebuild(const Evaluation&) override {}
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void compute(const Evaluation&, ForceSink&) override {}

    /// [kJ/mol] at a volume [nm^3].
    double energy(double volume) const;
    /// W_xx = W_yy = W_zz [kJ/mol]; the pressure is W_xx/V.
    double virial(double volume) const;

  private:
    double atoms_;
    double average_c6_;
    DispersionConstants constants_;
};

/// Null without a cutoff. Of the whole system, so that of several ranks one has it.
std::unique_ptr<DispersionCorrection> make_dispersion_correction(const Topology& topology,
                                                                 const NonbondedSettings& settings);

}  // namespace mdsim
