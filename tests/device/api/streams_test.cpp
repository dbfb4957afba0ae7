// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <numbers>
#include <set>

#include <catch2/catch.hpp>

#include "gpu/api/buffer.h"
#include "gpu/api/fft.h"
#include "gpu/api/vendor/architectures.h"
#include "tests/device/api/api_kernels.h"
#include "tests/device/devices.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr gpu::Work work{"array of a test", "a test"};

// One stream adds 1 and hands over to another one, which adds 1; with or without the wait between them.
std::vector<std::uint32_t> hand_over(const test::Case& c, bool with_wait) {
    constexpr unsigned size = 200;
    const gpu::Device device(c.info, c.settings);
    gpu::Stream first(device), second(device, gpu::Priority::high);
    gpu::Event made(device), all_done(device);
    gpu::Buffer<std::uint32_t> a(device, work), b(device, work);
    gpu::PinnedBuffer<std::uint32_t> from(device, work), to(device, work);
    for (auto* buffer : {&a, &b}) buffer->resize(size);
    for (auto* buffer : {&from, &to}) buffer->resize(size);
    for (unsigned i = 0; i < size; ++i) from[i] = i * i;
    a.upload(first, from);
    test_add_one(first, {a.data(), b.data(), size});
    made.record(first);
    if (with_wait) second.wait(made);
    test_add_one(second, {b.data(), a.data(), size});
    a.download(second, to);
    all_done.record(second);
    all_done.finish();
    std::vector<std::uint32_t> result(to.span().begin(), to.span().end());
    if (with_wait) CHECK(all_done.seconds_since(made) >= 0.0);
    first.finish();
    return result;
}

template <class Real>
void check_transform(const test::Case& c, int length, std::size_t most, std::size_t lines) {
    using Complex = std::complex<Real>;
    const gpu::Device device(c.info, c.settings);
    gpu::Stream stream(device);
    const gpu::FftLines<Real> fft(device, length, most);
    const auto n = static_cast<std::size_t>(length), all = fft.padded(lines) * n;
    CHECK(fft.batch() == static_cast<int>((most + 7) / 8 * 8));
    gpu::Buffer<Complex> a(device, work), b(device, work);
    a.resize(all);
    b.resize(all);
    std::vector<Complex> values(all), spectrum(all), back(all);
    for (std::size_t i = 0; i < lines * n; ++i) {
        values[i] = {static_cast<Real>(std::sin(0.7 * static_cast<double>(i))), static_cast<Real>(i % 5)};
    }
    a.upload(stream, values);
    fft.run(stream, gpu::Direction::forward, a.data(), b.data(), lines);
    b.download(stream, spectrum);
    fft.run(stream, gpu::Direction::backward, b.data(), a.data(), lines);
    a.download(stream, back);
    double worst = 0.0, worst_back = 0.0;
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t k = 0; k < n; k += 3) {
            std::complex<double> sum = 0.0;
            for (std::size_t x = 0; x < n; ++x) {
                sum +=
                    std::complex<double>(values[line * n + x]) *
                    std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k * x % n) / static_cast<double>(n));
            }
            worst = std::max(worst, std::abs(std::complex<double>(spectrum[line * n + k]) - sum));
        }
    }
    for (std::size_t i = 0; i < lines * n; ++i) {
        worst_back = std::max(worst_back, static_cast<double>(std::abs(back[i] / static_cast<Real>(n) - values[i])));
    }
    // Rounding: sums of about n numbers of size 5.
    CHECK(worst < static_cast<double>(std::numeric_limits<Real>::epsilon()) * 40.0 * static_cast<double>(n));
    CHECK(worst_back < static_cast<double>(std::numeric_limits<Real>::epsilon()) * 40.0);
}

}  // namespace

TEST_CASE("an event hands results from one stream to another", "[device]") {
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const std::vector<std::uint32_t> result = hand_over(c, true);
        for (std::size_t i = 0; i < result.size(); ++i) REQUIRE(result[i] == i * i + 2);
    }
}

TEST_CASE("an event says whether the device has come by, and nobody waits", "[device]") {
    constexpr unsigned size = 2000;
    std::size_t asked_twice = 0;
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        gpu::Event done(device);
        CHECK(done.passed());
        gpu::Buffer<std::uint32_t> a(device, work), b(device, work);
        gpu::PinnedBuffer<std::uint32_t> to(device, work);
        for (auto* buffer : {&a, &b}) buffer->resize(size);
        to.resize(size);
        a.zero(stream);
        test_add_one(stream, {a.data(), b.data(), size});
        b.download(stream, to);
        done.record(stream);
        std::size_t asked = 1;
        for (; !done.passed(); ++asked) {
        }
        if (asked > 1) ++asked_twice;
        CHECK(std::count(to.span().begin(), to.span().end(), 1u) == size);
        CHECK(done.passed());
        stream.finish();
    }
    CHECK(asked_twice > 0);
}

