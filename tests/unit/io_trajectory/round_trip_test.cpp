// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io_output/temporary_folder.h"
#include "io_trajectory/samples.h"

using namespace mdsim;

namespace {

/// How exactly a format keeps what it keeps, beside rounding of single precision where it has that.
struct Exactness {
    double x, v, f;      // absolute; 0: not kept
    double box;          // [nm]
    double time;         // relative to the largest time; 0: not kept
    bool single = true;  // precision
};

Exactness exactness_of(TrajectoryFormat format) {
    switch (format) {
        case TrajectoryFormat::h5md:
            return {1e-9, 1e-9, 1e-9, 1e-6, 1e-15};
        case TrajectoryFormat::xtc:
            return {0.50001e-3, 0, 0, 1e-6, 1e-7};
        case TrajectoryFormat::trr:
            return {1e-9, 1e-9, 1e-9, 1e-6, 1e-7};
        case TrajectoryFormat::dcd:
            return {1e-9, 0, 0, 1e-9, 2e-7};
        case TrajectoryFormat::netcdf:
            return {1e-9, 1e-9, 1e-9, 1e-9, 1e-7};
        case TrajectoryFormat::gro:
            return {0.50001e-3, 0.50001e-4, 0, 0.50001e-5, 1e-13, false};
        case TrajectoryFormat::pdb:  // lengths in 0.001 A, angles in 0.01 degrees
            return {0.50001e-4, 0, 0, 2e-3, 1e-13, false};
        case TrajectoryFormat::cif:
        case TrajectoryFormat::vtk:
            break;
    }
    return {0.50001e-5, 0, 0, 1e-4, 0, false};
}

void check_vectors(const std::vector<Vec3d>& read, const std::vector<Vec3d>& written, double tolerance, bool single) {
    REQUIRE(read.size() == written.size());
    int wrong = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const double allowed = tolerance + (single ? 2.0e-7 * std::abs(written[i][axis]) : 0.0);
            if (!(std::abs(read[i][axis] - written[i][axis]) <= allowed)) ++wrong;
        }
    }
    CHECK(wrong == 0);
}

void check_equal(const StoredFrame& read, const StoredFrame& written, TrajectoryFormat format) {
    const Exactness exact = exactness_of(format);
    check_vectors(read.x, written.x, exact.x, exact.single);
    if (exact.v > 0) check_vectors(read.v, written.v, exact.v, exact.single);
    if (exact.f > 0) check_vectors(read.f, written.f, exact.f, exact.single);
    if (exact.time > 0) CHECK(std::abs(read.time - written.time) <= exact.time * std::abs(written.time) + 5e-6);
    CHECK(read.box.periodic() == written.box.periodic());
    for (std::size_t row = 0; row < 3; ++row) {
        for (int axis = 0; axis < 3; ++axis)
            CHECK(std::abs(read.box.rows()[row][axis] - written.box.rows()[row][axis]) <= exact.box);
    }
}

std::vector<TrajectoryFormat> formats() {
    std::vector<TrajectoryFormat> list;
    for (const FormatFacts& facts : all_formats()) {
        if (facts.format != TrajectoryFormat::vtk) list.push_back(facts.format);  // those are only written
    }
    return list;
}

std::filesystem::path named(const TemporaryFolder& folder, TrajectoryFormat format) {
    return folder.path() / ("a" + std::string(facts_of(format).ending));
}

const Cell odd_boxes[] = {Cell(), Cell(Box::rectangular(2.5, 93.125, 4.0)),
                          Cell(Box::from_lengths_angles({5.5, 6.25, 7.0}, {65, 75, 110})),
                          // A rhombic dodecahedron, on the edge of what is reduced.
                          Cell({Vec3d{6.0, 0, 0}, Vec3d{0, 6.0, 0}, Vec3d{3.0, 3.0, 4.24264}})};

}  // namespace

TEST_CASE("what is written is read back within the precision of the format") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(formats()));
    const std::int64_t about = GENERATE(1, 4, 10, 997);
    const int box = GENERATE(0, 1, 2, 3);
    const double time = GENERATE(0.0, 12.5, 1e9);
    // A DCD file counts intervals in 31 bits, and says no other times.
    if (format == TrajectoryFormat::dcd && time > 1e8) return;
    INFO(facts_of(format).name << ", " << about << " atoms, box " << box << ", time " << time);
    const Topology topology = sample_topology(about);
    const auto written = sample_frames(topology.atoms(), 3, odd_boxes[box], time, 5);
    const auto path = named(folder, format);
    write_frames(path, format, topology, written);
    const auto read = read_frames(path);
    REQUIRE(read.size() == written.size());
    for (std::size_t n = 0; n < read.size(); ++n) check_equal(read[n], written[n], format);
}

