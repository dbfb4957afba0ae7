// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io_output/temporary_folder.h"
#include "io_trajectory/samples.h"

using namespace mdsim;

namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Those that a run writes and that are no HDF5.
const TrajectoryFormat plain[] = {TrajectoryFormat::xtc, TrajectoryFormat::trr, TrajectoryFormat::dcd,
                                  TrajectoryFormat::netcdf, TrajectoryFormat::gro};

}  // namespace

TEST_CASE("a file that is cut back to a mark goes on as if it had never stopped") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(std::begin(plain), std::end(plain)));
    const int before = GENERATE(0, 1, 3);
    INFO(facts_of(format).name << " after " << before << " frames");
    const Topology topology = sample_topology(20);
    const auto frames = sample_frames(topology.atoms(), 6, Cell(Box::rectangular(3, 4, 5)), 50.0, 4);
    const TrajectoryInfo info{
        .topology = &topology, .title = "a run", .velocities = WithVelocities::yes, .forces = WithForces::yes};
    const auto whole = folder.path() / "whole", cut = folder.path() / "cut";
    {
        const auto writer = make_trajectory_writer(whole, format, info);
        for (const StoredFrame& frame : frames) writer->append(frame.view());
        writer->sync();
    }
    OutputMark mark;
    {
        const auto writer = make_trajectory_writer(cut, format, info);
        for (int n = 0; n < before; ++n) writer->append(frames[static_cast<std::size_t>(n)].view());
        mark = writer->sync();
        // What a killed process may leave: frames behind the mark, a header that counts them.
        for (int n = 5; n >= before; --n) writer->append(frames[static_cast<std::size_t>(n)].view());
        writer->sync();
    }
    {
        const auto writer = make_trajectory_writer(cut, format, info, &mark);
        for (int n = before; n < 6; ++n) writer->append(frames[static_cast<std::size_t>(n)].view());
        writer->sync();
    }
    CHECK(bytes_of(cut) == bytes_of(whole));
}

TEST_CASE("a file that was changed before its mark is not continued") {
    const TemporaryFolder folder;
    const TrajectoryFormat format = GENERATE(from_range(std::begin(plain), std::end(plain)));
    INFO(facts_of(format).name);
    const Topology topology = sample_topology(20);
    const auto frames = sample_frames(topology.atoms(), 2, Cell(), 0.0, 4);
    const TrajectoryInfo info{.topology = &topology};
    const auto path = folder.path() / "run";
    OutputMark mark;
    {
        const auto writer = make_trajectory_writer(path, format, info);
        for (const StoredFrame& frame : frames) writer->append(frame.view());
        mark = writer->sync();
    }
    std::string bytes = bytes_of(path);
    bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        make_trajectory_writer(path, format, info, &mark);
        FAIL("continued");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Catch::Matchers::Contains("MD602"));
    }
}
