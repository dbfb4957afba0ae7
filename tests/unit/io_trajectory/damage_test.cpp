// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/topology/charmm/psf_reader.h"
#include "io/topology/psf_writer.h"
#include "io_output/temporary_folder.h"
#include "io_trajectory/samples.h"

using namespace mdsim;

namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Cuts the end off, or spoils, doubles or takes out a few bytes, most often near the start, where headers are.
std::string damaged(std::string bytes, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1)); };
    if (below(4) == 0) return bytes.substr(0, below(bytes.size()));
    const std::size_t reach = below(2) == 0 ? std::min<std::size_t>(bytes.size(), 400) : bytes.size();
    for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
        const std::size_t at = below(std::min(reach, bytes.size()));
        switch (below(4)) {
            case 0:
                bytes[at] = static_cast<char>(random());
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 2:
                bytes.insert(at, bytes.substr(at, 1 + below(8)));
                break;
            default:
                bytes.erase(at, 1 + below(8));
        }
    }
    return bytes;
}

/// Reads a damaged file to its end; an error must be one of input, with the name of the file.
template <class Read>
void try_damage(const std::string& good, const std::filesystem::path& path, int times, unsigned seed, Read&& read) {
    std::mt19937 random(seed);
    int refused = 0;
    for (int n = 0; n < times; ++n) {
        std::ofstream(path, std::ios::binary) << damaged(good, random);
        try {
            read();
        } catch (const Error& error) {
            ++refused;
            const bool of_input = error.exit_code() == ExitCode::input_error || error.exit_code() == ExitCode::io_error;
            if (!of_input || std::string(error.what()).find(path.filename().string()) == std::string::npos)
                FAIL(n << ": " << error.what());
        } catch (const std::exception& error) {
            FAIL(n << ": " << error.what());
        }
    }
    CHECK(refused > times / 4);
}

}  // namespace

TEST_CASE("damaged trajectories are read or refused, never anything else") {
    const TemporaryFolder folder;
    for (const FormatFacts& facts : all_formats()) {
        INFO(facts.name);
        // Those are only written; damage of HDF5 files is a matter of its library (below: cut files).
        if (facts.format == TrajectoryFormat::vtk || facts.format == TrajectoryFormat::h5md) continue;
        const Topology topology = sample_topology(13);
        const auto path = folder.path() / ("a" + std::string(facts.ending));
        write_frames(path, facts.format, topology,
                     sample_frames(topology.atoms(), 4, Cell(Box::rectangular(3, 4, 5)), 1.0, 3));
        const std::string good = bytes_of(path);
        try_damage(good, path, 600, 20261130, [&] {
            const auto reader = open_trajectory(path);
            StoredFrame frame;
            while (reader->read(frame)) {
            }
            reader->seek(2);
            reader->read(frame);
        });
    }
}

TEST_CASE("damaged PSF files are read or refused, never anything else") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.psf";
    write_psf(path, sample_topology(13));
    try_damage(bytes_of(path), path, 600, 7, [&] { read_psf(path); });
}

TEST_CASE("an H5MD file that was cut off is refused") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    const Topology topology = sample_topology(13);
    write_frames(path, TrajectoryFormat::h5md, topology, sample_frames(topology.atoms(), 4, Cell(), 1.0, 3));
    const std::string good = bytes_of(path);
    for (std::size_t part = 1; part < 8; ++part) {
        std::ofstream(path, std::ios::binary) << good.substr(0, good.size() * part / 8);
        CHECK_THROWS_AS(read_frames(path), Error);
    }
}

TEST_CASE("frames before a cut are counted in the message") {
    const TemporaryFolder folder;
    const Topology topology = sample_topology(13);
    const auto frames = sample_frames(topology.atoms(), 4, Cell(Box::rectangular(3, 4, 5)), 1.0, 3);
    for (const TrajectoryFormat format :
         {TrajectoryFormat::xtc, TrajectoryFormat::trr, TrajectoryFormat::dcd, TrajectoryFormat::netcdf}) {
        const auto path = folder.path() / ("a" + std::string(facts_of(format).ending));
        INFO(path);
        write_frames(path, format, topology, frames);
        const std::string good = bytes_of(path);
        std::ofstream(path, std::ios::binary) << good.substr(0, good.size() - 5);
        const auto reader = open_trajectory(path);
        StoredFrame frame;
        for (int n = 0; n < 3; ++n) REQUIRE(reader->read(frame));
        try {
            reader->read(frame);
            FAIL("a cut frame was read");
        } catch (const Error& error) {
            CHECK_THAT(error.what(),
                       Catch::Matchers::Contains("3 whole frames come before") && Catch::Matchers::Contains("--to 2"));
        }
        std::filesystem::remove(path);
    }
}
