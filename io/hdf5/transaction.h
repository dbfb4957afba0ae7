// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "io/hdf5/hdf5_file.h"
#include "io/output/append_file.h"

namespace mdsim::h5 {

/// Changes an HDF5 file so that it is changed entirely or not at all, whenever the process is killed.
///
/// HDF5 1.10 has no journal of its own: a process that dies inside a write can leave a file that nothing reads. Here
/// all writes of one opening are kept in memory as pages. At the end they go to FILE.redo, which is flushed to disk and
/// sealed by a checksum, and only then into the file; FILE.redo is removed last. `recover` finishes what a sealed log
/// describes and discards one that is not sealed (the file is untouched then).
///
/// Room on the disk for the whole change is reserved before the first page goes into the file, so that a full disk
/// finds the file as it was.
///
/// Memory and writing are proportional to what is changed, not to the size of the file.
/// Errors: exit code 74, the file is as it was before. Of a file that is only `cached` there is no log, and a process
/// that dies can leave anything.
void change_file(const std::filesystem::path& path, const std::function<void(File&)>& change,
                 Durability durability = Durability::synced);

/// Makes a new file the same way: complete or not there.
void create_file(const std::filesystem::path& path, const std::function<void(File&)>& fill,
                 Durability durability = Durability::synced);

/// The bytes of a new HDF5 file whose first `user_block` [bytes] are zero; `path` is for messages only. Nothing is
/// written to disk: HDF5's own drivers crash where a disk is full.
std::string make_image(const std::filesystem::path& path, hsize_t user_block, const std::function<void(File&)>& fill);

/// Opens the bytes of an HDF5 file; `path` is for messages only.
void read_image(const std::filesystem::path& path, std::string_view bytes,
                const std::function<void(const File&)>& read);

/// To be called before a file is opened after a crash. Does nothing where there is no log.
void recover(const std::filesystem::path& path);

}  // namespace mdsim::h5
