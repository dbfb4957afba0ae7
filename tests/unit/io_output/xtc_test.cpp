// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/xtc.h"

#include <fstream>
#include <random>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/trajectory/xtc_codec.h"
#include "io_output/temporary_folder.h"
#include "reference_data.h"

using namespace mdsim;

namespace {

std::vector<Vec3d> waters(std::size_t molecules, double edge, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-0.2 * edge, edge), bond(-0.1, 0.1);
    std::vector<Vec3d> x;
    for (std::size_t m = 0; m < molecules; ++m) {
        const Vec3d oxygen{place(random), place(random), place(random)};
        x.push_back(oxygen);
        for (int h = 0; h < 2; ++h) x.push_back(oxygen + Vec3d{bond(random), bond(random), bond(random)});
    }
    return x;
}

}  // namespace

TEST_CASE("XTC frames read back to half a unit of the precision") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.xtc";
    const std::size_t molecules = GENERATE(1, 3, 4, 100, 3000);
    const double edge = GENERATE(0.5, 5.0, 30000.0);
    const std::vector<Vec3d> x = waters(molecules, edge, 3);
    {
        std::ofstream out(path, std::ios::binary);
        for (int n = 0; n < 3; ++n) {
            const std::string bytes =
                encode_xtc_frame({.step = n, .time = 0.5 * n, .box = Box::rectangular(edge, edge, edge), .x = x});
            CHECK(bytes.size() % 4 == 0);
            out << bytes;
        }
    }
    XtcReader reader(path);
    int frames = 0;
    StoredFrame frame;
    while (reader.read(frame)) {
        CHECK(frame.step == frames);
        CHECK(frame.time == Approx(0.5 * frames++));
        REQUIRE(frame.x.size() == x.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, norm(frame.x[i] - x[i]));
        CHECK(worst < 0.00087 + 2e-7 * edge);  // half a unit on each axis, and float
    }
    CHECK(frames == 3);
}

TEST_CASE("the XTC codec is lossless and small for water") {
    std::mt19937 random(1);
    std::vector<xtc::Int3> grid;
    for (const Vec3d& r : waters(2000, 4.0, 8)) {
        grid.push_back({static_cast<int>(r.x * 1000), static_cast<int>(r.y * 1000), static_cast<int>(r.z * 1000)});
    }
    const xtc::Packed packed = xtc::pack(grid);
    std::vector<xtc::Int3> again;
    xtc::unpack(packed, grid.size(), again);
    CHECK(again == grid);
    CHECK(packed.bits.size() < grid.size() * 6);  // 12 bytes an atom uncompressed; 4.7 seen
}

TEST_CASE("damaged XTC files are refused") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.xtc";
    const std::vector<Vec3d> x = waters(50, 3.0, 2);
    const std::string good = encode_xtc_frame({.x = x});
    std::mt19937 random(4);
    int refused = 0;
    for (int n = 0; n < 300; ++n) {
        std::string bad = good;
        if (n % 3 == 0) {
            bad.resize(random() % bad.size());
        } else {
            for (int k = 0; k < 4; ++k) bad[random() % bad.size()] = static_cast<char>(random());
        }
        std::ofstream(path, std::ios::binary) << bad;
        try {
            XtcReader reader(path);
            StoredFrame frame;
            while (reader.read(frame)) {
            }
        } catch (const Error& error) {
            ++refused;
            CHECK(error.exit_code() == ExitCode::input_error);
        }
    }
    CHECK(refused > 100);
}

// Byte for byte what GROMACS wrote, from the coordinates it wrote.
TEST_CASE("encoding what was decoded gives the bytes of other programs' files") {
    const auto root = reference_data("XTC files of other programs");
    if (!root) return;
    for (const char* name : {"freevolume.xtc", "cell_shapes.xtc", "large_diff.xtc"}) {
        const auto path = *root / "oddfiles" / "files" / name;
        std::ifstream in(path, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        XtcReader reader(path);
        std::string again;
        StoredFrame frame;
        while (reader.read(frame)) again += encode_xtc_frame(frame.view());
        CHECK(again == bytes);
    }
}
