// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/topology/charmm/parameters.h"
#include "io/topology/charmm/psf_reader.h"

namespace mdsim::charmm {

/// Names of the types of a PSF in upper case, extent: PsfContents::type_names. Where the PSF has numbers they are those
/// of lines MASS; of two types with one number it is the one with the mass of the PSF's atoms. Throws Error (MD234).
std::vector<std::string> name_types(const PsfContents& psf, const Parameters& parameters,
                                    const std::filesystem::path& psf_file);

/// Non-bonded parameters of the types of a PSF.
ForceField make_force_field(const std::vector<std::string>& types, const Parameters& parameters);

/// A system as one molecule, with the maps that its terms refer to.
struct Assigned {
    MoleculeType whole;
    std::vector<CmapGrid> cmap_grids;
};

/// Gives the terms of a PSF their parameters, and the whole system its exclusions and 1-4 pairs by the bonds: pairs
/// one, two and three bonds apart are excluded, those three apart interact with CHARMM's 1-4 parameters and charges
/// times E14FAC. Everything that is missing is reported together (MD234).
Assigned assign(PsfContents&& psf, const std::vector<std::string>& types, const Parameters& parameters,
                const std::filesystem::path& psf_file);

}  // namespace mdsim::charmm
