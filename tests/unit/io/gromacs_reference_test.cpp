// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/structure/gro.h"
#include "io/topology/gromacs.h"
#include "reference_data.h"

using namespace mdsim;

namespace {

/// Terms of the whole system by the names of `gmx dump`.
std::map<std::string, std::int64_t> count_terms(const Topology& t) {
    std::map<std::string, std::int64_t> n;
    for (const MoleculeBlock& block : t.blocks) {
        const MoleculeType& m = t.types[static_cast<std::size_t>(block.type)];
        const auto add = [&](const char* name, const auto& list) {
            n[name] += block.count * static_cast<std::int64_t>(list.size());
        };
        add("BONDS", m.bonds);
        add("ANGLES", m.angles);  // with those of Urey-Bradley, which dump lists apart
        add("G96BONDS", m.g96_bonds);
        add("G96ANGLES", m.g96_angles);
        add("PDIHS", m.proper_dihedrals);
        add("PIDIHS", m.improper_dihedrals);
        add("IDIHS", m.harmonic_impropers);
        add("RBDIHS", m.ryckaert_bellemans);
        add("LJ14", m.pairs14);
        add("SETTLE", m.settles);
    }
    return n;
}

void compare(const std::string& name, const Topology& t, const nlohmann::json& facts) {
    INFO(name);
    CHECK(t.atoms() == facts.at("atoms").get<std::int64_t>());
    CHECK(t.charge() == Approx(facts.at("charge").get<double>()).margin(2e-6));
    CHECK(t.mass() == Approx(facts.at("mass").get<double>()).epsilon(1e-6));
    const auto& interactions = facts.at("interactions");
    for (const auto& [term, count] : count_terms(t)) {
        std::int64_t expected = interactions.value(term, std::int64_t{0});
        if (term == "ANGLES") expected += interactions.value("UREY_BRADLEY", std::int64_t{0});
        INFO(term);
        CHECK(count == expected);
    }
}

/// The features that only some files have, and that a refusal must name.
const std::map<std::string, std::string> needs{
    {"all_bonded/topol.top", "tabulated"}, {"relative/topol.top", "B-state"}, {"sw-dimer.top", "polarization"}};

void check_broken(const std::string& name, const std::string& message, const nlohmann::json& expect) {
    INFO(name << ": " << message);
    CHECK(message.find(std::filesystem::path(name).filename().string()) != std::string::npos);
    if (expect.contains("line")) {
        CHECK(message.find(fmt::format(":{}", expect.at("line").get<int>())) != std::string::npos);
    }
}

void check_topology(const std::filesystem::path& file, const std::string& name, const nlohmann::json& entry) {
    const bool valid = entry.at("valid").get<bool>();
    try {
        const Topology t = read_gromacs_topology(file, {});
        INFO(name);
        CHECK(valid);
        CHECK(needs.count(name) == 0);
        if (valid) compare(name, t, entry.at("facts"));
    } catch (const Error& error) {
        INFO(name << ": " << error.what());
        CHECK(error.exit_code() == ExitCode::input_error);
        if (!valid) return check_broken(name, error.what(), entry.at("expect"));
        REQUIRE(needs.count(name) == 1);
        CHECK(std::string(error.what()).find(needs.at(name)) != std::string::npos);
    }
}

void check_structure(const std::filesystem::path& file, const std::string& name, const nlohmann::json& entry) {
    const bool valid = entry.at("valid").get<bool>();
    INFO(name);
    try {
        const Structure s = read_gro(file);
        REQUIRE(valid);
        const auto& facts = entry.at("facts");
        CHECK(s.x.size() == facts.at("atoms").get<std::size_t>());
        CHECK(count_gro_frames(file) == facts.at("frames").get<std::int64_t>());
        const auto first = facts.at("first_xyz_A"), last = facts.at("last_xyz_A");
        for (int axis = 0; axis < 3; ++axis) {
            CHECK(10.0 * s.x.front()[axis] == Approx(first.at(axis).get<double>()).margin(1e-9));
            CHECK(10.0 * s.x.back()[axis] == Approx(last.at(axis).get<double>()).margin(1e-9));
        }
        // mdtraj gives atoms names of its own.
        const bool names = entry.at("tool").get<std::string>().find("MDAnalysis") == 0;
        if (names) CHECK(s.labels.front().atom == facts.at("first_atom").at(2).get<std::string>());
    } catch (const Error& error) {
        INFO(error.what());
        REQUIRE_FALSE(valid);
        check_broken(name, error.what(), entry.at("expect"));
    }
}

}  // namespace

TEST_CASE("GROMACS: odd and broken files") {
    const auto data = reference_data("odd .top and .gro files");
    if (!data) return;
    std::ifstream in(*data / "oddfiles" / "facts.json");
    const auto facts = nlohmann::json::parse(in);
    int seen = 0;
    for (const auto& [name, entry] : facts.items()) {
        const std::string format = entry.at("format").get<std::string>();
        const auto file = *data / "oddfiles" / "files" / name;
        if (format == "gmxtop") check_topology(file, name, entry);
        if (format == "gro") check_structure(file, name, entry);
        seen += format == "gmxtop" || format == "gro" ? 1 : 0;
    }
    CHECK(seen > 15);
}

TEST_CASE("GROMACS: the systems of the reference data") {
    const auto data = reference_data("GROMACS reference systems");
    if (!data) return;
    struct System {
        const char* top;
        const char* gro;
    };
    const std::vector<System> systems{
        {"gmx_charmm36_dppc/bilayer.top", "gmx_charmm36_dppc/bilayer.gro"},
        {"gmx_opls_peptide_vacuum/gmx_opls_peptide_vacuum.top", "gmx_opls_peptide_vacuum/gmx_opls_peptide_vacuum.gro"},
        {"lj_argon5832/argon5832.top", "lj_argon5832/argon5832.gro"},
        {"nist_spce_cfg1/spce.top", "nist_spce_cfg1/conf.gro"},
        {"nist_spce_triclinic1/spce.top", "nist_spce_triclinic1/conf.gro"},
        {"freesolv_vacuum/gromacs/mobley_1017962.top", "freesolv_vacuum/gromacs/mobley_1017962.gro"},
        {"gmx_amber_ildn_tip4pew/gmx_amber_ildn_tip4pew.top", "gmx_amber_ildn_tip4pew/gmx_amber_ildn_tip4pew.gro"},
        {"gmx_charmm27_lysozyme/gmx_charmm27_lysozyme.top", "gmx_charmm27_lysozyme/gmx_charmm27_lysozyme.gro"}};
    for (const System& system : systems) {
        INFO(system.top);
        const Topology t = read_gromacs_topology(*data / system.top, {});
        const Structure s = read_gro(*data / system.gro);
        REQUIRE(t.atoms() == static_cast<std::int64_t>(s.x.size()));
        // Names agree atom by atom.
        std::size_t differ = 0;
        t.for_each_molecule([&](const MoleculeType& m, std::int64_t first, std::int64_t) {
            for (int n = 0; n < m.size(); ++n) {
                const auto atom = static_cast<std::size_t>(first + n);
                differ += m.atoms[static_cast<std::size_t>(n)].name != s.labels[atom].atom ? 1 : 0;
            }
        });
        CHECK(differ == 0);
    }
}
