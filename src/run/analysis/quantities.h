// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analyse/measure.h"
#include "run/analysis/trajectory_source.h"

namespace mdsim {

/// What `mdsim analyse` can be told about a quantity; quantities with unit. Empty texts and zeros: the default.
struct QuantityOptions {
    std::string select, other, fit;
    std::filesystem::path reference;
    std::string range, distance, angle, axis;
    std::int64_t bins = 0, lags = 0;
    bool mass = false, molecules = false, intermolecular = false;
};

/// Something that `mdsim analyse` computes.
struct Quantity {
    std::string_view name;   ///< "rmsd"
    std::string_view about;  ///< one line
};
std::span<const Quantity> all_quantities();

/// A measure that is ready to take frames, and what it does, for people.
struct MadeMeasure {
    std::unique_ptr<analyse::Measure> measure;
    std::string about;
};
/// name: one of all_quantities. first: the first frame that will be taken, to check selections on. Input errors: MD404,
/// MD405 of selections, MD116 of other options, MD120 where the frames or the topology lack what it needs.
MadeMeasure make_measure(std::string_view name, const QuantityOptions& options, const Topology& topology,
                         const analyse::Snapshot& first);

}  // namespace mdsim
