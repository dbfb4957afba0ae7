// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/backends.h"
#include "gpu/api/stream.h"

namespace mdsim::gpu {

/// Threads of a launch, along one dimension. No blocks: nothing is launched.
struct LaunchShape {
    unsigned blocks = 0;
    unsigned threads = 128;        ///< of a block; a multiple of 32, at most 1024
    std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
};

/// Blocks for one thread an item.
constexpr unsigned blocks_for(std::size_t items, unsigned threads) {
    return static_cast<unsigned>((items + threads - 1) / threads);
}

}  // namespace mdsim::gpu

#if MDSIM_GPU_CUDA
#define MDSIM_DECLARE_CUDA(name, Args)                         \
    namespace cuda {                                           \
    void name(::mdsim::gpu::Stream& stream, const Args& args); \
    }
#define MDSIM_CALL_CUDA(name) \
    if (stream.device().backend() == ::mdsim::gpu::Backend::cuda) return cuda::name(stream, args);
#else
#define MDSIM_DECLARE_CUDA(name, Args)
#define MDSIM_CALL_CUDA(name)
#endif
#if MDSIM_GPU_HIP
#define MDSIM_DECLARE_HIP(name, Args)                          \
    namespace hip {                                            \
    void name(::mdsim::gpu::Stream& stream, const Args& args); \
    }
#define MDSIM_CALL_HIP(name) \
    if (stream.device().backend() == ::mdsim::gpu::Backend::hip) return hip::name(stream, args);
#else
#define MDSIM_DECLARE_HIP(name, Args)
#define MDSIM_CALL_HIP(name)
#endif

/// In a kernel's header, in namespace mdsim::kernels: declares `void name(Stream& stream, const Args& args)`, which
/// puts the kernel into the stream, for the back end of the stream's device. The kernel's .cu defines it in the
/// namespace mdsim::kernels::MDSIM_BACKEND, once for each compiler.
#define MDSIM_LAUNCH_FUNCTION(name, Args)                              \
    MDSIM_DECLARE_CUDA(name, Args)                                     \
    MDSIM_DECLARE_HIP(name, Args)                                      \
    namespace host {                                                   \
    void name(::mdsim::gpu::Stream& stream, const Args& args);         \
    }                                                                  \
    inline void name(::mdsim::gpu::Stream& stream, const Args& args) { \
        MDSIM_CALL_CUDA(name)                                          \
        MDSIM_CALL_HIP(name)                                           \
        host::name(stream, args);                                      \
    }                                                                  \
    static_assert(true)
