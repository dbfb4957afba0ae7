// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which back ends of vendors are in this build; cmake/gpu.cmake sets them. The host back end always is.
#ifndef MDSIM_GPU_CUDA
#define MDSIM_GPU_CUDA 0
#endif
#ifndef MDSIM_GPU_HIP
#define MDSIM_GPU_HIP 0
#endif
