// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/vendor/hip_names.h"
// The next headers need those of HIP.
// clang-format off
#include <hip/hiprtc.h>
#include <hip/hip_complex.h>
#define VKFFT_BACKEND 2
#include <vkFFT.h>
// clang-format on

#include <string>

#include "gpu/api/vendor/check.h"
#include "gpu/api/vendor/fft.h"

namespace mdsim::gpu {
inline namespace hip {

namespace {

void check_fft(VkFFTResult result, const Work& work) {
    if (result == VKFFT_SUCCESS) return;
    const bool memory = result == VKFFT_ERROR_FAILED_TO_ALLOCATE || result == VKFFT_ERROR_MALLOC_FAILED;
    throw DeviceError(memory ? Failure::out_of_memory : Failure::operation, work,
                      "VkFFT returned " + std::to_string(static_cast<int>(result)));
}

/// VkFFT compiles its kernels when the plan is made. It reads buffers and stream through the addresses it was given.
class VkfftLines final : public LineTransform {
  public:
    VkfftLines(int device, const LineShape& shape) {
        const Work work{"plan of a Fourier transform", "the mesh"};
        check(hipDeviceGet(&device_, device), work);
        const std::uint64_t number = shape.precision == Precision::single ? 8 : 16;
        bytes_ = number * static_cast<std::uint64_t>(shape.length) * static_cast<std::uint64_t>(shape.batch);
        VkFFTConfiguration configuration{};
        configuration.FFTdim = 1;
        configuration.size[0] = static_cast<std::uint64_t>(shape.length);
        configuration.numberBatches = static_cast<std::uint64_t>(shape.batch);
        configuration.doublePrecision = shape.precision == Precision::full ? 1 : 0;
        configuration.device = &device_;
        configuration.stream = &stream_;
        configuration.num_streams = 1;
        configuration.bufferSize = &bytes_;
        // Out of place: forward reads the input buffer and writes the buffer, backward the other way round.
        configuration.isInputFormatted = 1;
        configuration.inputBufferSize = &bytes_;
        configuration.inverseReturnToInputBuffer = 1;
        configuration.useLUT = 1;  // else single precision takes the fast sine of the hardware, cruder than rounding
        check_fft(initializeVkFFT(&plan_, configuration), work);
    }
    ~VkfftLines() override { deleteVkFFT(&plan_); }
    VkfftLines(const VkfftLines&) = delete;
    VkfftLines& operator=(const VkfftLines&) = delete;

    void run(void* stream, Direction direction, const void* in, void* out, const Work& work) override {
        stream_ = static_cast<hipStream_t>(stream);
        void* from = const_cast<void*>(in);  // the interface of C takes no const
        const bool forward = direction == Direction::forward;
        VkFFTLaunchParams launch{};
        launch.inputBuffer = forward ? &from : &out;
        launch.buffer = forward ? &out : &from;
        check_fft(VkFFTAppend(&plan_, forward ? -1 : 1, &launch), work);
    }

  private:
    hipDevice_t device_ = 0;
    hipStream_t stream_ = nullptr;
    std::uint64_t bytes_ = 0;
    VkFFTApplication plan_{};
};

}  // namespace

std::unique_ptr<LineTransform> make_transform(int device, const LineShape& shape) {
    return std::make_unique<VkfftLines>(device, shape);
}

}  // namespace hip
}  // namespace mdsim::gpu
