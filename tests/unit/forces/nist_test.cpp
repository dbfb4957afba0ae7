// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include "core/units.h"
#include "forces/charged_molecule.h"
#include "forces/reference/ewald.h"
#include "forces/reference/reference_pairs.h"
#include "forces/term_checks.h"
#include "reference_data.h"

// The sample configurations of the NIST Standard Reference Simulation Website. Energies there are E/k_B [K] with six
// digits; the Ewald sum takes the wave vectors with n^2 < 27 only.

using namespace mdsim;
using namespace mdsim::test;

namespace {

constexpr double angstrom = 0.1;

struct Water {
    Box box;
    std::vector<Vec3d> x;
};

// Lines: three box lengths; number of molecules; number, x, y, z, element. Molecules are made whole.
Water read_nist_water(const std::filesystem::path& path) {
    std::ifstream in(path);
    Vec3d edge;
    int molecules = 0;
    in >> edge.x >> edge.y >> edge.z >> molecules;
    Water water{Box::rectangular(edge.x * angstrom, edge.y * angstrom, edge.z * angstrom), {}};
    for (int n = 0; n < 3 * molecules; ++n) {
        int number = 0;
        std::string element;
        Vec3d x;
        in >> number >> x.x >> x.y >> x.z >> element;
        x *= angstrom;
        if (n % 3 != 0) {
            const Vec3d& oxygen = water.x[static_cast<std::size_t>(n - n % 3)];
            x = oxygen + water.box.minimum_image(x - oxygen);
        }
        water.x.push_back(x);
    }
    REQUIRE(in);
    return water;
}

struct SpceTerms {
    std::vector<double> charges;
    std::vector<int> types;
    std::vector<Exclusion> exclusions;
    ForceField force_field;
};

SpceTerms spce(std::size_t atoms, double coulomb_constant) {
    SpceTerms t;
    const double epsilon = 78.19743111 * units::boltzmann, sigma6 = std::pow(0.316555789, 6);
    t.force_field.type_names = {"O", "H"};
    t.force_field.lj = {{4 * epsilon * sigma6, 4 * epsilon * sigma6 * sigma6}, {}, {}, {}};
    for (std::size_t i = 0; i < atoms; ++i) {
        const bool oxygen = i % 3 == 0;
        t.charges.push_back((oxygen ? -0.8476 : 0.4238) * std::sqrt(coulomb_constant));
        t.types.push_back(oxygen ? 0 : 1);
        const int n = static_cast<int>(i);
        if (oxygen) t.exclusions.insert(t.exclusions.end(), {{n, n + 1}, {n, n + 2}, {n + 1, n + 2}});
    }
    return t;
}

// Lennard-Jones, real, Fourier, self, intramolecular [K].
std::vector<double> spce_energies(const Water& water, double beta, double cutoff, double largest_k2) {
    NonbondedSettings s;
    s.cutoff = cutoff;
    s.lennard_jones = LennardJones::cut;
    s.electrostatics = Electrostatics::ewald;
    s.ewald_splitting = beta;
    s.coulomb_constant = units::coulomb_codata2018;
    const SpceTerms t = spce(water.x.size(), s.coulomb_constant);
    ReferencePairs pairs(t.force_field, t.types, t.charges, t.exclusions, s);
    EwaldReciprocal reciprocal(t.charges, {beta, largest_k2});
    const auto exclusions = exclusion_term(t.exclusions, t.charges, s);
    const auto constants = coulomb_constants(t.charges, s);
    EnergySums sums;
    for (HostTerm* term :
         {static_cast<HostTerm*>(&pairs), static_cast<HostTerm*>(&reciprocal), exclusions.get(), constants.get()}) {
        sums.add(evaluate(*term, water.box, water.x, 2).sums);
    }
    std::vector<double> out;
    for (const Term term :
         {Term::lj_sr, Term::coulomb_real, Term::coulomb_recip, Term::coulomb_self, Term::coulomb_exclusion}) {
        out.push_back(sums[term].value());
    }
    return out;
}

// Within one unit of the last of `digits` digits.
void check_digits(double got, double published, int digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(published))) + 1 - digits);
    CHECK(std::abs(got - published) < unit);
}

}  // namespace

