// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hip/hip_runtime.h>

// CUDA and HIP call things by the same names with another beginning; the rest is here.
#define MDSIM_BACKEND hip
#define MDSIM_VENDOR(name) hip##name
#define MDSIM_VENDOR_NAME "AMD"
#define MDSIM_OUT_OF_MEMORY hipErrorOutOfMemory
#define MDSIM_UNCORRECTABLE_MEMORY hipErrorECCNotCorrectable
#define MDSIM_LOST_DEVICE hipErrorDeinitialized
#define MDSIM_BUSY_DEVICE hipErrorContextAlreadyInUse
#define MDSIM_PINNED_ALLOCATE(address, bytes) hipHostMalloc(address, bytes, hipHostMallocDefault)
#define MDSIM_PINNED_RELEASE(address) hipHostFree(address)