TEST_CASE("a wait that is missing between streams is found", "[device]") {
    std::set<std::vector<std::uint32_t>> results;
    for (const test::Case& c : test::host_cases()) results.insert(hand_over(c, false));
    CHECK(results.size() > 1);
}

TEST_CASE("lines are transformed in batches of one size", "[device]") {
    for (const test::Case& c : test::all_cases()) {
        if (c.settings.seed > 0) continue;
        INFO(c.name);
        check_transform<float>(c, 60, 11, 11);
        check_transform<float>(c, 64, 100, 40);
        check_transform<double>(c, 35, 9, 29);
    }
}

TEST_CASE("large meshes are transformed in a few batches with little padding", "[device]") {
    const gpu::Device device(gpu::host_device());
    for (const int length : {160, 216, 350}) {
        const auto n = static_cast<std::size_t>(length), lines = (n / 2 + 1) * n;
        const gpu::FftLines<float> fft(device, length, lines);
        CHECK(fft.batch() * length < (1 << 20) + 8 * length);
        CHECK(fft.padded(lines) - lines < lines / 50);
    }
}

namespace {

/// Transforms of a device, of which the forward ones can be made wrong.
class Transforms final : public gpu::LineTransform {
  public:
    Transforms(gpu::Driver& driver, const gpu::LineShape& shape) : right_(driver.make_fft(shape)) {}
    void run(void* stream, gpu::Direction direction, const void* in, void* out, const gpu::Work& what) override {
        right_->run(stream, wrong ? gpu::Direction::backward : direction, in, out, what);
    }
    bool wrong = false;

  private:
    std::unique_ptr<gpu::LineTransform> right_;
};

}  // namespace

TEST_CASE("a part of the lines has the bits that it has among all", "[device]") {
    constexpr std::size_t all = 120, here = 13;
    for (const test::Case& c : test::all_cases()) {
        if (c.settings.seed > 0) continue;
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        for (const int length : {21, 60, 64}) {
            const auto n = static_cast<std::size_t>(length);
            const gpu::FftLines<float> whole(device, length, all), part(device, length, all, here);
            if (c.info.backend == gpu::Backend::host) CHECK(part.batch() == 16);
            CHECK(part.padded(here) <= whole.padded(all));
            std::vector<std::complex<float>> lines(all * n), of_whole(here * n), of_part(here * n);
            for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = {std::sin(0.7f * static_cast<float>(i)), 0.5f};
            gpu::Buffer<std::complex<float>> in(device, work), out(device, work);
            out.resize(lines.size());
            for (const auto direction : {gpu::Direction::forward, gpu::Direction::backward}) {
                in.fill(stream, lines);
                whole.run(stream, direction, in.data(), out.data(), all);
                out.download(stream, of_whole);
                in.fill(stream, lines);
                part.run(stream, direction, in.data(), out.data(), here);
                out.download(stream, of_part);
                CHECK(std::memcmp(of_part.data(), of_whole.data(), here * n * sizeof(of_part[0])) == 0);
            }
        }
    }
}

TEST_CASE("plans that give a line different bits are told apart", "[device]") {
    const gpu::Device device(gpu::host_device());
    for (const auto precision : {gpu::Precision::single, gpu::Precision::full}) {
        const gpu::LineShape few{20, 16, precision}, many{20, 56, precision};
        Transforms a(device.driver(), few), b(device.driver(), many);
        CHECK(gpu::give_the_same(device, a, few, b, many));
        a.wrong = true;
        CHECK(!gpu::give_the_same(device, a, few, b, many));
    }
}

TEST_CASE("what fails on a device names the work and its physics", "[device]") {
    test::Case c = test::host_cases(0).front();
    c.settings.memory = 1000;
    const gpu::Device small(c.info, c.settings);
    gpu::Buffer<double> fits(small, {"array of charges", "the mesh"}), more(small, {"array of forces", "short range"});
    fits.resize(100);
    try {
        more.resize(100);
        FAIL("no error");
    } catch (const gpu::DeviceError& e) {
        CHECK(e.failure() == gpu::Failure::out_of_memory);
        CHECK(e.exit_code() == ExitCode::internal_error);
        CHECK_THAT(e.what(), Catch::Contains("[MD703]") && Catch::Contains("array of forces, for short range") &&
                                 Catch::Contains("800 bytes asked for, 200 of 1000 free"));
    }
    c.settings.memory = 4000;
    c.settings.lost_after = 2;
    const gpu::Device dying(c.info, c.settings);
    gpu::Stream stream(dying);
    gpu::Buffer<std::uint32_t> a(dying, work);
    a.resize(10);
    a.zero(stream);
    test_add_one(stream, {a.data(), a.data(), 10});
    try {
        test_add_one(stream, {a.data(), a.data(), 10});
        FAIL("no error");
    } catch (const gpu::DeviceError& e) {
        CHECK(e.failure() == gpu::Failure::device_lost);
        CHECK(e.exit_code() == ExitCode::stopped);
        CHECK_THAT(e.what(), Catch::Contains("[MD704]") && Catch::Contains("kernel test_add_one, for a test"));
    }
}

