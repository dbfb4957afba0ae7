// SPDX-License-Identifier: Apache-2.0
#include "integrate/velocities.h"

#include <array>
#include <cmath>
#include <vector>

#include "core/fixed_point.h"
#include "core/philox.h"
#include "core/units.h"
#include "observe/kinetic_energy.h"
#include "parallel/threads.h"
#include "parallel/together.h"

namespace mdsim {

namespace {
// Momentum along x, y, z [u nm/ps], mass [u], number of frozen atoms.
struct MomentumSums {
    std::array<fixed::EnergySum, 5> sums;

    void add_atom(double mass, const Vec3d& v) {
        for (int a = 0; a < 3; ++a) sums[static_cast<std::size_t>(a)].add(mass * v[a]);
        sums[3].add(mass);
    }
    void add(const MomentumSums& other) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(other.sums[i]);
    }
};

template <class F>
void for_atoms(std::size_t atoms, F&& f) {
    parallel_ranges(atoms, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}
}  // namespace

// The fixed-point unit of energies serves momentum and mass as well.
Vec3d centre_of_mass_velocity(const AtomParameters& atoms, std::span<const Vec3d> v, const Comm& comm) {
    std::vector<MomentumSums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(v.size(), [&](int thread, std::size_t begin, std::size_t end) {
        MomentumSums sums;
        for (std::size_t i = begin; i < end; ++i) {
            sums.add_atom(atoms.mass[i], v[i]);
            if (atoms.frozen(i)) sums.sums[4].add_units(1);
        }
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    MomentumSums total;
    for (const MomentumSums& p : partial) total.add(p);
    comm.sum(total.sums);
    const auto& [x, y, z, mass, frozen] = total.sums;
    if (frozen.units() != 0 || !(mass.value() > 0.0)) return {};
    const double inverse = 1.0 / mass.value();
    return {x.value() * inverse, y.value() * inverse, z.value() * inverse};
}

void generate_velocities(State& state, const AtomParameters& atoms, const ConstraintSet& constraints,
                         const VelocityRequest& request, const Comm& comm) {
    const double kt = units::boltzmann * request.temperature;
    state.v.assign(atoms.size(), Vec3d{});
    for_atoms(atoms.size(), [&](std::size_t i) {
        if (atoms.inverse_mass[i] == 0.0) return;
        RandomStream random(request.seed, RandomPurpose::velocities, static_cast<std::uint64_t>(state.step),
                            static_cast<std::uint64_t>(atoms.id[i]));
        const double spread = std::sqrt(kt * atoms.inverse_mass[i]);
        const double x = random.normal(), y = random.normal(), z = random.normal();
        state.v[i] = {spread * x, spread * y, spread * z};
    });
    together(comm, [&] { constraints.project_velocities(state.x, state.v); });
    const Vec3d drift = request.removal == ComRemoval::yes ? centre_of_mass_velocity(atoms, state.v, comm) : Vec3d{};
    const double kinetic = kinetic_energy(atoms, state.v, comm, drift);
    const double factor = kinetic > 0.0 ? std::sqrt(0.5 * request.degrees * kt / kinetic) : 0.0;
    for_atoms(atoms.size(), [&](std::size_t i) {
        if (atoms.inverse_mass[i] != 0.0) state.v[i] = factor * (state.v[i] - drift);
    });
}

}  // namespace mdsim
