// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/trajectory/trajectory_writer.h"
#include "io/trajectory/xtc.h"

namespace mdsim {

class XtcWriter final : public TrajectoryWriter {
  public:
    XtcWriter(AppendFile file, double precision) : file_(std::move(file)), precision_(static_cast<float>(precision)) {}
    void append(const Frame& frame) override { file_.append(encode_xtc_frame(frame, precision_)); }
    OutputMark sync() override { return file_.sync(); }

  private:
    AppendFile file_;
    float precision_;  // [1/nm]
};

}  // namespace mdsim
