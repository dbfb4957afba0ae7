// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/mesh/ranks/row_copies.h"

#include <catch2/catch.hpp>

#include "tests/device/devices.h"
#include "tests/device/kernels/atoms.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr std::size_t size = 1200;

// Short and long ones, one number, none, and neighbours without a gap.
const std::vector<RowPair> rows{{3, 0, 5}, {100, 5, 300}, {1, 305, 1}, {9, 306, 0}, {400, 306, 64}, {464, 370, 33}};

template <class T>
T number(std::size_t i) {
    return static_cast<T>(1000 + 7 * i);
}
template <>
Complex number(std::size_t i) {
    return {static_cast<float>(i), -3.0f};
}

bool same(std::int32_t a, std::int32_t b) {
    return a == b;
}
bool same(float a, float b) {
    return a == b;
}
bool same(Complex a, Complex b) {
    return a.re == b.re && a.im == b.im;
}

/// What a launch makes of an array, and what it should.
template <class T>
bool right(const test::Case& c, void (*launch)(gpu::Stream&, const CopyRowsArgs<T>&), RowWay way, bool adds) {
    constexpr unsigned from_step = 2, to_step = 1;
    std::vector<T> from, expected(size, number<T>(1));
    for (std::size_t i = 0; i < size; ++i) from.push_back(number<T>(i));
    for (const RowPair& row : rows) {
        const auto [first, at] =
            way == RowWay::near_to_far ? std::pair{row.near, row.far} : std::pair{row.far, row.near};
        for (std::size_t i = 0; i < row.count; ++i) {
            T& to = expected[at + i * to_step];
            const T& value = from[first + i * from_step];
            if constexpr (std::is_same_v<T, std::int32_t>) to = adds ? to + value : value;
            if constexpr (!std::is_same_v<T, std::int32_t>) to = value;
        }
    }
    const gpu::Device device(c.info, c.settings);
    gpu::Stream stream(device);
    const auto table = test::on_device<RowPair>(device, stream, rows);
    const auto here = test::on_device<T>(device, stream, from);
    const auto there = test::on_device<T>(device, stream, std::vector<T>(size, number<T>(1)));
    launch(stream,
           {table.data(), static_cast<unsigned>(rows.size()), way, here.data(), there.data(), from_step, to_step});
    const std::vector<T> found = test::from_device(stream, there);
    return std::equal(found.begin(), found.end(), expected.begin(), [](const T& a, const T& b) { return same(a, b); });
}

}  // namespace

TEST_CASE("rows of numbers go where their table says, both ways", "[device]") {
    for (const test::Case& c : test::all_cases()) {
        for (const RowWay way : {RowWay::near_to_far, RowWay::far_to_near}) {
            INFO(c.name << ", way " << static_cast<int>(way));
            CHECK(right<std::int32_t>(c, copy_charges, way, false));
            CHECK(right<std::int32_t>(c, add_charges, way, true));
            CHECK(right<float>(c, copy_potential, way, false));
            CHECK(right<Complex>(c, copy_spectrum, way, false));
        }
    }
}

// What two ranks send for the same nodes is in one launch.
TEST_CASE("rows that are added may overlap", "[device]") {
    const std::vector<RowPair> overlapping{{0, 0, 100}, {10, 100, 100}, {50, 200, 7}};
    const std::vector<std::int32_t> ones(400, 1);
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        const auto table = test::on_device<RowPair>(device, stream, overlapping);
        const auto message = test::on_device<std::int32_t>(device, stream, ones);
        const auto sum = test::on_device<std::int32_t>(device, stream, ones);
        add_charges(stream, {table.data(), 3, RowWay::far_to_near, message.data(), sum.data(), 1, 1});
        const std::vector<std::int32_t> found = test::from_device(stream, sum);
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(found[i] == 1 + (i < 100) + (i >= 10 && i < 110) + (i >= 50 && i < 57));
        }
    }
}
