// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "forces/bonded/bonded_term.h"
#include "forces/coulomb_constants.h"
#include "forces/dispersion_correction.h"
#include "forces/exclusions.h"
#include "forces/pair_settings.h"
#include "forces/reference/ewald.h"
#include "forces/reference/reference_pairs.h"
#include "forces/term_checks.h"
#include "io/structure/amber_restart.h"
#include "io/structure/charmm/charmm_crd.h"
#include "io/structure/gro.h"
#include "io/topology/amber.h"
#include "io/topology/charmm/topology_reader.h"
#include "io/topology/gromacs.h"
#include "reference_data.h"
#include "sites/virtual_sites.h"

// Whole systems of independent engines, term by term and force by force, in double precision with the engines' settings
// (README.md of the reference data says which engine each number is from).

using namespace mdsim;
using namespace mdsim::test;
using Json = nlohmann::json;
using Path = std::filesystem::path;

namespace {

struct System {
    Topology topology;
    Structure structure;
};

System read_gromacs(const Path& topology, const Path& coordinates) {
    System system{read_gromacs_topology(topology, {}), read_gro(coordinates)};
    place_sites(system.topology, system.structure.x);
    return system;
}

System read_amber(const Path& topology, const Path& coordinates) {
    System system{read_amber_topology(topology), {}};
    system.structure = read_amber_restart(coordinates, system.topology.atoms());
    place_sites(system.topology, system.structure.x);
    return system;
}

/// With the parameter files beside a PSF of these names, in this order.
System read_charmm(const Path& topology, const Path& coordinates, std::vector<Path> parameters) {
    for (Path& file : parameters) file = topology.parent_path() / file;
    std::vector<std::string> notes;
    return {read_charmm_topology(topology, parameters, notes), read_charmm_crd(coordinates)};
}

System read_ala3(const Path& topology, const Path& coordinates) {
    System system =
        read_charmm(topology, coordinates, {"top_all36_prot.rtf", "par_all36_prot.prm", "toppar_water_ions.str"});
    system.structure.box = Box::rectangular(3.271195, 3.299596, 3.300715);  // README.md of the reference data
    return system;
}

NonbondedSettings settings_of(const Json& j) {
    NonbondedSettings s;
    s.coulomb_constant = units::coulomb_codata2018;
    if (j.contains("vacuum")) {
        s.electrostatics = Electrostatics::none;
        s.lennard_jones = LennardJones::cut;
        return s;
    }
    static const std::map<std::string, LennardJones> forms{{"cut", LennardJones::cut},
                                                           {"shift", LennardJones::shift},
                                                           {"psw", LennardJones::potential_switch},
                                                           {"fsw_gmx", LennardJones::force_switch},
                                                           {"fsw_charmm", LennardJones::charmm_force_switch}};
    s.electrostatics = Electrostatics::ewald;
    s.cutoff = j.at("rc");
    s.ewald_splitting = j.at("alpha");
    s.lennard_jones = forms.at(j.at("lj"));
    s.switch_from = j.value("rs", 0.0);
    return s;
}

Outcome evaluate_all(const System& system, const NonbondedSettings& s) {
    const LocalTerms local = make_local_terms(system.topology);
    const AtomParameters atoms = make_atom_parameters(system.topology);
    const auto charges = scaled_charges(atoms.charge, s);
    std::vector<std::unique_ptr<HostTerm>> terms;
    terms.push_back(make_bonded_term(system.topology, s.coulomb_constant));
    terms.push_back(
        std::make_unique<ReferencePairs>(system.topology.force_field, atoms.type, charges, local.exclusions, s));
    if (has_reciprocal_part(s.electrostatics)) {
        terms.push_back(std::make_unique<EwaldReciprocal>(charges, EwaldSettings{s.ewald_splitting, 0.0}));
    }
    terms.push_back(make_exclusion_term(system.topology, s));
    terms.push_back(make_coulomb_constants(system.topology, s));
    Outcome all;
    all.units.resize(system.structure.x.size());
    for (const auto& term : terms) {
        if (!term) continue;
        assign(*term, local, atoms.charge);
        const Outcome one = evaluate(*term, system.structure.box, system.structure.x, 2);
        for (std::size_t i = 0; i < all.units.size(); ++i) all.units[i] += one.units[i];
        all.sums.add(one.sums);
    }
    VirtualSites sites(system.topology);
    sites.assign(atoms.id);
    all.sums.add(sites.spread(system.structure.x, all.units, Need::yes));
    constexpr double unit = 1.0 / fixed::force_scale;
    for (const Vec3l& f : all.units) {
        all.forces.push_back(
            {unit * static_cast<double>(f.x), unit * static_cast<double>(f.y), unit * static_cast<double>(f.z)});
    }
    return all;
}

void check_energy(const std::string& name, double got, double expected, double scale) {
    INFO(name);
    CHECK(std::abs(got - expected) <= std::max(1e-4, 1e-6 * std::max(std::abs(expected), scale)));
}

void check_energies(const EnergySums& sums, const Json& reference) {
    double coulomb = 0.0, torsion = 0.0, expected_torsion = 0.0;
    for (std::size_t t = 0; t < term_count; ++t) {
        const Term term = static_cast<Term>(t);
        const std::string name(name_of(term));
        const double value = sums[term].value();
        if (name.starts_with("coulomb") && term != Term::coulomb_14) coulomb += value;
        // Converters turn some dihedrals into the other form; only their sum is the same.
        if (term == Term::proper_dihedral || term == Term::ryckaert_bellemans) {
            torsion += value;
            expected_torsion += reference.value(name, 0.0);
        } else if (reference.contains(name)) {
            check_energy(name, value, reference.at(name), 0.0);
        }
    }
    check_energy("dihedrals", torsion, expected_torsion, 0.0);
    const char* total = reference.contains("coulomb") ? "coulomb" : "coulomb_total_without_14";
    double scale = 0.0;
    if (reference.contains(total)) {
        check_energy(total, coulomb, reference.at(total), 0.0);
        scale = std::abs(reference.at(total).get<double>());
    }
    check_energy("potential", sums.potential(), reference.at("potential"), scale);
}

std::vector<Vec3d> read_forces(const Path& path) {
    std::vector<Vec3d> forces;
    const std::string command = "gzip -dc '" + path.string() + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    char line[256];
    while (pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr) {
        Vec3d f;
        if (std::sscanf(line, "%lf %lf %lf", &f.x, &f.y, &f.z) == 3) forces.push_back(f);
    }
    return forces;
}

void check_forces(const std::vector<Vec3d>& got, const Path& path, double tolerance) {
    const std::vector<Vec3d> expected = read_forces(path);
    REQUIRE(expected.size() == got.size());
    double difference = 0.0, square = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        difference += norm2(got[i] - expected[i]);
        square += norm2(expected[i]);
    }
    CHECK(std::sqrt(difference / square) <= tolerance);
}

