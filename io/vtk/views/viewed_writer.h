// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_writer.h"
#include "io/vtk/views/h5md_views.h"

namespace mdsim {

/// An H5MD file that is being written, with its views for ParaView, which follow it at each sync; where its name is for
/// a while, once it has got the lasting one.
class ViewedWriter final : public TrajectoryWriter {
  public:
    /// Makes or reopens the file itself.
    using Open = std::function<std::unique_ptr<TrajectoryWriter>()>;
    ViewedWriter(const std::filesystem::path& h5, const TrajectoryInfo& info, const OutputMark* mark, const Open& open);

    void append(const Frame& frame) override;
    void append_energies(const EnergyRow& row) override { file_->append_energies(row); }
    OutputMark sync() override { return follow(file_->sync()); }
    OutputMark finish() override { return follow(file_->finish()); }
    void moved_to(const std::filesystem::path& path) override;

  private:
    H5mdViews views_;
    std::unique_ptr<TrajectoryWriter> file_;
    FileName name_;
    H5mdViews::Bonds shown_ = H5mdViews::Bonds::drawn;
    std::uint64_t length_ = 0;  ///< of the file as the views show it

    OutputMark follow(const OutputMark& mark);
};

}  // namespace mdsim
