// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/mesh_term.h"

#include <utility>

#include "core/error.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "parallel/threads.h"
#include "physics/mesh_window.h"

namespace mdsim::mesh {

void throw_overloaded() {
    Problem problem;
    problem.code = "MD501";
    problem.what = "more than 64 e of charge on one point of the mesh";
    problem.why = "so many atoms lie on top of each other that their forces make no sense";
    problem.remedy = "minimise the structure, or check that it belongs to the topology";
    throw Error(ExitCode::unstable, std::move(problem));
}

MeshSettings pme_settings(const PmeParameters& p, double coulomb_constant) {
    return {p.mesh, {WindowShape::bspline, p.order}, GaussianSplit{p.splitting}, coulomb_constant};
}

MeshSettings esp_settings(const EspParameters& p, double cutoff, double coulomb_constant) {
    return {p.mesh,
            {WindowShape::prolate, p.order, prolate_pieces(p.order, p.window_bandwidth)},
            prolate_split(p.split_bandwidth, cutoff),
            coulomb_constant};
}

void add_wave_sums(std::span<const WaveSums> sums, ForceSink& sink) {
    EnergySums& energies = sink.slot(0).energies();
    constexpr std::array<std::array<int, 2>, 6> lower{{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}};
    for (const WaveSums& part : sums) {
        energies[Term::coulomb_recip].add(part.sums[0]);
        for (std::size_t i = 0; i < lower.size(); ++i) {
            const auto [a, b] = lower[i];
            energies.virial(a, b).add(part.sums[i + 1]);
            if (a != b) energies.virial(b, a).add(part.sums[i + 1]);
        }
    }
}

template <class Real>
void add_mesh_forces(ChargeGrid<Real>& grid, const Box& box, const std::array<int, 3>& mesh, ForceSink& sink) {
    const std::array<double, 6> matrix = physics::mesh_force_matrix(box.rows(), mesh);
    const auto expect = [&](int thread, std::size_t atom) { sink.slot(thread).expect(atom); };
    grid.gather(expect, [&](int thread, std::size_t atom, Real charge, const Vec3<Real>& gradient) {
        const auto [xx, yx, yy, zx, zy, zz] = matrix;
        const double q = charge;
        const double gx = q * gradient.x, gy = q * gradient.y, gz = q * gradient.z;
        sink.slot(thread).add(atom, {xx * gx, yx * gx + yy * gy, zx * gx + zy * gy + zz * gz});
    });
}

template <class Real>
MeshTerm<Real>::MeshTerm(const MeshSettings& settings, std::span<const double> charges)
    : settings_(settings),
      grid_(settings.mesh, settings.window, charges),
      fft_(settings.mesh),
      influence_(settings.mesh, {{0, fft_.planes()}, {0, settings.mesh[1]}, fft_.pitch()}, settings.coulomb_constant,
                 settings.split, settings.window) {}

template <class Real>
void MeshTerm<Real>::compute(const Evaluation& evaluation, ForceSink& sink) {
    const bool with_energy = wants_wave_sums(evaluation.plan);
    influence_.set_box(evaluation.box);
    grid_.spread(evaluation.points);
    solve(with_energy);
    if (grid_.block().overloaded()) throw_overloaded();
    if (with_energy) add_wave_sums(sums_, sink);
    add_mesh_forces(grid_, evaluation.box, settings_.mesh, sink);
}

template <class Real>
void MeshTerm<Real>::solve(bool with_energy) {
    sums_.assign(static_cast<std::size_t>(thread_count()), WaveSums{});
    MeshBlock<Real>& block = grid_.block();
    fft_.convolve([&](int y, int z0, Real* lines) { block.load(y, z0, lines); },
                  [&](int thread, int kx, std::complex<Real>* plane) {
                      influence_.apply({kx, 0, settings_.mesh[1]}, plane,
                                       with_energy ? &sums_[static_cast<std::size_t>(thread)] : nullptr);
                  },
                  [&](int y, int z0, const Real* lines) { block.store(y, z0, lines); });
}

template void add_mesh_forces(ChargeGrid<float>&, const Box&, const std::array<int, 3>&, ForceSink&);
template void add_mesh_forces(ChargeGrid<double>&, const Box&, const std::array<int, 3>&, ForceSink&);
template class MeshTerm<float>;
template class MeshTerm<double>;

}  // namespace mdsim::mesh
