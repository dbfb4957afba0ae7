// SPDX-License-Identifier: Apache-2.0
#include "analyse/density_profile.h"

#include <cmath>

#include "core/units.h"

namespace mdsim::analyse {

DensityProfile::DensityProfile(const Topology& topology, Settings settings)
    : settings_(std::move(settings)),
      table_(atom_table(topology)),
      group_(settings_.select, topology, Selecting::each_frame),
      slices_(static_cast<std::size_t>(settings_.bins)) {}

std::vector<std::string> DensityProfile::columns() const {
    return {"place [nm]", "mass density [kg/m^3]", "charge density [e/nm^3]", "number density [1/nm^3]"};
}

void DensityProfile::add(const Snapshot& frame, std::vector<Row>&) {
    const auto bins = static_cast<double>(settings_.bins);
    const double slice_volume = frame.box.volume() / bins;
    for (const std::int64_t id : group_.atoms(frame)) {
        const auto atom = static_cast<std::size_t>(id);
        const double s = frame.box.to_fractional(frame.x[atom])[settings_.axis];
        if (!std::isfinite(s)) continue;
        const double at = std::min((s - std::floor(s)) * bins, bins - 1.0);
        Slice& slice = slices_[static_cast<std::size_t>(at)];
        slice.mass += table_.mass[atom] / slice_volume;
        slice.charge += table_.charge[atom] / slice_volume;
        slice.number += 1.0 / slice_volume;
    }
    height_ += frame.box.heights()[settings_.axis];
    ++frames_;
}

void DensityProfile::finish(std::vector<Row>& rows) {
    if (frames_ == 0) return;
    const double share = 1.0 / static_cast<double>(frames_);
    for (std::size_t n = 0; n < slices_.size(); ++n) {
        const double place = height_ * share * (static_cast<double>(n) + 0.5) / static_cast<double>(settings_.bins);
        rows.push_back({place, units::density_unit * slices_[n].mass * share, slices_[n].charge * share,
                        slices_[n].number * share});
    }
}

}  // namespace mdsim::analyse
