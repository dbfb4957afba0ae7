// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/error.h"
#include "io/vtk/library/encoder.h"

namespace mdsim {

/// libmdsim_vtk, opened. Any number of threads may call it at once.
class VtkLibrary {
  public:
    /// True where this build has the library.
    static bool built();
    /// MD361, without a place: where it has not.
    static Problem not_built();
    /// Opens it. Errors (exit code 2, MD361): mdsim was built without VTK, or VTK's libraries are not found.
    VtkLibrary();

    /// The bytes of a .vtp or .vti file. path: for messages only. Errors: exit code 74 (MD601).
    std::string encode(const MdsimVtkLines& lines, const std::filesystem::path& path) const;
    std::string encode(const MdsimVtkImage& image, const std::filesystem::path& path) const;
    /// "9.1.0".
    std::string version() const { return version_(); }

  private:
    decltype(&mdsim_vtk_lines) lines_;
    decltype(&mdsim_vtk_image) image_;
    decltype(&mdsim_vtk_version) version_;
};

}  // namespace mdsim
