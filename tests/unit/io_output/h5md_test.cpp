// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/transaction.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/trajectory/h5md/h5md_writer.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;

namespace {

H5mdContent content() {
    return {.atoms = {.id = {1, 2}, .species = {8, 1}, .mass = {16, 1}, .charge = {-1, 1}, .bonds = {0, 1}},
            .velocities = WithVelocities::yes};
}

void append(H5mdWriter& writer, int n) {
    const std::vector<Vec3d> x{{0.5 * n, 0, 0}, {0, 0.25 * n, 1}}, v{{1, 2, 3}, {4, 5, 1.0 * n}};
    writer.append({.step = 10 * n, .time = 0.02 * n, .box = Box::rectangular(2, 3, 4), .x = x, .v = v});
}

}  // namespace

TEST_CASE("H5MD frames are folded in at sync and cut back on reopening") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    OutputMark mark;
    {
        H5mdWriter writer = H5mdWriter::create(path, content());
        for (int n = 0; n < 3; ++n) append(writer, n);
        mark = writer.sync();
        CHECK(mark.length == 3);
        for (int n = 3; n < 5; ++n) append(writer, n);
        writer.sync();
        append(writer, 5);  // stays in the journal, as when the process is killed here
    }
    CHECK(H5mdReader(path).frames() == 5);
    H5mdWriter writer = H5mdWriter::reopen(path, content(), mark);
    CHECK(H5mdReader(path).frames() == 3);
    append(writer, 3);
    CHECK(writer.sync().length == 4);
    H5mdReader reader(path);
    CHECK(reader.frames() == 4);
    CHECK(reader.atoms() == 2);
    reader.seek(3);
    StoredFrame last;
    REQUIRE(reader.read(last));
    CHECK(last.step == 30);
    CHECK(last.time == Approx(0.06));
    CHECK(last.box.rows()[2].z == 4.0);
    CHECK(last.v[1].z == 3.0);
    CHECK_FALSE(reader.read(last));
    const h5::File file = h5::File::open_to_read(path);
    const std::vector<double> x = file.read_doubles("/particles/trajectory/position/value");
    CHECK(x.at(18) == 1.5);
    CHECK(file.text_attribute("/particles/trajectory/velocity/value", "unit") == "nm ps-1");
    CHECK(file.read_integers("/particles/trajectory/velocity/step") == std::vector<std::int64_t>{0, 10, 20, 30});
}

TEST_CASE("an H5MD file that is not the checkpoint's is refused") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    OutputMark mark;
    {
        H5mdWriter writer = H5mdWriter::create(path, content());
        for (int n = 0; n < 3; ++n) append(writer, n);
        mark = writer.sync();
    }
    mark.length = 4;
    CHECK_THROWS_AS(H5mdWriter::reopen(path, content(), mark), Error);
    mark.length = 2;
    CHECK_THROWS_AS(H5mdWriter::reopen(path, content(), mark), Error);
    CHECK_THROWS_AS(H5mdWriter::create(path, content()), Error);
}

TEST_CASE("a changed byte in an H5MD frame that a checkpoint promises is noticed") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    OutputMark mark;
    {
        H5mdWriter writer = H5mdWriter::create(path, content());
        for (int n = 0; n < 3; ++n) append(writer, n);
        mark = writer.sync();
    }
    // Frames are packed, so the value is changed by HDF5.
    const auto change = [&](const std::string& set, std::size_t numbers) {
        h5::change_file(path, [&](h5::File& file) {
            std::vector<float> row(numbers);
            file.read_row(set, 2, H5T_NATIVE_FLOAT, {reinterpret_cast<char*>(row.data()), 4 * numbers});
            row.back() += 1e-6F;
            file.set_rows(set, 2);
            file.append_rows(set, H5T_NATIVE_FLOAT, row.data(), 1);
        });
    };
    SECTION("a position") {
        change("/particles/trajectory/position/value", 6);
    }
    SECTION("a velocity") {
        change("/particles/trajectory/velocity/value", 6);
    }
    SECTION("an edge of the box") {
        change("/particles/trajectory/box/edges/value", 9);
    }
    CHECK_THROWS_AS(H5mdWriter::reopen(path, content(), mark), Error);
}

TEST_CASE("energies of an H5MD file move with its frames") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    const h5md::Extras extras{.periodic = true, .images = true, .observables = true};
    const std::vector<Vec3d> x{{0, 0, 0}, {0.1, 0, 0}}, v(2);
    const std::vector<Image> images{{1, -2, 0}, {0, 0, 3}};
    const auto put = [&](H5mdWriter& writer, int n) {
        EnergyRow row;
        row.step = n;
        row.time = 0.5 * n;
        row.potential = -10.0 * n;
        writer.append_energies(row);
        if (n % 2 == 1) return;
        writer.append({.step = n,
                       .time = 0.5 * n,
                       .box = Box::rectangular(2, 3, 4),
                       .x = x,
                       .v = v,
                       .images = images,
                       .energies = &row});
    };
    OutputMark mark;
    {
        // Energies alone come first, and a checkpoint before any frame.
        H5mdWriter writer = H5mdWriter::create(path, content(), extras);
        EnergyRow early;
        early.step = -1;
        writer.append_energies(early);
        CHECK(writer.sync().length == 1);
        for (int n = 0; n < 4; ++n) put(writer, n);
        mark = writer.sync();
        CHECK(mark.length == 7);
        CHECK(H5mdWriter::frames_of(path, mark) == 2);
        for (int n = 4; n < 9; ++n) put(writer, n);
        writer.sync();
    }
    {
        H5mdWriter writer = H5mdWriter::reopen(path, content(), mark, extras);
        put(writer, 4);
        CHECK(writer.sync().length == 9);
    }
    const h5::File file = h5::File::open_to_read(path);
    CHECK(file.read_integers("/mdsim/energies/step") == std::vector<std::int64_t>{-1, 0, 1, 2, 3, 4});
    CHECK(file.read_doubles("/observables/potential/value") == std::vector<double>{0, -20, -40});
    CHECK(file.read_integers("/observables/potential/step") == std::vector<std::int64_t>{0, 2, 4});
    CHECK(file.extent("/particles/trajectory/image/value") == std::vector<hsize_t>{3, 2, 3});
    H5mdReader reader(path);
    StoredFrame frame;
    REQUIRE(reader.read(frame));
    CHECK(frame.images == images);
}

TEST_CASE("rounded positions of an H5MD file are off by no more than it says") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "run.h5";
    H5mdContent rounded = content();
    rounded.grid = h5md_grid(0.001);
    CHECK(rounded.grid == 1.0 / 1024);
    const std::vector<Vec3d> x{{1.23456, -7.65432, 93.11111}, {0.0004, 1e3 + 0.0002, -5e3}}, v(2);
    {
        H5mdWriter writer = H5mdWriter::create(path, rounded);
        writer.append({.x = x, .v = v});
        writer.sync();
    }
    const h5::File file = h5::File::open_to_read(path);
    const double error = file.number_attribute("/particles/trajectory/position/value", "largest_error");
    CHECK(error <= 0.0005);
    const std::vector<double> read = file.read_doubles("/particles/trajectory/position/value");
    for (std::size_t n = 0; n < read.size(); ++n) {
        CHECK(std::abs(read[n] - x[n / 3][static_cast<int>(n % 3)]) <= error);
        CHECK(read[n] == std::round(read[n] * 1024) / 1024);
    }
}
