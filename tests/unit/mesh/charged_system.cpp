// SPDX-License-Identifier: Apache-2.0
#include "mesh/charged_system.h"

#include <cmath>
#include <filesystem>

#include "core/philox.h"
#include "core/units.h"
#include "forces/mesh/mesh_term.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "forces/reference/pair_search.h"
#include "io/structure/amber_restart.h"
#include "io/structure/gro.h"
#include "io/topology/amber.h"
#include "io/topology/gromacs.h"
#include "mesh/evaluate.h"
#include "physics/pair_formulas.h"
#include "reference_data.h"

namespace mdsim::test {

namespace {

constexpr double ke = units::coulomb_codata2018;

void add_exclusions(ChargedSystem& system, const Topology& topology) {
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        for (const Atom& atom : type.atoms) system.q.push_back(atom.charge);
        const int offset = static_cast<int>(first);
        for (const Exclusion& e : type.exclusions) system.exclusions.push_back({e.i + offset, e.j + offset});
    });
}

std::filesystem::path source(const char* path) {
    return std::filesystem::path(MDSIM_SOURCE_DIR) / path;
}

}  // namespace

ChargedSystem charged_system(std::string name, const Topology& topology, const Structure& structure) {
    ChargedSystem system{std::move(name), structure.box, structure.x, {}, {}, mesh::charge_statistics(topology)};
    add_exclusions(system, topology);
    return system;
}

ChargedSystem water_system(std::string name, const Structure& structure, double oxygen, double hydrogen) {
    ChargedSystem system{std::move(name), structure.box, structure.x, {}, {}, {}};
    for (int i = 0; i < static_cast<int>(structure.x.size()); i += 3) {
        for (double q : {oxygen, hydrogen, hydrogen}) system.q.push_back(q);
        for (const Exclusion& e : {Exclusion{i, i + 1}, Exclusion{i, i + 2}, Exclusion{i + 1, i + 2}}) {
            system.exclusions.push_back(e);
        }
    }
    for (double q : system.q) system.statistics.sum_squares += q * q;
    system.statistics.atoms = static_cast<std::int64_t>(system.q.size());
    return system;
}

ChargedSystem salt_system(std::string name, const Structure& structure) {
    ChargedSystem system{std::move(name), structure.box, structure.x, {}, {}, {}};
    const std::size_t n = structure.x.size();
    for (std::size_t i = 0; i < n; ++i) system.q.push_back(i < n / 2 ? 1.0 : -1.0);
    system.statistics = {static_cast<std::int64_t>(n), static_cast<double>(n), static_cast<double>(n)};
    return system;
}

ChargedSystem disturbed_lattice() {
    constexpr int edge = 10;
    constexpr double spacing = 0.318, displacement = 0.055;
    Structure structure;
    structure.box = Box::rectangular(edge * spacing, edge * spacing, edge * spacing);
    RandomStream random(1, RandomPurpose::velocities, 0);
    for (int sign : {0, 1}) {
        for (int i = 0; i < edge * edge * edge; ++i) {
            const int x = i % edge, y = i / edge % edge, z = i / edge / edge;
            if ((x + y + z) % 2 != sign) continue;
            Vec3d r = Vec3d{double(x), double(y), double(z)} * spacing;
            for (int a = 0; a < 3; ++a) r[a] += displacement * random.normal();
            structure.x.push_back(r);
        }
    }
    return salt_system("disturbed NaCl lattice", structure);
}

ChargedSystem random_charges() {
    constexpr int count = 1000;
    Structure structure;
    structure.box = Box::rectangular(2.154, 2.154, 2.154);
    RandomStream random(2, RandomPurpose::velocities, 0);
    for (int i = 0; i < count; ++i) {
        Vec3d r;
        for (int a = 0; a < 3; ++a) r[a] = 2.154 * random.uniform();
        structure.x.push_back(r);
    }
    return salt_system("random charges", structure);
}

namespace {

/// over_r: F/r of two unit charges by the square of their distance.
template <class F>
void add_direct_forces(const ChargedSystem& s, double cutoff, std::vector<Vec3d>& f, F&& over_r) {
    const PairSearch search(s.box, s.x, cutoff);
    for (int i = 0; i < static_cast<int>(s.x.size()); ++i) {
        const auto a = static_cast<std::size_t>(i);
        search.for_each_candidate(i, [&](int j) {
            const auto b = static_cast<std::size_t>(j);
            const Vec3d d = s.box.minimum_image(s.x[a] - s.x[b]);
            const double r2 = norm2(d);
            if (r2 >= cutoff * cutoff) return;
            const Vec3d pair = (ke * s.q[a] * s.q[b] * over_r(r2)) * d;
            f[a] += pair;
            f[b] -= pair;
        });
    }
    for (const Exclusion& e : s.exclusions) {
        const auto a = static_cast<std::size_t>(e.i), b = static_cast<std::size_t>(e.j);
        const Vec3d d = s.box.minimum_image(s.x[a] - s.x[b]);
        const Vec3d pair = (ke * s.q[a] * s.q[b] / (norm2(d) * norm(d))) * d;
        f[a] -= pair;
        f[b] += pair;
    }
}

}  // namespace

