// SPDX-License-Identifier: Apache-2.0
#include "core/units.h"
#include "forces/charged_molecule.h"
#include "forces/mesh/mesh_term.h"
#include "forces/pair_settings.h"
#include "forces/reference/ewald.h"
#include "forces/reference/reference_pairs.h"
#include "forces/term_checks.h"

// Ewald summation with prolates, part by part and as a whole.

using namespace mdsim;
using namespace mdsim::test;

namespace {

const Box triclinic = Box::from_rows({Vec3d{2.1, 0, 0}, Vec3d{0.6, 2.0, 0}, Vec3d{-0.5, 0.4, 1.9}});

struct Ions {
    ForceField force_field;
    std::vector<Vec3d> x = jittered_grid(triclinic, 4, 3);
    std::vector<int> types;
    std::vector<double> charges;  // with a sum
    std::vector<Exclusion> exclusions;

    Ions() {
        force_field.type_names = {"A"};
        force_field.lj = {{0.0, 0.0}};
        for (std::size_t i = 0; i < x.size(); ++i) {
            types.push_back(0);
            charges.push_back(i % 3 == 0 ? 8.0 : -4.1);
            // Neighbours within the cutoff and atoms beyond it, none through a face of the cell.
            for (const std::size_t j : {i + 1, i + 21, i + 37}) {
                if (j >= x.size() || norm(triclinic.minimum_image(x[i] - x[j]) - (x[i] - x[j])) > 1e-9) continue;
                exclusions.push_back({static_cast<int>(i), static_cast<int>(j)});
            }
        }
    }
};

NonbondedSettings with(Electrostatics electrostatics) {
    NonbondedSettings s;
    s.cutoff = 0.85;
    s.lennard_jones = LennardJones::shift;
    s.electrostatics = electrostatics;
    s.ewald_splitting = 7.5;
    s.prolate_bandwidth = 17.0;
    s.coulomb_constant = 1.0;
    return s;
}

ReferencePairs pairs_of(const Ions& ions, const NonbondedSettings& s) {
    return ReferencePairs(ions.force_field, ions.types, ions.charges, ions.exclusions, s);
}

Outcome whole(const Ions& ions, const NonbondedSettings& s, HostTerm& reciprocal) {
    auto pairs = pairs_of(ions, s);
    const auto exclusions = exclusion_term(ions.exclusions, ions.charges, s);
    const auto constants = coulomb_constants(ions.charges, s);
    Outcome sum;
    sum.forces.resize(ions.x.size());
    for (HostTerm* term : {static_cast<HostTerm*>(&pairs), &reciprocal, exclusions.get(), constants.get()}) {
        const Outcome one = evaluate(*term, triclinic, ions.x);
        for (std::size_t i = 0; i < ions.x.size(); ++i) sum.forces[i] += one.forces[i];
        sum.sums.add(one.sums);
    }
    return sum;
}

}  // namespace

TEST_CASE("prolates give Ewald's energy, forces and virial, with a net charge, too", "[esp]") {
    const Ions ions;
    const NonbondedSettings ewald = with(Electrostatics::ewald), esp = with(Electrostatics::esp);
    EwaldReciprocal plain(ions.charges, {ewald.ewald_splitting, 0.0});
    const mesh::EspParameters fine{
        .split_bandwidth = esp.prolate_bandwidth, .window_bandwidth = 21.0, .mesh = {32, 32, 32}, .order = 8};
    mesh::MeshTerm<double> mesh(mesh::esp_settings(fine, esp.cutoff, 1.0), ions.charges);
    const Outcome exact = whole(ions, ewald, plain), got = whole(ions, esp, mesh);
    // Of a self energy of 4000 kJ/mol.
    CHECK(std::abs(got.sums.potential() - exact.sums.potential()) < 4e-4);
    double square = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < ions.x.size(); ++i) {
        square += norm2(exact.forces[i]);
        difference += norm2(got.forces[i] - exact.forces[i]);
    }
    CHECK(std::sqrt(difference / square) < 3e-6);
    for (std::size_t a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            CHECK(std::abs(got.sums.virial()[a][b] - exact.sums.virial()[a][b]) < 4e-3);
        }
    }
}

TEST_CASE("pairs with prolates: force, virial, Newton's third law, threads", "[esp]") {
    const Ions ions;
    for (const double bandwidth : {10.5, 15.0}) {
        NonbondedSettings s = with(Electrostatics::esp);
        s.prolate_bandwidth = bandwidth;
        auto pairs = pairs_of(ions, s);
        check_slope(pairs, triclinic, ions.x);
        check_newton(pairs, triclinic, ions.x);
        check_virial(pairs, triclinic, ions.x);
        check_threads(pairs, triclinic, ions.x);
    }
}

TEST_CASE("excluded pairs with prolates: force, virial, Newton's third law, threads", "[esp]") {
    const auto settings = with(Electrostatics::esp);
    const std::vector<Vec3d> x{{0, 0, 0}, {0.1, 0.02, 0}, {0.02, 0.1, 0.03}, {1.3, 0, 0}, {0.5, 0.5, 0.4}};
    const std::vector<double> charges{9.0, -7.0, -5.0, 3.0, 2.0};
    const auto term = exclusion_term({{0, 1}, {0, 2}, {1, 2}, {0, 3}, {0, 4}, {2, 4}}, charges, settings);
    check_all(*term, triclinic, x);
    // Beyond the cutoff the mesh has all of a pair.
    const auto far = exclusion_term({{0, 3}}, charges, settings);
    CHECK(energy(*far, triclinic, x) == Approx(-27.0 / 1.3).epsilon(1e-9));
    const auto constants = coulomb_constants(charges, settings);
    check_virial(*constants, triclinic, x);
}
