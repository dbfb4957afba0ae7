// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_writer.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/trajectory/trajectory_file.h"
#include "io/vtk/bonds_in_view.h"
#include "io/vtk/frame_list.h"
#include "io/vtk/views/h5md_views.h"

using namespace mdsim;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / ("mdsim-vtk-" + std::to_string(::getpid()));
    Folder() {
        fs::remove_all(path);
        fs::create_directory(path);
    }
    ~Folder() { fs::remove_all(path); }
};

std::string text_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Topology two_waters() {
    MoleculeType water;
    water.name = "SOL";
    water.residues = {{"SOL", 1, ""}};
    for (const char* name : {"OW", "HW1", "HW2"}) {
        Atom atom;
        atom.name = name;
        atom.element = name[0] == 'O' ? 8 : 1;
        water.atoms.push_back(atom);
    }
    water.connections = {{0, 1}, {0, 2}};
    Topology topology;
    topology.types = {water};
    topology.blocks = {{0, 2}};
    return topology;
}

const std::vector<Vec3d> apart{{0.1, 0.1, 0.1}, {0.2, 0.1, 0.1}, {0.1, 0.2, 0.1},
                               {1.1, 1.1, 1.1}, {1.2, 1.1, 1.1}, {1.1, 1.2, 1.1}};

Frame frame_at(double time, const std::vector<Vec3d>& x) {
    return {.step = static_cast<std::int64_t>(time), .time = time, .box = Box::rectangular(2, 2, 2), .x = x};
}

}  // namespace

TEST_CASE("a .pvd gives back its times, and names with the signs of XML") {
    const std::vector<std::string> times{"0", "0.1", "1e+20"};
    const std::string text = pvd_text("a&<b>\".frames", times, AtomFiles::one);
    CHECK(times_in_pvd(text) == times);
    CHECK(text.find("file=\"a&amp;&lt;b&gt;&quot;.frames/000001.vtp\"") != text.npos);
    CHECK(times_in_pvd(text.substr(0, text.find("0.1") + 2)) == std::vector<std::string>{"0"});
}

TEST_CASE("pieces end between molecules, and hold all atoms") {
    const Topology two = two_waters();
    const auto ends = [](const std::vector<Piece>& pieces) {
        std::vector<std::size_t> found;
        for (const Piece& piece : pieces) {
            CHECK(piece.begin == (found.empty() ? 0 : found.back()));
            found.push_back(piece.end);
        }
        return found;
    };
    CHECK(ends(cut_between_molecules(two, 1)) == std::vector<std::size_t>{6});
    CHECK(ends(cut_between_molecules(two, 2)) == std::vector<std::size_t>{3, 6});
    CHECK(ends(cut_between_molecules(two, 4)) == std::vector<std::size_t>{3, 6});
    Topology uneven = two;
    uneven.types.push_back(uneven.types.front());
    uneven.types.back().atoms.resize(1);
    uneven.blocks = {{1, 1}, {0, 2}, {1, 3}};
    CHECK(ends(cut_between_molecules(uneven, 3)) == std::vector<std::size_t>{4, 7, 10});
}

TEST_CASE("times in a list rise, also where those of frames do not") {
    CHECK(listed_time(3.0, {}) == 3.0);
    CHECK(listed_time(3.0, {"2"}) == 3.0);
    CHECK(listed_time(3.0, {"3"}) > 3.0);
    CHECK(listed_time(3.0, {"3"}) < 3.0 + 1e-12);
}

TEST_CASE("a bond across the box is not drawn, in a slanted box neither") {
    const Box box = Box::from_rows({Vec3d{2, 0, 0}, Vec3d{0.9, 2, 0}, Vec3d{0.5, -0.7, 2}});
    const Vec3d c = box.rows()[2];
    const std::vector<Vec3d> x{{0.1, 0.1, 0.1}, {0.2, 0.1, 0.0}, Vec3d{0.1, 0.1, -0.05} + c};
    Frame frame{.box = box, .x = x};
    CHECK(bonds_in_view({0, 1, 0, 2}, frame) == std::vector<std::int64_t>{0, 1});
    frame.box = Box{};
    CHECK(bonds_in_view({0, 1, 0, 2}, frame).size() == 4);
}

TEST_CASE("radii of elements") {
    CHECK(vdw_radius(1) == Approx(0.110));
    CHECK(vdw_radius(17) == Approx(0.175));
    CHECK(vdw_radius(30) == Approx(0.139));
    CHECK(vdw_radius(53) == Approx(0.198));
    CHECK(vdw_radius(82) == Approx(0.202));
    CHECK(vdw_radius(92) == Approx(0.186));
    CHECK(vdw_radius(0) == Approx(0.2));
    CHECK(vdw_radius(118) == Approx(0.2));
}

