// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/host/fft.h"

#include <array>
#include <cstddef>
#include <mutex>

#include <fftw3.h>

#include "parallel/fftw_planner.h"
#include "parallel/threads.h"

namespace mdsim::gpu {

namespace {

constexpr int lines = 8;

// FFTW's two precisions are two libraries with two sets of names.
struct SingleFftw {
    using Plan = fftwf_plan;
    using Complex = fftwf_complex;
    static constexpr auto plan = fftwf_plan_many_dft;
    static constexpr auto execute = fftwf_execute_dft;
    static constexpr auto destroy = fftwf_destroy_plan;
    static constexpr auto forget = fftwf_forget_wisdom;
    static constexpr auto allocate = fftwf_alloc_complex;
    static constexpr auto release = fftwf_free;
};
struct DoubleFftw {
    using Plan = fftw_plan;
    using Complex = fftw_complex;
    static constexpr auto plan = fftw_plan_many_dft;
    static constexpr auto execute = fftw_execute_dft;
    static constexpr auto destroy = fftw_destroy_plan;
    static constexpr auto forget = fftw_forget_wisdom;
    static constexpr auto allocate = fftw_alloc_complex;
    static constexpr auto release = fftw_free;
};

template <class Fftw>
class FftwLines final : public LineTransform {
  public:
    using Complex = typename Fftw::Complex;

    FftwLines(HostDriver& driver, const LineShape& shape) : driver_(driver), shape_(shape) {
        MDSIM_EXPECT(shape.batch % lines == 0);
        const std::lock_guard lock(fftw_planner());
        const std::size_t numbers = static_cast<std::size_t>(shape.length) * lines;
        Complex *in = Fftw::allocate(numbers), *out = Fftw::allocate(numbers);
        for (std::size_t d = 0; d < plans_.size(); ++d) {
            Fftw::forget();  // earlier plans, remembered as wisdom, would change this one
            plans_[d] = Fftw::plan(1, &shape.length, lines, in, nullptr, 1, shape.length, out, nullptr, 1, shape.length,
                                   d == 0 ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
        }
        Fftw::release(in);
        Fftw::release(out);
        MDSIM_ENSURE(plans_[0] != nullptr && plans_[1] != nullptr);
    }
    ~FftwLines() override {
        const std::lock_guard lock(fftw_planner());
        for (const auto& plan : plans_) Fftw::destroy(plan);
    }
    FftwLines(const FftwLines&) = delete;
    FftwLines& operator=(const FftwLines&) = delete;

    void run(void* stream, Direction direction, const void* in, void* out, const Work& work) override {
        const auto plan = plans_[direction == Direction::forward ? 0 : 1];
        auto* from = static_cast<Complex*>(const_cast<void*>(in));  // FFTW's interface takes no const
        auto* to = static_cast<Complex*>(out);
        const std::size_t step = static_cast<std::size_t>(shape_.length) * lines;
        const auto batches = static_cast<std::size_t>(shape_.batch / lines);
        driver_.enqueue(
            stream,
            [=] {
                parallel_ranges(batches, [&](int, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                        Fftw::execute(plan, from + i * step, to + i * step);
                    }
                });
            },
            work);
    }

  private:
    HostDriver& driver_;
    LineShape shape_;
    std::array<typename Fftw::Plan, 2> plans_{};
};

}  // namespace

std::unique_ptr<LineTransform> make_host_transform(HostDriver& driver, const LineShape& shape) {
    if (shape.precision == Precision::single) return std::make_unique<FftwLines<SingleFftw>>(driver, shape);
    return std::make_unique<FftwLines<DoubleFftw>>(driver, shape);
}

}  // namespace mdsim::gpu
