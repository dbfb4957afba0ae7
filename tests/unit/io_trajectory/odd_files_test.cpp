// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/describe/describe.h"
#include "io/topology/charmm/psf_reader.h"
#include "io_trajectory/samples.h"
#include "reference_data.h"

using namespace mdsim;
using nlohmann::json;

namespace {

constexpr double angstrom = 0.1;

void check_place(const json& facts, const char* key, const Vec3d& x, double unit) {
    if (!facts.contains(key)) return;
    INFO(key);
    for (int axis = 0; axis < 3; ++axis) {
        const double expected = facts[key][static_cast<std::size_t>(axis)].get<double>() * unit;
        CHECK(std::abs(x[axis] - expected) <= (6e-5 + 1e-6 * std::abs(expected / unit)) * unit);
    }
}

void check_box(const json& facts, const char* key, const Cell& box) {
    if (!facts.contains(key)) return;
    INFO(key);
    const Vec3d lengths = box.lengths(), angles = box.angles();
    for (int axis = 0; axis < 3; ++axis) {
        const auto n = static_cast<std::size_t>(axis);
        CHECK(lengths[axis] == Approx(facts[key][n].get<double>() * angstrom).epsilon(2e-5));
        CHECK(angles[axis] == Approx(facts[key][n + 3].get<double>()).epsilon(2e-5));
    }
}

void check_trajectory(const std::filesystem::path& path, json facts) {
    // The tool shows the box of the frame before: the last one has none, as gmx check says.
    if (path.filename() == "cell_shapes.trr") facts.erase("box_last_A_deg");
    // It takes the bytes of the time step in the wrong order.
    if (path.filename() == "mrmd_h2so4-32bit-be.dcd") {
        facts.erase("time_first_ps");
        facts.erase("time_last_ps");
    }
    const auto frames = read_frames(path);
    if (facts.contains("frames")) REQUIRE(frames.size() == facts["frames"].get<std::size_t>());
    if (frames.empty()) return;
    if (facts.contains("atoms")) REQUIRE(frames[0].x.size() == facts["atoms"].get<std::size_t>());
    const StoredFrame &first = frames.front(), &last = frames.back();
    check_place(facts, "first_xyz_A_frame0", first.x.front(), angstrom);
    check_place(facts, "last_xyz_A_frame0", first.x.back(), angstrom);
    check_place(facts, "first_xyz_A_lastframe", last.x.front(), angstrom);
    check_place(facts, "last_xyz_A_lastframe", last.x.back(), angstrom);
    if (facts.contains("first_vel_A_ps_frame0")) check_place(facts, "first_vel_A_ps_frame0", first.v.at(0), angstrom);
    if (facts.contains("first_force_kJ_mol_A_frame0"))
        check_place(facts, "first_force_kJ_mol_A_frame0", first.f.at(0), 1.0 / angstrom);
    if (facts.contains("time_first_ps"))
        CHECK(first.time == Approx(facts["time_first_ps"].get<double>()).margin(1e-4).epsilon(1e-5));
    if (facts.contains("time_last_ps"))
        CHECK(last.time == Approx(facts["time_last_ps"].get<double>()).margin(1e-4).epsilon(1e-5));
    check_box(facts, "box_first_A_deg", first.box);
    check_box(facts, "box_last_A_deg", last.box);
}

void check_psf(const std::filesystem::path& path, const json& facts) {
    const PsfFile psf = read_psf(path);
    CHECK(psf.topology.atoms() == facts["atoms"]);
    if (facts.contains("bonds")) CHECK(psf.bonds == facts["bonds"]);
    if (facts.contains("angles")) CHECK(psf.angles == facts["angles"]);
    if (facts.contains("charge")) CHECK(psf.topology.charge() == Approx(facts["charge"].get<double>()).margin(1e-4));
    if (facts.contains("mass")) CHECK(psf.topology.mass() == Approx(facts["mass"].get<double>()).epsilon(1e-6));
    if (facts.contains("residues")) CHECK(psf.topology.residues() == facts["residues"]);
    if (!facts.contains("first_atom")) return;
    const MoleculeType& type = psf.topology.types.at(static_cast<std::size_t>(psf.topology.blocks[0].type));
    CHECK(type.residues[0].name == facts["first_atom"][0]);
    CHECK(type.atoms[0].name == facts["first_atom"][2]);
}

}  // namespace

TEST_CASE("odd trajectories and PSF files of other programs are read with the facts known of them") {
    const auto root = reference_data("odd and broken trajectories");
    if (!root) return;
    const json all = json::parse(std::ifstream(*root / "oddfiles/facts.json"));
    const std::set<std::string> formats{"dcd", "trr", "xtc", "ncdf", "ncrst", "h5md", "psf", "gro", "pdb", "mmcif"};
    int read = 0, refused = 0;
    for (const auto& [name, entry] : all.items()) {
        const std::string format = entry["format"];
        if (!formats.contains(format)) continue;
        INFO(name);
        const auto path = *root / "oddfiles/files" / name;
        if (!entry["valid"].get<bool>()) {
            ++refused;
            try {
                describe_file(path);
                FAIL("a broken file was read: " << name);
            } catch (const Error& error) {
                const bool of_input =
                    error.exit_code() == ExitCode::input_error || error.exit_code() == ExitCode::io_error;
                CHECK(of_input);
                const std::string text = error.what();
                CHECK_THAT(text, Catch::Matchers::Contains(path.filename().string()));
                if (entry["expect"].contains("line") && format == "psf")
                    CHECK_THAT(text,
                               Catch::Matchers::Contains(":" + std::to_string(entry["expect"]["line"].get<int>())));
            }
            continue;
        }
        ++read;
        try {
            if (format == "psf") check_psf(path, entry["facts"]);
            if (format != "psf") check_trajectory(path, entry["facts"]);
        } catch (const Error& error) {
            // Alternate locations, models of different size.
            const bool known = name == "altlocs2.pdb" || name == "end-endmdl.pdb" || name == "varying_occ_tmp.pdb";
            if (!known) FAIL(error.what());
        }
    }
    CHECK(read >= 35);
    CHECK(refused >= 12);
}
