// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/api/driver.h"

namespace mdsim::gpu {
inline namespace MDSIM_BACKEND {

/// In cuda/fft.cpp by cuFFT, in hip/fft.cpp by VkFFT; the device is current.
std::unique_ptr<LineTransform> make_transform(int device, const LineShape& shape);

}  // namespace MDSIM_BACKEND
}  // namespace mdsim::gpu
