// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/output/append_file.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_writer.h"
#include "system/topology.h"

namespace mdsim {

/// What an H5MD file says once, about the atoms that it holds.
struct H5mdAtoms {
    std::vector<std::int64_t> id;       ///< global numbers from 1, as in the input; extent: atoms written
    std::vector<std::int64_t> species;  ///< atomic numbers
    std::vector<double> mass;           ///< [u]
    std::vector<double> charge;         ///< [e]
    std::vector<std::int64_t> bonds;    ///< pairs of indices into the atoms written, from 0; extent: 2 * bonds
};

/// ids: numbers in the whole system of the atoms of `topology`, from 0; empty: 0, 1, 2, ...
H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> ids);

/// H5MD 1.1 (de Buyl, Colberg & Hoefling, Comput. Phys. Commun. 185 (2014) 1546) as its readers really want it:
/// variable-length unit strings, explicit step and time, a box element per frame, group /particles/trajectory.
/// Positions and velocities are stored in single precision.
///
/// Frames are collected in NAME.h5.journal and folded into NAME.h5 by sync(), in one change that is made entirely or
/// not at all; between two syncs the HDF5 file is closed and readable.
class H5mdWriter final : public TrajectoryWriter {
  public:
    struct Content {
        H5mdAtoms atoms;
        WithVelocities velocities = WithVelocities::no;
        WithForces forces = WithForces::no;
    };
    /// A new file; refuses where it exists.
    static H5mdWriter create(const std::filesystem::path& path, Content content);
    /// Cuts an existing file back to a mark (whose length counts frames).
    static H5mdWriter reopen(const std::filesystem::path& path, Content content, const OutputMark& mark);

    H5mdWriter(H5mdWriter&&) = default;
    /// Frames that no sync has folded in are not promised to anybody: the journal goes.
    ~H5mdWriter() override;

    void append(const Frame& frame) override;
    OutputMark sync() override;

  private:
    H5mdWriter(std::filesystem::path path, Content content, AppendFile journal);

    std::filesystem::path path_;
    Content content_;
    AppendFile journal_;
    std::uint64_t frames_ = 0;   // in the file
    std::uint64_t pending_ = 0;  // in the journal
    Checksum checksum_;          // over the frames, in order
};

}  // namespace mdsim