namespace {

std::vector<Vec3d> mesh_forces(const ChargedSystem& system, const mesh::MeshSettings& settings) {
    mesh::MeshTerm<double> term(settings, system.q);
    const Evaluated reciprocal(term, system.box, system.x, Need::no);
    std::vector<Vec3d> f;
    for (std::size_t i = 0; i < system.x.size(); ++i) f.push_back(reciprocal.sink.force(i));
    return f;
}

}  // namespace

std::vector<Vec3d> mesh_forces(const ChargedSystem& system, const mesh::PmeParameters& p) {
    return mesh_forces(system, mesh::pme_settings(p, ke));
}

std::vector<Vec3d> electrostatic_forces(const ChargedSystem& system, const mesh::PmeParameters& p, double cutoff) {
    std::vector<Vec3d> f = mesh_forces(system, p);
    add_direct_forces(system, cutoff, f, [&](double r2) {
        const double r = std::sqrt(r2), br = p.splitting * r;
        return (std::erfc(br) + br * std::exp(-br * br) * 2.0 / std::sqrt(units::pi)) / (r2 * r);
    });
    return f;
}

std::vector<Vec3d> electrostatic_forces(const ChargedSystem& system, const mesh::EspParameters& p, double cutoff) {
    std::vector<Vec3d> f = mesh_forces(system, mesh::esp_settings(p, cutoff, ke));
    const auto tail = mesh::prolate_tail(p.split_bandwidth, cutoff);
    add_direct_forces(system, cutoff, f, [&](double r2) {
        return physics::CoulombProlate<physics::ScalarOps<double>>::force_over_r(tail, r2, 1.0 / std::sqrt(r2), 1.0);
    });
    return f;
}

std::vector<Vec3d> exact_forces(const ChargedSystem& system) {
    mesh::PmeParameters p;
    const double cutoff = std::min(1.2, 0.4999 * system.box.smallest_height());
    p.splitting = 4.6 / cutoff;
    p.order = 6;
    for (std::size_t a = 0; a < 3; ++a) {
        p.mesh[a] = mesh::transform_size(static_cast<int>(norm(system.box.rows()[a]) * p.splitting / 0.13));
    }
    return electrostatic_forces(system, p, cutoff);
}

double root_mean_square(const std::vector<Vec3d>& f) {
    return root_mean_square_difference(f, std::vector<Vec3d>(f.size()));
}

double root_mean_square_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += norm2(a[i] - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

std::vector<ChargedSystem> bundled_systems() {
    std::vector<ChargedSystem> out;
    const auto folder = source("inputs/ubiquitin");
    out.push_back(charged_system("ubiquitin in water", read_gromacs_topology(folder / "ubiquitin.top", {}),
                                 read_gro(folder / "ubiquitin.gro")));
    out.push_back(salt_system("molten NaCl", read_gro(source("validation/pme_accuracy/melt.gro"))));
    out.push_back(disturbed_lattice());
    if (std::filesystem::exists(source("inputs/water/water.gro"))) {
        out.push_back(water_system("TIP3P water", read_gro(source("inputs/water/water.gro")), -0.834, 0.417));
    }
    return out;
}

std::vector<ChargedSystem> reference_systems(Extent extent) {
    std::vector<ChargedSystem> out;
    const auto data = reference_data("PME force errors of reference systems");
    if (!data) return out;
    for (const char* name : {"nist_spce_cfg2", "nist_spce_cfg3", "nist_spce_triclinic1"}) {
        out.push_back(water_system(name, read_gro(*data / name / "conf.gro"), -0.8476, 0.4238));
    }
    struct Amber {
        const char *name, *topology, *coordinates;
        Extent extent;
    };
    for (const Amber& a : {Amber{"amber_ala2_tip3p", "ala2.prmtop", "ala2.inpcrd", Extent::small},
                           Amber{"amber_ff14ipq_offdiag", "ff14ipq.parm7", "ff14ipq.rst7", Extent::small},
                           Amber{"amber_trpzip2_truncoct", "tz2.truncoct.parm7", "tz2.truncoct.rst7", Extent::small},
                           Amber{"amber_dna_dodecamer", "dna.prmtop", "dna.inpcrd", Extent::all},
                           Amber{"amber_jac_dhfr", "JAC.prmtop", "JAC.ascii.rst7", Extent::all}}) {
        if (extent == Extent::small && a.extent == Extent::all) continue;
        const auto folder = *data / a.name;
        out.push_back(charged_system(a.name, read_amber_topology(folder / a.topology),
                                     read_amber_restart(folder / a.coordinates)));
    }
    return out;
}

}  // namespace mdsim::test
