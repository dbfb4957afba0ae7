// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace mdsim {

/// Beside NAME.h5 a symbolic link NAME.h5md to it, by whose ending MDAnalysis knows the format. Does nothing where the
/// name ends otherwise, where another file has the name of the link, or where the file system has no links.
void link_h5md(const std::filesystem::path& h5);
/// Takes the link away, so that none is left that leads nowhere.
void unlink_h5md(const std::filesystem::path& h5);

}  // namespace mdsim
