// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

// CUDA and HIP call things by the same names with another beginning; the rest is here.
#define MDSIM_BACKEND cuda
#define MDSIM_VENDOR(name) cuda##name
#define MDSIM_VENDOR_NAME "NVIDIA"
#define MDSIM_OUT_OF_MEMORY cudaErrorMemoryAllocation
#define MDSIM_UNCORRECTABLE_MEMORY cudaErrorECCUncorrectable
#define MDSIM_LOST_DEVICE cudaErrorNvlinkUncorrectable
#define MDSIM_BUSY_DEVICE cudaErrorDevicesUnavailable  // serves one process at a time, and another has it
#define MDSIM_PINNED_ALLOCATE(address, bytes) cudaHostAlloc(address, bytes, cudaHostAllocDefault)
#define MDSIM_PINNED_RELEASE(address) cudaFreeHost(address)