// Against -2 Vir of GROMACS in double precision (PME of order 12), which carries some 1e-6 of the sums. GROMACS leaves
// out the virial of the neutralising background, which is its energy on each diagonal.
void check_virial(const EnergySums& sums, const Json& raw) {
    const Mat3d virial = sums.virial();
    const double background = sums[Term::coulomb_net_charge_background].value();
    double size = 0.0;
    for (const char* axis : {"Vir-XX", "Vir-YY", "Vir-ZZ"}) size = std::max(size, std::abs(raw.at(axis).get<double>()));
    const char* names[3] = {"X", "Y", "Z"};
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            const double gromacs = -2.0 * raw.at(std::string("Vir-") + names[a] + names[b]).get<double>();
            INFO("virial " << names[a] << names[b]);
            const double expected = a == b ? gromacs + background : gromacs;
            CHECK(virial[static_cast<std::size_t>(a)][b] == Approx(expected).margin(4e-6 * size));
        }
    }
}

/// One system of the reference data: its folder and the files in it.
struct Files {
    std::string folder, topology, coordinates;
};

void check_system(const Path& root, const Files& files, System (*read)(const Path&, const Path&)) {
    const Path folder = root / files.folder;
    const System system = read(folder / files.topology, folder / files.coordinates);
    Json all;
    std::ifstream(folder / "reference.json") >> all;
    for (const auto& [id, setting] : all.at("settings").items()) {
        INFO(files.folder << " " << id);
        const NonbondedSettings s = settings_of(setting.at("settings"));
        const Outcome got = evaluate_all(system, s);
        check_energies(got.sums, setting.at("reference"));
        check_forces(got.forces, folder / ("forces." + id + ".reference.csv.gz"), 1e-6);
        if (setting.value("gromacs_raw", Json::object()).contains("Vir-XX"))
            check_virial(got.sums, setting.at("gromacs_raw"));
        const Json correction = setting.value("dispersion_correction", Json());
        if (!correction.is_null() && correction.contains("gromacs_EnerPres_analytic")) {
            const auto term = make_dispersion_correction(system.topology, s);
            CHECK(term->energy(system.structure.box.volume()) ==
                  Approx(correction.at("gromacs_EnerPres_analytic").get<double>()).epsilon(1e-9));
        }
    }
}

// The same five molecules in AMBER and GROMACS files; `numbers` names the energies of this form.
void check_freesolv(const Path& root, const char* numbers, double force_tolerance,
                    const std::function<System(const std::string&)>& read) {
    Json all;
    std::ifstream(root / "freesolv_vacuum" / "reference.json") >> all;
    for (const auto& [name, molecule] : all.at("molecules").items()) {
        INFO(name);
        const Outcome got = evaluate_all(read(name), settings_of(molecule.at("settings")));
        check_energies(got.sums, molecule.at(numbers));
        check_forces(got.forces, root / "freesolv_vacuum" / ("forces." + name + ".vacuum.reference.csv.gz"),
                     force_tolerance);
    }
}

}  // namespace