TEST_CASE("frames for ParaView are listed by a sync, and cut back to a mark") {
    if (!VtkLibrary::built()) return;
    const Folder folder;
    const Topology topology = two_waters();
    const TrajectoryInfo info{.topology = &topology};
    const fs::path pvd = folder.path / "run.pvd", frames = folder.path / "run.frames";
    OutputMark mark;
    {
        VtkWriter writer(pvd, info, nullptr);
        writer.append(frame_at(0, apart));
        CHECK(!fs::exists(pvd));
        mark = writer.sync();
        CHECK(mark.length == 1);
        writer.append(frame_at(1, apart));
        writer.sync();
        writer.append(frame_at(2, apart));  // died before the next sync
    }
    CHECK(times_in_pvd(text_of(pvd)).size() == 2);
    CHECK_THROWS_AS(VtkWriter(pvd, info, nullptr), Error);
    {
        VtkWriter writer(pvd, info, &mark);
        CHECK(times_in_pvd(text_of(pvd)).size() == 1);
        CHECK(!fs::exists(frames / "000001.vtp"));
        CHECK(!fs::exists(frames / "000002.box.vtp"));
        CHECK(writer.sync() == mark);
        writer.append(frame_at(1, apart));
        CHECK(writer.sync().length == 2);
    }
    std::ofstream(frames / "000000.vtp", std::ios::app) << ' ';
    CHECK_THROWS_AS(VtkWriter(pvd, info, &mark), Error);
}

TEST_CASE("frames in pieces: a list and its files, each with its atoms and bonds") {
    if (!VtkLibrary::built()) return;
    const Folder folder;
    const Topology topology = two_waters();
    const fs::path pvd = folder.path / "run.pvd", frames = folder.path / "run.frames";
    VtkWriter writer(pvd, {.topology = &topology, .pieces = 2}, nullptr);
    writer.append(frame_at(0, apart));
    writer.sync();
    CHECK(text_of(pvd).find("run.frames/000000.pvtp\"") != std::string::npos);
    const std::string list = text_of(frames / "000000.pvtp");
    for (const char* file : {"000000.0.vtp", "000000.1.vtp"}) {
        CHECK(list.find("<Piece Source=\"" + std::string(file) + "\"/>") != std::string::npos);
        const std::string piece = text_of(frames / file);
        CHECK(piece.find("NumberOfPoints=\"3\"") != std::string::npos);
        CHECK(piece.find("NumberOfLines=\"2\"") != std::string::npos);
    }
    fs::rename(frames, folder.path / "other.frames");
    fs::rename(pvd, folder.path / "other.pvd");
    VtkWriter::moved(folder.path / "other.pvd");
    CHECK(text_of(folder.path / "other.pvd").find("other.frames/000000.pvtp\"") != std::string::npos);
}

TEST_CASE("a frame that finds the disk full is an error, and leaves nothing behind") {
    if (!VtkLibrary::built()) return;
    const Folder folder;
    const Topology topology = two_waters();
    VtkWriter writer(folder.path / "run.pvd", {.topology = &topology}, nullptr);
    writer.append(frame_at(0, apart));
    writer.sync();
    const std::string before = text_of(folder.path / "run.pvd");
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit small{1000, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    ExitCode exit = ExitCode::finished;
    try {
        writer.append(frame_at(1, apart));
    } catch (const Error& error) {
        exit = error.exit_code();
    }
    ::setrlimit(RLIMIT_FSIZE, &old);
    CHECK(exit == ExitCode::io_error);
    CHECK(!fs::exists(folder.path / "run.frames" / "000001.vtp"));
    CHECK(text_of(folder.path / "run.pvd") == before);
}

TEST_CASE("what an H5MD file has beside it follows its frames, and draws bonds while none goes across the box") {
    const Folder folder;
    const Topology topology = two_waters();
    const TrajectoryInfo info{.topology = &topology};
    const fs::path h5 = folder.path / "run.h5";
    const auto lists = [&](const char* what) {
        const std::string text = text_of(H5mdViews::xdmf_path(h5));
        std::size_t count = 0;
        for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
        return count;
    };
    OutputMark mark;
    {
        const auto writer = make_trajectory_writer(h5, TrajectoryFormat::h5md, info);
        writer->append(frame_at(0, apart));
        CHECK(!fs::exists(H5mdViews::xdmf_path(h5)));
        mark = writer->sync();
        CHECK(lists("<Time") == 2);  // of atoms and box
        CHECK(lists("NumberOfElements=\"10\"") == 1);
        std::vector<Vec3d> broken = apart;
        broken[1].x += 1.8;
        writer->append(frame_at(1, broken));
        writer->sync();
        CHECK(lists("<Time") == 4);
        CHECK(lists("NumberOfElements=\"6\"") == 2);
        CHECK(lists(">0 0 0 2 0 0 0 2 0 2 2 0 0 0 2 2 0 2 0 2 2 2 2 2<") == 2);
    }
    const auto writer = make_trajectory_writer(h5, TrajectoryFormat::h5md, info, &mark);
    CHECK(lists("<Time") == 2);
    mark.length = 0;
    make_trajectory_writer(h5, TrajectoryFormat::h5md, info, &mark);
    CHECK(!fs::exists(H5mdViews::xdmf_path(h5)));
    CHECK(!fs::exists(H5mdViews::vtkhdf_path(h5)));
}
