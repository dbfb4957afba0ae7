// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "run/maps/field_map.h"
#include "run/setup.h"

namespace mdsim {

/// Whether a step gives a frame to a map of the input.
bool map_due(const Input& input, std::size_t entry, const StageInput& stage, std::int64_t step_in_stage);

/// The maps that a run averages, [[output.map]]. Their files are made anew at each checkpoint, which has their sums.
class RunMaps {
  public:
    /// checkpoint null: from the start.
    RunMaps(const Setup& setup, const Checkpoint* checkpoint);

    /// x: of all atoms.
    void add(std::size_t entry, const Box& box, std::span<const Vec3d> x, double time);
    /// Brings the files to the disk.
    void write() const;
    /// For the checkpoint, by name.
    std::map<std::string, std::vector<double>> numbers() const;

  private:
    struct Map {
        std::vector<std::size_t> atoms;
        std::vector<double> charges;  ///< of these
        FieldMap::Request request;
        std::optional<FieldMap> mean;  ///< from the first frame on
    };
    const Setup& setup_;
    std::vector<Map> maps_;
};

}  // namespace mdsim
