// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/api/host/driver.h"

namespace mdsim::gpu {

/// By FFTW, eight lines at a time: one plan for each length, as for the mesh of the CPU.
std::unique_ptr<LineTransform> make_host_transform(HostDriver& driver, const LineShape& shape);

}  // namespace mdsim::gpu