TEST_CASE("NIST: SPC/E water, configurations 1 to 3, term by term") {
    const auto root = reference_data("NIST tables of SPC/E water");
    if (!root) return;
    struct Table {
        const char* name;
        std::vector<double> terms;  ///< dispersion, real, Fourier, self, intramolecular [K]
        double total, long_range;   ///< [K]
    };
    const std::vector<Table> tables{
        {"1", {99538.7, -558889.0, 6270.09, -2844690.0, 2809990.0}, -488604.0, -823.715},
        {"2", {193712.0, -1192950.0, 6034.95, -5689380.0, 5619980.0}, -1065900.0, -3294.86},
        {"3", {354344.0, -1962970.0, 5244.61, -8534070.0, 8429980.0}, -1714880.0, -7413.43},
    };
    for (const Table& table : tables) {
        INFO("configuration " << table.name);
        const std::string name = table.name;
        const Water water =
            read_nist_water(*root / ("nist_spce_cfg" + name) / ("spce_sample_config_periodic" + name + ".txt"));
        const double edge = water.box.rows()[0].x;
        const double step = 2 * units::pi / edge;
        const auto got = spce_energies(water, 5.6 / edge, 1.0, 26.5 * step * step);
        double total = table.long_range * units::boltzmann;
        for (std::size_t n = 0; n < got.size(); ++n) {
            check_digits(got[n] / units::boltzmann, table.terms[n], 6);
            total += got[n];
        }
        CHECK(total / units::boltzmann == Approx(table.total).epsilon(2e-5));
    }
}

TEST_CASE("NIST: SPC/E water in a triclinic cell, term by term [kJ/mol]") {
    const auto root = reference_data("NIST triclinic SPC/E water");
    if (!root) return;
    std::ifstream in(*root / "nist_spce_triclinic1" / "spce_triclinic_sample_periodic1.xyz");
    int atoms = 0, one = 0;
    double lx, ly, lz, xy, xz, yz;
    in >> atoms >> one >> lx >> ly >> lz >> xy >> xz >> yz;
    Water water{Box::from_rows({Vec3d{lx * angstrom, 0, 0}, Vec3d{xy * angstrom, ly * angstrom, 0},
                                Vec3d{xz * angstrom, yz * angstrom, lz * angstrom}}),
                {}};
    for (int n = 0; n < atoms; ++n) {
        int type = 0;
        Vec3d x;
        in >> type >> x.x >> x.y >> x.z;
        x *= angstrom;
        if (n % 3 != 0) {
            const Vec3d& oxygen = water.x[static_cast<std::size_t>(n - n % 3)];
            x = oxygen + water.box.minimum_image(x - oxygen);
        }
        water.x.push_back(x);
    }
    REQUIRE(in);
    const auto got = spce_energies(water, 2.85, 1.0, 230.37);
    const std::vector<double> published{931.15451, -6046.43627, 371.46525, -96297.75579, 95078.89447};
    for (std::size_t n = 0; n < got.size(); ++n) CHECK(got[n] == Approx(published[n]).margin(1.5e-5));
}

TEST_CASE("NIST: Lennard-Jones, configuration 4, every printed digit") {
    const auto root = reference_data("NIST Lennard-Jones table");
    if (!root) return;
    std::ifstream in(*root / "nist_lj_cfg4" / "lj_sample_config_periodic4.xyz");
    int atoms = 0, one = 0;
    Vec3d edge;
    in >> atoms >> one >> edge.x >> edge.y >> edge.z;
    std::vector<Vec3d> x(static_cast<std::size_t>(atoms));
    std::string name;
    for (Vec3d& r : x) in >> name >> r.x >> r.y >> r.z;
    REQUIRE(in);
    ForceField force_field;
    force_field.type_names = {"A"};
    force_field.lj = {{4.0, 4.0}};
    NonbondedSettings s;
    s.lennard_jones = LennardJones::cut;
    s.electrostatics = Electrostatics::cutoff;
    const auto check = [&](double cutoff, double energy, double virial, double e_digit, double w_digit) {
        s.cutoff = cutoff;
        ReferencePairs term(force_field, std::vector<int>(x.size(), 0), std::vector<double>(x.size(), 0.0), {}, s);
        const Outcome out = evaluate(term, Box::rectangular(edge.x, edge.y, edge.z), x);
        const Mat3d w = out.sums.virial();
        CHECK(out.sums.potential() == Approx(energy).margin(0.5 * e_digit));
        // The undivided virial, sum of f.d.
        CHECK(w[0].x + w[1].y + w[2].z == Approx(virial).margin(0.5 * w_digit));
    };
    check(3.0, -16.790, -46.249, 1e-3, 1e-3);
    check(4.0, -17.060, -47.869, 1e-3, 1e-3);
}