TEST_CASE("a hundred thousand atoms keep their order and places in every format") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(formats()));
    INFO(facts_of(format).name);
    const Topology topology = sample_topology(100003);
    const auto written = sample_frames(topology.atoms(), 2, odd_boxes[2], 1.0, 9);
    const auto path = named(folder, format);
    write_frames(path, format, topology, written);
    const auto reader = open_trajectory(path);
    REQUIRE(reader->atoms() == topology.atoms());
    StoredFrame frame;
    for (const StoredFrame& each : written) {
        REQUIRE(reader->read(frame));
        check_equal(frame, each, format);
    }
    CHECK_FALSE(reader->read(frame));
    CHECK(reader->progress() == Approx(1.0));
}

TEST_CASE("files without frames are read as such, text formats refuse them by name") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(formats()));
    INFO(facts_of(format).name);
    const Topology topology = sample_topology(4);
    const auto path = named(folder, format);
    write_frames(path, format, topology, {});
    const bool text =
        format == TrajectoryFormat::gro || format == TrajectoryFormat::pdb || format == TrajectoryFormat::cif;
    if (!text) {
        CHECK(read_frames(path).empty());
        return;
    }
    try {
        read_frames(path);
        FAIL("a text file without atoms was read");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Catch::Matchers::Contains(path.filename().string()));
    }
}

TEST_CASE("any frame can be gone to, forwards and back") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(formats()));
    INFO(facts_of(format).name);
    const Topology topology = sample_topology(20);
    const auto written = sample_frames(topology.atoms(), 7, odd_boxes[1], 1.0, 2);
    const auto path = named(folder, format);
    write_frames(path, format, topology, written);
    const auto reader = open_trajectory(path);
    StoredFrame frame;
    for (const int n : {3, 4, 0, 6, 2, 2}) {
        reader->seek(n);
        REQUIRE(reader->read(frame));
        check_equal(frame, written[static_cast<std::size_t>(n)], format);
    }
    reader->seek(7);
    CHECK_FALSE(reader->read(frame));
    if (reader->frames()) CHECK(*reader->frames() == 7);
}

TEST_CASE("names come back from the formats that have them") {
    const TemporaryFolder folder;
    const Topology topology = sample_topology(7);
    const auto frames = sample_frames(topology.atoms(), 2, odd_boxes[1], 0.0, 1);
    struct Case {
        TrajectoryFormat format;
        std::string atom, residue, chain;
    };
    // As many letters as the columns have.
    for (const Case& each :
         {Case{TrajectoryFormat::h5md, "C1234", "LIGAN", "B"}, Case{TrajectoryFormat::gro, "C1234", "LIGAN", ""},
          Case{TrajectoryFormat::pdb, "C123", "LIGA", "B"}, Case{TrajectoryFormat::cif, "C1234", "LIGAN", "B"}}) {
        INFO(facts_of(each.format).name);
        const auto path = named(folder, each.format);
        write_frames(path, each.format, topology, frames);
        const auto reader = open_trajectory(path);
        REQUIRE(reader->topology() != nullptr);
        const Topology& read = *reader->topology();
        CHECK(read.atoms() == 7);
        CHECK(read.residues() == 3);
        CHECK(read.types[0].atoms[0].name == each.atom);
        CHECK(read.types[0].atoms[0].element == 6);
        CHECK(read.types[0].residues[0].name == each.residue);
        CHECK(read.types[0].residues[0].number == 7);
        CHECK(read.types[0].residues[0].chain == each.chain);
    }
}

TEST_CASE("insertion codes tell residues of one number apart, and are kept") {
    const TemporaryFolder folder;
    Topology topology = sample_topology(1);
    MoleculeType& chain = topology.types[0];
    chain.residues = {{"GLY", 60, "H"}, {"GLY", 60, "H", 'A'}, {"GLY", 60, "H", 'B'}, {"GLY", 61, "H"}};
    chain.atoms.assign(4, chain.atoms[0]);
    for (int n = 0; n < 4; ++n) chain.atoms[static_cast<std::size_t>(n)].residue = n;
    chain.connections = {{0, 1}, {1, 2}, {2, 3}};
    for (const TrajectoryFormat format : {TrajectoryFormat::pdb, TrajectoryFormat::cif, TrajectoryFormat::h5md}) {
        INFO(facts_of(format).name);
        const auto path = named(folder, format);
        write_frames(path, format, topology, sample_frames(4, 2, odd_boxes[1], 0.0, 1));
        const auto reader = open_trajectory(path);
        REQUIRE(reader->topology() != nullptr);
        CHECK(reader->topology()->types[0].residues == chain.residues);
    }
}

TEST_CASE("coordinates that do not fit a format's columns are refused, not cut") {
    const TemporaryFolder folder;
    const Topology topology = sample_topology(1);
    StoredFrame far;
    far.x = {{1.2e7, 0, 0}};
    for (const TrajectoryFormat format : {TrajectoryFormat::pdb, TrajectoryFormat::gro}) {
        const auto path = named(folder, format);
        try {
            write_frames(path, format, topology, {far});
            FAIL("written");
        } catch (const Error& error) {
            CHECK_THAT(error.what(), Catch::Matchers::Contains("MD317"));
        }
    }
}
