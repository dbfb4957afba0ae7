// SPDX-License-Identifier: Apache-2.0
#include "run/parity/conventions.h"

#include <algorithm>

#include "core/units.h"

namespace mdsim::parity {

namespace {

// sander's mdout. The dispersion correction (vdwmeth = 1) is part of VDWAALS, everything but 1-4 pairs of EELEC; UB,
// IMP and CMAP are printed with topologies of CHARMM force fields.
Format amber() {
    return {"AMBER",
            "amber",
            "kcal/mol",
            units::kcal,
            units::coulomb_amber,
            "EPtot",
            {{"BOND", {"bond"}},
             {"ANGLE", {"angle"}},
             {"DIHED", {"proper_dihedral", "improper_periodic", "ryckaert_bellemans"}},
             {"UB", {"urey_bradley"}},
             {"IMP", {"improper_harmonic"}},
             {"CMAP", {"cmap"}},
             {"1-4 NB", {"lj_14"}},
             {"1-4 EEL", {"coulomb_14"}},
             {"VDWAALS", {"lj_sr", "lj_mesh", "dispersion_correction"}},
             {"EELEC",
              {"coulomb_real", "coulomb_recip", "coulomb_self", "coulomb_exclusion", "coulomb_net_charge_background"}},
             {"RESTRAINT", {"restraint"}}}};
}

// gmx energy. Coulomb (SR) holds what charges do to themselves and to excluded neighbours: the pair kernels of the
// Verlet scheme take that off again; the background of a charged cell is with the mesh.
Format gromacs() {
    return {"GROMACS",
            "gromacs",
            "kJ/mol",
            1.0,
            units::coulomb_codata2018,
            "Potential",
            {{"Bond", {"bond"}},
             {"Angle", {"angle"}},
             {"U-B", {"urey_bradley"}},
             {"Proper Dih.", {"proper_dihedral"}},
             {"Ryckaert-Bell.", {"ryckaert_bellemans"}},
             {"Per. Imp. Dih.", {"improper_periodic"}},
             {"Improper Dih.", {"improper_harmonic"}},
             {"CMAP Dih.", {"cmap"}},
             {"LJ-14", {"lj_14"}},
             {"Coulomb-14", {"coulomb_14"}},
             {"LJ (SR)", {"lj_sr"}},
             {"LJ recip.", {"lj_mesh"}},
             {"Disper. corr.", {"dispersion_correction"}},
             {"Coulomb (SR)", {"coulomb_real", "coulomb_self", "coulomb_exclusion"}},
             {"Coul. recip.", {"coulomb_recip", "coulomb_net_charge_background"}},
             {"Position Rest.", {"restraint"}}}};
}

// ENERGY of CHARMM: 1-4 pairs are among VDWaals and ELEC; parts of an Ewald sum stand under names of their own.
Format charmm() {
    return {"CHARMM",
            "charmm",
            "kcal/mol",
            units::kcal,
            units::coulomb_charmm,
            "ENERgy",
            {{"BONDs", {"bond"}},
             {"ANGLes", {"angle"}},
             {"UREY-b", {"urey_bradley"}},
             {"DIHEdrals", {"proper_dihedral", "ryckaert_bellemans"}},
             {"IMPRopers", {"improper_harmonic", "improper_periodic"}},
             {"CMAPs", {"cmap"}},
             {"VDWaals", {"lj_sr", "lj_14", "lj_mesh", "dispersion_correction"}},
             {"ELEC", {"coulomb_real", "coulomb_14"}},
             {"EWKSum", {"coulomb_recip", "coulomb_net_charge_background"}},
             {"EWSElf", {"coulomb_self"}},
             {"EWEXcl", {"coulomb_exclusion"}},
             {"HARMonic", {"restraint"}}}};
}

Format openmm() {
    return {"OpenMM",
            "openmm",
            "kJ/mol",
            1.0,
            units::coulomb_codata2018,
            "potential energy",
            {{"HarmonicBondForce", {"bond", "urey_bradley"}},
             {"HarmonicAngleForce", {"angle"}},
             {"PeriodicTorsionForce", {"proper_dihedral", "improper_periodic"}},
             {"RBTorsionForce", {"ryckaert_bellemans"}},
             {"CustomTorsionForce", {"improper_harmonic"}},
             {"CMAPTorsionForce", {"cmap"}},
             {"NonbondedForce",
              {"lj_sr", "lj_14", "lj_mesh", "dispersion_correction", "coulomb_real", "coulomb_recip", "coulomb_self",
               "coulomb_exclusion", "coulomb_net_charge_background", "coulomb_14"}},
             {"CustomExternalForce", {"restraint"}}}};
}

}  // namespace

const Format& format_of(Convention convention) {
    static const std::array formats{amber(), gromacs(), charmm(), openmm()};
    return formats[static_cast<std::size_t>(convention)];
}

std::vector<Value> in_format(const Format& format, const EnergySums& sums, double coulomb_constant) {
    std::vector<Value> values;
    for (const Row& row : format.rows) values.push_back({row.name, 0.0});
    double total = 0.0;
    for (std::size_t t = 0; t < term_count; ++t) {
        const std::string name(name_of(static_cast<Term>(t)));
        double energy = sums[static_cast<Term>(t)].value() / format.unit_in_kj;
        if (name.starts_with("coulomb_")) energy *= format.coulomb_constant / coulomb_constant;
        total += energy;
        const auto row =
            std::ranges::find_if(format.rows, [&](const Row& r) { return std::ranges::count(r.terms, name) > 0; });
        if (row != format.rows.end()) {
            values[static_cast<std::size_t>(row - format.rows.begin())].value += energy;
        } else if (energy != 0.0) {
            values.push_back({name, energy});
        }
    }
    values.push_back({format.total, total});
    return values;
}

}  // namespace mdsim::parity
