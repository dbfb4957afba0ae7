// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/hdf5/hdf5_file.h"
#include "io/trajectory/h5md/h5md_reader.h"
#include "io/trajectory/h5md/h5md_writer.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;

namespace {

H5mdWriter::Content content() {
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
    float value = 0;
    SECTION("a position") {
        value = 0.25F;
    }
    SECTION("a velocity") {
        value = 5.0F;
    }
    SECTION("an edge of the box") {
        value = 3.0F;
    }
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
    REQUIRE(at != std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    value *= 2;
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
    file.close();
    CHECK_THROWS_AS(H5mdWriter::reopen(path, content(), mark), Error);
}
