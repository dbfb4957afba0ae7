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

/// The atoms of a frame: in one file, N.vtp, or in several, N.0.vtp, N.1.vtp, ..., which N.pvtp lists.
enum class AtomFiles { one, pieces };

/// Text of a .pvd. folder: of the frames, as seen from the .pvd; times: one for each.
std::string pvd_text(const std::filesystem::path& folder, const std::vector<std::string>& times, AtomFiles files);
/// The times in such a text, and what it lists for each.
std::vector<std::string> times_in_pvd(std::string_view text);
AtomFiles files_in_pvd(std::string_view text);

/// Files of a frame in the folder. The first is the one that a .pvd lists.
std::string atoms_file_name(std::size_t frame, AtomFiles files);
std::string piece_file_name(std::size_t frame, std::size_t piece);
std::string box_file_name(std::size_t frame);

}  // namespace mdsim
