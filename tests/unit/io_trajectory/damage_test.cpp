// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <functional>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/transaction.h"
#include "io/structure/structure_file.h"
#include "io/topology/charmm/parameter_reader.h"
#include "io/topology/charmm/psf_reader.h"
#include "io/topology/charmm/topology_reader.h"
#include "io/topology/psf_writer.h"
#include "io_charmm/charmm_text.h"
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

TEST_CASE("damaged CHARMM files are read or refused, never anything else") {
    const TemporaryFolder folder;
    const auto psf = folder.path() / "a.psf", prm = folder.path() / "a.prm", crd = folder.path() / "a.crd";
    std::vector<std::string> notes;
    const auto read = [&] { read_charmm_topology(psf, {prm}, notes); };
    std::ofstream(prm) << charmm_text::prm;
    try_damage(charmm_text::psf, psf, 600, 8, read);
    std::ofstream(psf) << charmm_text::psf;
    try_damage(charmm_text::prm, prm, 600, 9, [&] { charmm::read_parameters({prm}); });
    try_damage(
        "* a title\n*\n    2\n    1    1 ARG  N    -10.40100   2.28100  11.33300 4HOG 1      0.57000\n"
        "    2    1 ARG  HT1   -9.74129   2.69706  10.64505 4HOG 1      0.00000\n",
        crd, 600, 10, [&] { read_structure(crd); });
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

TEST_CASE("an H5MD file whose packed numbers were damaged is refused") {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.h5";
    const Topology topology = sample_topology(70000);  // positions in two chunks a frame
    write_frames(path, TrajectoryFormat::h5md, topology, sample_frames(topology.atoms(), 1, Cell(), 1.0, 3));
    const std::string good = bytes_of(path);
    REQUIRE(read_frames(path).size() == 1);
    haddr_t begin = 0;
    hsize_t size = 0;
    {
        const h5::File file = h5::File::open_to_read(path);
        const h5::Id set(H5Dopen2(file.id(), "/particles/trajectory/position/value", H5P_DEFAULT), H5Dclose);
        const hsize_t second_chunk[] = {0, 65536, 0};
        unsigned filters = 0;
        REQUIRE(H5Dget_chunk_info_by_coord(set, second_chunk, &filters, &begin, &size) >= 0);
    }
    std::mt19937 random(11);
    for (int n = 0; n < 8; ++n) {
        std::string bad = good;
        bad[begin + random() % size] ^= static_cast<char>(1 << random() % 8);
        std::ofstream(path, std::ios::binary) << bad;
        INFO(n);
        try {
            read_frames(path);
            FAIL("read without a word");
        } catch (const Error& error) {
            CHECK(error.exit_code() == ExitCode::io_error);
            CHECK_THAT(error.what(), Catch::Matchers::Contains("a.h5") && Catch::Matchers::Contains("/value"));
        }
    }
}

TEST_CASE("an H5MD file with sets of a wrong kind is refused by their names") {
    const TemporaryFolder folder;
    const Topology topology = sample_topology(13);
    const std::string group = "/particles/trajectory/";
    const std::vector<double> twelve(12, 1.0);
    const std::vector<std::int64_t> odd{0, 1, 2}, far{0, 99};
    using Change = std::function<void(h5::File&, const std::string&)>;
    const std::vector<std::pair<std::string, Change>> cases{
        {group + "position/value", [](h5::File& f, const auto& name) { f.write(name, "text"); }},
        {group + "position/value",
         [&](h5::File& f, const auto& name) {
             f.write(name, twelve, {6, 2});
         }},
        {group + "position/value",
         [&](h5::File& f, const auto& name) {
             f.write(name, twelve, {3, 2, 2});
         }},
        {group + "position/step", [&](h5::File& f, const auto& name) { f.write(name, far, {2}); }},
        {group + "position/time", [](h5::File& f, const auto& name) { f.write(name, "text"); }},
        {group + "velocity/value",
         [&](h5::File& f, const auto& name) {
             f.write(name, twelve, {2, 2, 3});
         }},
        {group + "box/edges/value",
         [&](h5::File& f, const auto& name) {
             f.write(name, twelve, {3, 4});
         }},
        {group + "box/edges/value", [](h5::File& f, const auto& name) { f.write(name, "text"); }},
        {group + "mass", [&](h5::File& f, const auto& name) { f.write(name, twelve, {12}); }},
        {group + "charge", [](h5::File& f, const auto& name) { f.write(name, "text"); }},
        {"/mdsim/atoms/name", [&](h5::File& f, const auto& name) { f.write(name, far, {2}); }},
        {"/mdsim/atoms/residue", [&](h5::File& f, const auto& name) { f.write(name, far, {2}); }},
        {"/mdsim/residues/number", [&](h5::File& f, const auto& name) { f.write(name, far, {2}); }},
        {"/connectivity/bonds", [&](h5::File& f, const auto& name) { f.write(name, odd, {3}); }},
        {"/connectivity/bonds",
         [&](h5::File& f, const auto& name) {
             f.write(name, far, {1, 2});
         }},
    };
    for (std::size_t n = 0; n < cases.size(); ++n) {
        const auto& [name, change] = cases[n];
        INFO(n << ": " << name);
        const auto path = folder.path() / ("a" + std::to_string(n) + ".h5");
        write_frames(path, TrajectoryFormat::h5md, topology, sample_frames(topology.atoms(), 4, Cell(), 1.0, 3));
        h5::change_file(path, [&, set = name, make = change](h5::File& file) {
            REQUIRE(H5Ldelete(file.id(), set.c_str(), H5P_DEFAULT) >= 0);
            make(file, set);
        });
        try {
            read_frames(path);
            FAIL("read without a word");
        } catch (const Error& error) {
            CHECK(error.exit_code() == ExitCode::io_error);
            CHECK_THAT(error.what(), Catch::Matchers::Contains(path.filename().string()));
        }
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
