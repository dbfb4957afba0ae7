// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/timing/timeline.h"

#include <complex>

#include <catch2/catch.hpp>

#include "gpu/api/buffer.h"
#include "gpu/api/fft.h"
#include "tests/device/api/api_kernels.h"
#include "tests/device/devices.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr gpu::Work numbers_work{"array of numbers", "a test"};

/// Two streams that add one to numbers, the second after the first.
struct TwoStreams {
    static constexpr unsigned size = 2000;
    gpu::Device device;
    gpu::Stream first, second;
    gpu::Event handed_over, done;
    gpu::Buffer<std::uint32_t> a, b;
    gpu::Timeline timeline;

    explicit TwoStreams(const test::Case& c)
        : device(c.info, c.settings),
          first(device),
          second(device, gpu::Priority::high),
          handed_over(device),
          done(device),
          a(device, numbers_work),
          b(device, numbers_work),
          timeline(device, {{&first, "first"}, {&second, "second"}}) {
        a.resize(size);
        b.resize(size);
    }
    void evaluate(int kernels = 2) {
        timeline.launch([&] {
            a.zero(first);
            for (int i = 0; i < kernels; ++i) test_add_one(first, {a.data(), a.data(), size});
            handed_over.record(first);
            second.wait(handed_over);
            test_add_one(second, {a.data(), b.data(), size});
            done.record(second);
        });
        timeline.wait([&] { done.finish(); });
    }
};

double seconds_of(const gpu::DeviceTimes& times) {
    double sum = 0.0;
    for (const auto& operation : times.operations) sum += operation.seconds;
    return sum;
}

}  // namespace

TEST_CASE("operations are measured in a sample of the evaluations", "[device]") {
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        TwoStreams work(c);
        work.timeline.measure_every(3);
        for (int i = 0; i < 10; ++i) work.evaluate();
        const gpu::DeviceTimes& times = work.timeline.times();
        CHECK(times.evaluations == 10);
        CHECK(times.measured == 3);
        REQUIRE(times.operations.size() == 2);
        CHECK(times.operations[0].name == "setting to zero");
        CHECK(times.operations[0].count == 3);
        CHECK(times.operations[1].name == "test_add_one");
        CHECK(times.operations[1].count == 9);
        CHECK(times.operations[1].seconds > 0.0);
        CHECK(times.busy > 0.0);
        // One operation waits for the other, so the device is busy with one at a time.
        CHECK(times.busy == Approx(seconds_of(times)));
        work.timeline.measure_every(3);
        CHECK((times.operations.empty() && times.busy == 0.0 && times.measured == 0 && times.evaluations == 0));
    }
}

// Nothing of this can go on while the host does something else: it is the host that does it.
TEST_CASE("the host back end hides nothing", "[device]") {
    for (const test::Case& c : test::host_cases()) {
        INFO(c.name);
        TwoStreams work(c);
        work.timeline.measure_every(1);
        for (int i = 0; i < 5; ++i) work.evaluate();
        CHECK(work.timeline.times().hidden < 1e-12);
        CHECK(work.timeline.times().busy > 0.0);
    }
}

TEST_CASE("streams that overlap are busy once", "[device]") {
    int overlaps = 0;
    for (const test::Case& c : test::host_cases()) {
        INFO(c.name);
        TwoStreams work(c);
        const gpu::FftLines<float> fft(work.device, 12, 1);
        gpu::Buffer<std::complex<float>> in(work.device, numbers_work), out(work.device, numbers_work);
        in.resize(fft.padded(1) * 12);
        out.resize(fft.padded(1) * 12);
        work.timeline.measure_every(1);
        work.timeline.launch([&] {
            work.a.zero(work.first);
            in.zero(work.second);
            test_add_one(work.first, {work.a.data(), work.a.data(), work.size});
            fft.run(work.second, gpu::Direction::forward, in.data(), out.data(), 1);
        });
        work.timeline.wait([&] {
            work.first.finish();
            work.second.finish();
        });
        const gpu::DeviceTimes& times = work.timeline.times();
        CHECK(times.operations.back().name == "Fourier transform");
        CHECK(times.operations.back().seconds > 0.0);
        CHECK(times.busy < seconds_of(times) + 1e-12);
        if (times.busy < 0.9 * seconds_of(times)) ++overlaps;
    }
    CHECK(overlaps > 0);
}

TEST_CASE("an evaluation with more operations than events is left out", "[device]") {
    TwoStreams work(test::host_cases(0).front());
    work.timeline.measure_every(1);
    work.evaluate(100);
    CHECK(work.timeline.times().measured == 0);
    work.evaluate(100);
    CHECK(work.timeline.times().measured == 1);
    CHECK(work.timeline.times().operations[1].count == 101);
}

TEST_CASE("a trace has what each stream did, on the host's clock", "[device]") {
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        TwoStreams work(c);
        Trace trace("test");
        const auto began = Trace::Clock::now();
        work.timeline.begin_trace(trace);
        for (int step = 0; step < 4; ++step) {
            trace.set_step(step);
            work.evaluate();
        }
        work.timeline.end_trace();
        const double from = trace.seconds(began), to = trace.seconds(Trace::Clock::now());
        REQUIRE(trace.rows().size() == 3);
        CHECK(trace.rows()[2].name == "second");
        CHECK(trace.spans().size() == 16);
        std::vector<double> free(3, from);  // when the last span of a row was over
        for (const Trace::Span& span : trace.spans()) {
            const Trace::Row& row = trace.rows()[span.row];
            constexpr double resolution = 1e-6;
            const double begin = row.start + row.rate * span.begin, end = row.start + row.rate * span.end;
            CHECK(begin >= free[span.row] - resolution);
            CHECK(end >= begin);
            CHECK(end <= to + resolution);
            free[span.row] = end;
        }
        work.evaluate();  // one that is not traced
        CHECK(trace.spans().size() == 16);
    }
}
