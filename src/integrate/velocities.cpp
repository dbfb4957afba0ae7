// SPDX-License-Identifier: Apache-2.0
#include "integrate/velocities.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/fixed_point.h"
#include "core/philox.h"
#include "core/units.h"
#include "observe/kinetic_energy.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {
struct MomentumSums {
    fixed::EnergySum x, y, z, mass;

    void add(const MomentumSums& other) {
        x.add(other.x);
        y.add(other.y);
        z.add(other.z);
        mass.add(other.mass);
    }
};

template <class F>
void for_atoms(std::size_t atoms, F&& f) {
    parallel_ranges(atoms, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}
}  // namespace

// The fixed-point unit of energies serves momentum [u nm/ps] and mass [u] as well.
Vec3d centre_of_mass_velocity(const AtomParameters& atoms, std::span<const Vec3d> v) {
    const auto& weights = atoms.inverse_mass;
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return w == 0.0; })) return {};
    std::vector<MomentumSums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(v.size(), [&](int thread, std::size_t begin, std::size_t end) {
        MomentumSums sums;
        for (std::size_t i = begin; i < end; ++i) {
            sums.x.add(atoms.mass[i] * v[i].x);
            sums.y.add(atoms.mass[i] * v[i].y);
            sums.z.add(atoms.mass[i] * v[i].z);
            sums.mass.add(atoms.mass[i]);
        }
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    MomentumSums total;
    for (const MomentumSums& p : partial) total.add(p);
    if (!(total.mass.value() > 0.0)) return {};
    const double inverse = 1.0 / total.mass.value();
    return {total.x.value() * inverse, total.y.value() * inverse, total.z.value() * inverse};
}

void generate_velocities(State& state, const AtomParameters& atoms, const ConstraintSet& constraints,
                         const VelocityRequest& request) {
    const double kt = units::boltzmann * request.temperature;
    state.v.assign(atoms.size(), Vec3d{});
    for_atoms(atoms.size(), [&](std::size_t i) {
        if (atoms.inverse_mass[i] == 0.0) return;
        RandomStream random(request.seed, RandomPurpose::velocities, static_cast<std::uint64_t>(state.step), i);
        const double spread = std::sqrt(kt * atoms.inverse_mass[i]);
        const double x = random.normal(), y = random.normal(), z = random.normal();
        state.v[i] = {spread * x, spread * y, spread * z};
    });
    constraints.project_velocities(state.x, state.v);
    const Vec3d drift = request.removal == ComRemoval::yes ? centre_of_mass_velocity(atoms, state.v) : Vec3d{};
    const double kinetic = kinetic_energy(atoms.mass, atoms.inverse_mass, state.v, drift);
    const double factor = kinetic > 0.0 ? std::sqrt(0.5 * request.degrees * kt / kinetic) : 0.0;
    for_atoms(atoms.size(), [&](std::size_t i) {
        if (atoms.inverse_mass[i] != 0.0) state.v[i] = factor * (state.v[i] - drift);
    });
}

}  // namespace mdsim
