// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "io/output/append_file.h"
#include "io/trajectory/h5md/h5md_content.h"
#include "io/trajectory/h5md/h5md_link.h"
#include "io/trajectory/h5md/h5md_record.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

/// H5MD 1.1 (de Buyl, Colberg & Hoefling, Comput. Phys. Commun. 185 (2014) 1546) as its readers really want it:
/// variable-length unit strings, explicit step and time, a box element per frame, group /particles/trajectory,
/// observables with one value a frame. Energies at their own rate, names and provenance are below /mdsim. Positions and
/// velocities are stored in single precision, packed.
///
/// Frames and energies are collected in memory and folded into NAME.h5 by sync(), or when they are many, in one change
/// that is made entirely or not at all; in between the HDF5 file is closed and readable.
class H5mdWriter final : public TrajectoryWriter {
  public:
    /// A new file; refuses where it exists. extras: where they are known before the first frame.
    static H5mdWriter create(const std::filesystem::path& path, H5mdContent content,
                             std::optional<h5md::Extras> extras = {});
    /// Cuts an existing file back to a mark, whose length counts records: frames and rows of energies.
    static H5mdWriter reopen(const std::filesystem::path& path, H5mdContent content, const OutputMark& mark,
                             std::optional<h5md::Extras> extras = {});

    /// How many of the records of a mark are frames; 0 where the file is not there or has fewer records.
    static std::uint64_t frames_of(const std::filesystem::path& path, const OutputMark& mark);

    void append(const Frame& frame) override;
    void append_energies(const EnergyRow& row) override;
    OutputMark sync() override;
    OutputMark finish() override;
    void moved_to(const std::filesystem::path& path) override { link_h5md(path); }

  private:
    H5mdWriter(std::filesystem::path path, H5mdContent content)
        : path_(std::move(path)), content_(std::move(content)) {}

    std::filesystem::path path_;
    H5mdContent content_;
    std::vector<h5md::Record> collected_;
    std::size_t collected_bytes_ = 0;
    std::optional<h5md::Extras> extras_;  // known from the first frame on
    bool created_ = false;                // the file
    std::uint64_t records_ = 0;           // in the file and collected
    Checksum checksum_;                   // over the records, in order

    void put(h5md::Record record);
    void fold();
    void cut_back(std::uint64_t records);
};

}  // namespace mdsim