TEST_CASE("devices to choose from, or why there are none", "[device]") {
    using gpu::Wish;
    gpu::Survey two;
    two.backend = gpu::Backend::cuda;
    for (int i = 0; i < 2; ++i) {
        gpu::DeviceInfo info;
        info.backend = gpu::Backend::cuda;
        info.index = i;
        info.name = "Test " + std::to_string(i);
        two.devices.push_back(info);
    }
    gpu::Survey old;
    old.backend = gpu::Backend::cuda;
    old.failure = gpu::Failure::driver_too_old;
    old.missing = "the driver is for CUDA 12.2, this program for CUDA 13.0";
    const std::vector<gpu::Survey> with{two}, without{old}, none, doubled{two, two};
    const std::vector<int> second{1}, third{2}, turned{3, 0};

    CHECK(candidates(Wish::wanted, {}, with).devices.size() == 2);
    REQUIRE(candidates(Wish::required, second, with).devices.size() == 1);
    CHECK(candidates(Wish::required, second, with).devices[0].index == 1);
    CHECK_THROWS_WITH(candidates(Wish::required, third, with), Catch::Contains("no device 2 among the 2"));
    // Numbers go on from one back end to the next.
    const gpu::Candidates both = candidates(Wish::required, turned, doubled);
    REQUIRE(both.devices.size() == 2);
    CHECK(both.devices[0].number == 3);
    CHECK(both.devices[0].index == 1);
    CHECK(both.devices[1].number == 0);

    two.devices[0].unusable = "Test 0 is sm_70, this program has kernels for 80-real";
    const std::vector<gpu::Survey> mixed{two};
    const std::vector<int> first{0};
    REQUIRE(candidates(Wish::wanted, {}, mixed).devices.size() == 1);
    CHECK(candidates(Wish::wanted, {}, mixed).devices[0].number == 1);
    CHECK_THROWS_WITH(candidates(Wish::required, first, mixed), Catch::Contains("[MD701]") && Catch::Contains("sm_70"));

    CHECK(candidates(Wish::wanted, {}, without).devices.empty());
    CHECK(candidates(Wish::wanted, {}, without).missing == "the driver is for CUDA 12.2, this program for CUDA 13.0");
    CHECK_THROWS_WITH(candidates(Wish::required, {}, without),
                      Catch::Contains("[MD702]") && Catch::Contains("CUDA 12.2") && Catch::Contains("CUDA 13.0"));
    CHECK_THROWS_WITH(candidates(Wish::required, {}, none), Catch::Contains("[MD701]") && Catch::Contains("presets"));
    // Whatever this machine has: the vendors' libraries answer, with devices or with a reason.
    for (const gpu::Survey& survey : gpu::survey_devices()) {
        INFO(survey.missing);
        CHECK(survey.devices.empty() == !survey.missing.empty());
        WARN(gpu::name_of(survey.backend)
             << ": " << (survey.devices.empty() ? survey.missing : survey.devices[0].name));
    }
}

TEST_CASE("a device needs kernels of its architecture", "[device]") {
    const char* built = "80-real,90-real,100-real,120";
    for (const char* yes : {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120", "sm_121", "sm_130"})
        CHECK(gpu::has_kernels_for(yes, built));
    for (const char* no : {"sm_75", "sm_110"}) CHECK(!gpu::has_kernels_for(no, built));
    CHECK(gpu::has_kernels_for("sm_110", "80-virtual"));
    CHECK(!gpu::has_kernels_for("sm_91", "90a-real"));
    CHECK(gpu::has_kernels_for("sm_75", "native"));
    CHECK(gpu::has_kernels_for("gfx90a:sramecc+:xnack-", "gfx90a,gfx1030"));
    CHECK(gpu::has_kernels_for("gfx1030", "gfx90a,gfx1030"));
    CHECK(!gpu::has_kernels_for("gfx103", "gfx90a,gfx1030"));
}

TEST_CASE("variables that hide devices are named with their values", "[device]") {
    const auto environment = [](const char* name) -> const char* {
        const std::string text = name;
        return text == "CUDA_VISIBLE_DEVICES" ? "-1" : text == "ROCR_VISIBLE_DEVICES" ? "" : nullptr;
    };
    CHECK(visible_devices(gpu::Backend::cuda, environment) == ", visible are those of CUDA_VISIBLE_DEVICES = \"-1\"");
    CHECK(visible_devices(gpu::Backend::hip, environment) ==
          ", visible are those of CUDA_VISIBLE_DEVICES = \"-1\", ROCR_VISIBLE_DEVICES = \"\"");
    CHECK(visible_devices(gpu::Backend::cuda, [](const char*) -> const char* { return nullptr; }).empty());
}
