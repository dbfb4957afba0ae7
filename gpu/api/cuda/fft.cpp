// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/vendor/fft.h"

#include <cufft.h>
#include <string>

#include "gpu/api/vendor/cuda_names.h"

namespace mdsim::gpu {
inline namespace cuda {

namespace {

void check_fft(cufftResult result, const Work& work) {
    if (result == CUFFT_SUCCESS) return;
    const Failure failure = result == CUFFT_ALLOC_FAILED ? Failure::out_of_memory : Failure::operation;
    throw DeviceError(failure, work, "cuFFT returned " + std::to_string(static_cast<int>(result)));
}

class CufftLines final : public LineTransform {
  public:
    explicit CufftLines(const LineShape& shape) : single_(shape.precision == Precision::single) {
        int n = shape.length;
        check_fft(
            cufftPlanMany(&plan_, 1, &n, nullptr, 1, n, nullptr, 1, n, single_ ? CUFFT_C2C : CUFFT_Z2Z, shape.batch),
            {"plan of a Fourier transform", "the mesh"});
    }
    ~CufftLines() override { (void)cufftDestroy(plan_); }
    CufftLines(const CufftLines&) = delete;
    CufftLines& operator=(const CufftLines&) = delete;

    void run(void* stream, Direction direction, const void* in, void* out, const Work& work) override {
        check_fft(cufftSetStream(plan_, static_cast<cudaStream_t>(stream)), work);
        const int sign = direction == Direction::forward ? CUFFT_FORWARD : CUFFT_INVERSE;
        void* from = const_cast<void*>(in);  // the interface of C takes no const
        const cufftResult result =
            single_ ? cufftExecC2C(plan_, static_cast<cufftComplex*>(from), static_cast<cufftComplex*>(out), sign)
                    : cufftExecZ2Z(plan_, static_cast<cufftDoubleComplex*>(from), static_cast<cufftDoubleComplex*>(out),
                                   sign);
        check_fft(result, work);
    }

  private:
    bool single_;
    cufftHandle plan_ = 0;
};

}  // namespace

std::unique_ptr<LineTransform> make_transform(int, const LineShape& shape) {
    return std::make_unique<CufftLines>(shape);
}

}  // namespace cuda
}  // namespace mdsim::gpu