TEST_CASE("reference systems in GROMACS files") {
    const auto root = reference_data("reference systems in GROMACS files");
    if (!root) return;
    const Files files = GENERATE(
        Files{"lj_argon5832", "argon5832.top", "argon5832.gro"},
        Files{"gmx_opls_peptide_vacuum", "gmx_opls_peptide_vacuum.top", "gmx_opls_peptide_vacuum.gro"},
        Files{"gmx_amber_ildn_tip4pew", "gmx_amber_ildn_tip4pew.top", "gmx_amber_ildn_tip4pew.gro"},
        Files{"gmx_charmm27_lysozyme", "gmx_charmm27_lysozyme.top", "gmx_charmm27_lysozyme.gro"},
        Files{"gmx_charmm36_dppc", "bilayer.top", "bilayer.gro"}, Files{"nist_spce_cfg1", "spce.top", "conf.gro"},
        Files{"nist_spce_cfg2", "spce.top", "conf.gro"}, Files{"nist_spce_cfg3", "spce.top", "conf.gro"},
        Files{"nist_spce_triclinic1", "spce.top", "conf.gro"});
    check_system(*root, files, read_gromacs);
}

TEST_CASE("reference systems in AMBER files") {
    const auto root = reference_data("reference systems in AMBER files");
    if (!root) return;
    const Files files = GENERATE(Files{"amber_ala2_tip3p", "ala2.prmtop", "ala2.inpcrd"},
                                 Files{"amber_dna_dodecamer", "dna.prmtop", "dna.inpcrd"},
                                 Files{"amber_ff14ipq_offdiag", "ff14ipq.parm7", "ff14ipq.rst7"},
                                 Files{"amber_jac_dhfr", "JAC.prmtop", "JAC.ascii.rst7"},
                                 Files{"amber_tip4p_box", "tip4p.parm7", "tip4p.rst7"},
                                 Files{"amber_mixed14_vacuum", "different_molecules.parm7", "different_molecules.rst7"},
                                 Files{"amber_trpzip2_truncoct", "tz2.truncoct.parm7", "tz2.truncoct.rst7"});
    check_system(*root, files, read_amber);
}

TEST_CASE("a reference system in CHARMM files") {
    const auto root = reference_data("a reference system in CHARMM files");
    if (!root) return;
    check_system(*root, {"charmm_ala3_solv", "ala3_solv.psf", "ala3_solv.crd"}, read_ala3);
}

TEST_CASE("FreeSolv molecules in vacuum") {
    const auto root = reference_data("FreeSolv molecules in vacuum");
    if (!root) return;
    const Path folder = *root / "freesolv_vacuum";
    SECTION("GROMACS files") {
        // The forces are those of the AMBER files; the .top files hold fewer digits (3e-6 in the forces).
        check_freesolv(*root, "gromacs_native_topology", 5e-6, [&](const std::string& name) {
            return read_gromacs(folder / "gromacs" / (name + ".top"), folder / "gromacs" / (name + ".gro"));
        });
    }
    SECTION("CHARMM files") {
        // Their .prm files hold fewer digits than the AMBER files (1e-5 in the forces).
        check_freesolv(*root, "charmm_files_openmm_kJ_mol", 2e-5, [&](const std::string& name) {
            return read_charmm(folder / "charmm" / (name + ".psf"), folder / "charmm" / (name + ".crd"),
                               {name + ".rtf", name + ".prm"});
        });
    }
    SECTION("AMBER files") {
        check_freesolv(*root, "reference", 1e-6, [&](const std::string& name) {
            return read_amber(folder / "amber" / (name + ".prmtop"), folder / "amber" / (name + ".inpcrd"));
        });
    }
}

TEST_CASE("reaction field of SPC/E water as GROMACS has it, with excluded pairs and self term") {
    const auto root = reference_data("reaction field of SPC/E water");
    if (!root) return;
    const Path folder = *root / "nist_spce_cfg1";
    const System system = read_gromacs(folder / "spce.top", folder / "conf.gro");
    NonbondedSettings s;
    s.electrostatics = Electrostatics::reaction_field;
    s.lennard_jones = LennardJones::cut;
    s.cutoff = 0.9;
    s.coulomb_constant = units::coulomb_codata2018;
    // "Coulomb (SR)" of GROMACS 2022.5 in double precision, coulombtype = reaction-field, modifiers none.
    for (const auto& [permittivity, gromacs] : {std::pair{0.0, -4895.846766019}, std::pair{78.0, -4895.770682152}}) {
        s.reaction_field_permittivity = permittivity;
        const EnergySums sums = evaluate_all(system, s).sums;
        const double coulomb =
            sums[Term::coulomb_real].value() + sums[Term::coulomb_exclusion].value() + sums[Term::coulomb_self].value();
        CHECK(coulomb == Approx(gromacs).epsilon(1e-9));
    }
}
