// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/row_reader.h"
#include "io/trajectory/trajectory_reader.h"

namespace mdsim {

/// Reads H5MD 1.x of any program: the group /particles/trajectory or else the first one, elements with steps and times
/// as lists or as increments, a box of vectors or lengths, stored by frame or once. Quantities in a file without units
/// are taken for nm and ps. Velocities and forces that were written less often come with the frames of their steps.
/// Errors: MD312 with the path within the file; MD603 and MD604 of HDF5 itself.
class H5mdReader final : public TrajectoryReader {
  public:
    explicit H5mdReader(const std::filesystem::path& path);

    std::int64_t atoms() const override { return atoms_; }
    std::optional<std::int64_t> frames() const override { return position_.frames(); }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override { next_ = frame; }
    double progress() const override;
    const Topology* topology() const override { return topology_.get(); }

    /// Of the particles, "/particles/trajectory".
    const std::string& group() const { return group_; }

  private:
    /// {step, time, value}, or a dataset that holds for all frames.
    struct Element {
        std::unique_ptr<h5::RowReader> value;
        std::vector<std::int64_t> step;  // extent: frames
        std::vector<double> time;        // [ps], extent: frames
        double unit = 1.0;               // of a value, in ours
        bool fixed = false;              // one value for all frames

        std::int64_t frames() const { return value ? static_cast<std::int64_t>(value->rows()) : 0; }
        // The row that belongs to a frame of the positions; nothing where there is none.
        std::optional<hsize_t> row_of(std::int64_t frame, const Element& position) const;
    };
    h5::File file_;
    std::string group_;
    Element position_, velocity_, force_, image_, box_;
    std::int64_t atoms_ = 0;
    std::int64_t next_ = 0;
    std::vector<double> row_;
    std::vector<double> fixed_edges_;  // of a box that holds for all frames
    std::unique_ptr<Topology> topology_;

    [[noreturn]] void refuse(const std::string& what) const;
    std::string particles_group() const;
    Element element(const std::string& name, std::span<const std::pair<std::string_view, double>> units) const;
    void read_times(const std::string& name, Element& element) const;
    double unit_of(const std::string& name, std::span<const std::pair<std::string_view, double>> units) const;
    void read_vectors(const Element& element, std::int64_t frame, std::vector<Vec3d>& out);
    void open_box();
    Cell read_box(std::int64_t frame);
};

/// Names, elements, charges, masses and bonds of the atoms as H5mdWriter stores them; null where the file has no names.
std::unique_ptr<Topology> h5md_topology(const h5::File& file, const std::string& group, std::int64_t atoms);

/// Throws MD312 where something in /observables is no element of step, time and value, which readers stumble over.
void require_observables(const std::filesystem::path& path);

}  // namespace mdsim
