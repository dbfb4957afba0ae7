// SPDX-License-Identifier: Apache-2.0
#include "io/describe/describe.h"

#include <fstream>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "amber_prmtop_text.h"
#include "core/error.h"
#include "io/scratch_file.h"
#include "reference_data.h"

using namespace mdsim;
using Catch::Matchers::Contains;
using nlohmann::json;

TEST_CASE("A topology is described by its counts") {
    const json facts = describe_file(ScratchFile("hand.prmtop", PrmtopText{}.text()).path());
    CHECK(facts["format"] == "amber-prmtop");
    CHECK(facts["atoms"] == 6);
    CHECK(facts["residues"] == 3);
    CHECK(facts["molecules"] == 3);
    CHECK(facts["charge"].get<double>() == Approx(2.0));
    CHECK(facts["molecule_types"][1]["count"] == 2);
    CHECK(facts["interactions"]["bonds"] == 3);
    CHECK_FALSE(facts.contains("box"));
    const std::string text = describe_text(facts);
    CHECK_THAT(text, Contains("atoms") && Contains("bonds") && Contains("charge"));
}

TEST_CASE("A structure is described by atoms, residues and box") {
    const json facts = describe_file(
        ScratchFile("one.gro", "one\n    1\n    1SOL     OW    1   0.100   0.200   0.300\n   3.0 3.0 3.0\n").path());
    CHECK(facts["format"] == "gro");
    CHECK(facts["atoms"] == 1);
    CHECK(facts["residues"] == 1);
    CHECK(facts["box"] == json::parse("[[3.0,0.0,0.0],[0.0,3.0,0.0],[0.0,0.0,3.0]]"));
    CHECK_THAT(describe_text(facts), Contains("3.000000"));
}

TEST_CASE("What mdsim cannot describe is refused by name") {
    CHECK_THROWS_AS(describe_file("/no/such/file.pdb"), Error);
    CHECK_THROWS_AS(describe_file(ScratchFile("x.doc", "hello").path()), Error);
    try {
        describe_file(ScratchFile("x.psf", "PSF\n").path());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Contains("MD232") && Contains("x.psf"));
    }
}

// The tool counts the angles without a Urey-Bradley term as one kind of them.
void check_parameters(const json& facts, json expected) {
    expected["ub_types"] = expected["ub_types"].get<int>() - 1;
    expected.erase("residue_names_first5");
    for (const auto& [name, value] : expected.items()) {
        INFO(name);
        CHECK(facts.at(name) == value);
    }
}

TEST_CASE("Odd files are read as their facts say, broken ones refused with file and line") {
    const auto folder = reference_data("odd and broken files of the reference data");
    if (!folder) return;
    const json all = json::parse(std::ifstream(*folder / "oddfiles/facts.json"));
    const std::set<std::string> formats = {"prmtop", "rst7",  "ncrst", "gmxtop", "gro",
                                           "pdb",    "mmcif", "psf",   "crd",    "charmmff"};
    int read = 0, refused = 0;
    for (const auto& [name, entry] : all.items()) {
        if (!formats.contains(entry["format"].get<std::string>())) continue;
        INFO(name);
        try {
            const json facts = describe_file(*folder / "oddfiles/files" / name);
            ++read;
            CHECK(entry["valid"].get<bool>());
            if (entry["facts"].contains("atoms")) CHECK(facts["atoms"] == entry["facts"]["atoms"]);
            if (entry["format"] == "charmmff") check_parameters(facts, entry["facts"]);
            if (entry["facts"].contains("frames") && facts.contains("frames")) {
                CHECK(facts["frames"] == entry["facts"]["frames"]);
            }
        } catch (const Error& error) {
            ++refused;
            const std::string text = error.what();
            CHECK_THAT(text, Contains(std::filesystem::path(name).filename().string()));
            const bool names_line = entry.contains("expect") && entry["expect"].contains("line") &&
                                    !entry["valid"].get<bool>() && entry["format"] != "gmxtop";
            if (names_line) CHECK_THAT(text, Contains(":" + std::to_string(entry["expect"]["line"].get<int>())));
        }
    }
    CHECK(read >= 30);
    CHECK(refused >= 10);
}
