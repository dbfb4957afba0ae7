// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim {

/// The time of a frame [ps] as lists for ParaView have it: greater than the one before, where a frame has the same
/// time (after two minimisations), by the least that a number can be.
double listed_time(double time, const std::vector<std::string>& before);

/// Text of a .pvd. folder: of the frames, as seen from the .pvd; times: one for each.
std::string pvd_text(const std::filesystem::path& folder, const std::vector<std::string>& times);
/// The times in such a text.
std::vector<std::string> times_in_pvd(std::string_view text);

/// Files of a frame in the folder.
std::string atoms_file_name(std::size_t frame);
std::string box_file_name(std::size_t frame);

}  // namespace mdsim
