// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <cstdlib>
#include <string_view>

#include "parallel/comm.h"

namespace mdsim {

// Each library asks in a way of its own, and older ones in none.
bool mpi_takes(DeviceMemory memory) {
#if defined(OPEN_MPI)
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    if (memory == DeviceMemory::cuda) return MPIX_Query_cuda_support() != 0;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT)
    if (memory == DeviceMemory::hip) return MPIX_Query_rocm_support() != 0;
#endif
    return false;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
    int takes = 0;
    MPIX_GPU_query_support(memory == DeviceMemory::cuda ? MPIX_GPU_SUPPORT_CUDA : MPIX_GPU_SUPPORT_HIP, &takes);
    return takes != 0;
#else
    // Cray's and MVAPICH's take it where one of these is set.
    const bool cuda = memory == DeviceMemory::cuda;
    for (const char* variable : {"MPICH_GPU_SUPPORT_ENABLED", cuda ? "MV2_USE_CUDA" : "MV2_USE_ROCM"}) {
        const char* const value = std::getenv(variable);
        if (value != nullptr && std::string_view(value) == "1") return true;
    }
    return false;
#endif
}

std::string mpi_library() {
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(name, &length);
    const std::string text(name, static_cast<std::size_t>(length));
    return text.substr(0, text.find_first_of(",\n"));
}

}  // namespace mdsim
