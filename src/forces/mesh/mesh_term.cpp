// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/mesh_term.h"

#include <utility>

#include "core/error.h"
#include "parallel/threads.h"
#include "physics/mesh_window.h"

namespace mdsim::mesh {

namespace {

[[noreturn]] void throw_overloaded() {
    Problem problem;
    problem.code = "MD501";
    problem.what = "more than 64 e of charge on one point of the mesh";
    problem.why = "so many atoms lie on top of each other that their forces make no sense";
    problem.remedy = "minimise the structure, or check that it belongs to the topology";
    throw Error(ExitCode::unstable, std::move(problem));
}

}  // namespace

MeshSettings pme_settings(const PmeParameters& p, double coulomb_constant) {
    return {p.mesh, {WindowShape::bspline, p.order}, GaussianSplit{p.splitting}, coulomb_constant};
}

template <class Real>
MeshTerm<Real>::MeshTerm(const MeshSettings& settings, std::span<const double> charges)
    : settings_(settings),
      grid_(settings.mesh, settings.window, charges),
      fft_(settings.mesh),
      influence_(settings.mesh, fft_.pitch(), settings.coulomb_constant, settings.split, settings.window) {}

template <class Real>
void MeshTerm<Real>::compute(const Evaluation& evaluation, ForceSink& sink) {
    const StepPlan& plan = evaluation.plan;
    const bool with_energy = plan.energies == Need::yes || plan.virial == Need::yes;
    influence_.set_box(evaluation.box);
    grid_.spread(evaluation.points);
    solve(with_energy);
    if (grid_.overloaded()) throw_overloaded();
    if (with_energy) report_energy(sink);
    gather_forces(evaluation.box, sink);
}

template <class Real>
void MeshTerm<Real>::solve(bool with_energy) {
    sums_.assign(static_cast<std::size_t>(thread_count()), WaveSums{});
    fft_.convolve([&](int y, int z0, Real* lines) { grid_.load(y, z0, lines); },
                  [&](int thread, int kx, std::complex<Real>* plane) {
                      if (with_energy) {
                          influence_.apply_with_energy(kx, plane, sums_[static_cast<std::size_t>(thread)]);
                      } else {
                          influence_.apply(kx, plane);
                      }
                  },
                  [&](int y, int z0, const Real* lines) { grid_.store(y, z0, lines); });
}

template <class Real>
void MeshTerm<Real>::report_energy(ForceSink& sink) {
    EnergySums& energies = sink.slot(0).energies();
    constexpr std::array<std::array<int, 2>, 6> lower{{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}};
    for (const WaveSums& part : sums_) {
        energies[Term::coulomb_recip].add(part.sums[0]);
        for (std::size_t i = 0; i < lower.size(); ++i) {
            const auto [a, b] = lower[i];
            energies.virial(a, b).add(part.sums[i + 1]);
            if (a != b) energies.virial(b, a).add(part.sums[i + 1]);
        }
    }
}

template <class Real>
void MeshTerm<Real>::gather_forces(const Box& box, ForceSink& sink) {
    const std::array<double, 6> matrix = physics::mesh_force_matrix(box.rows(), settings_.mesh);
    grid_.gather([&](int thread, std::size_t atom, Real charge, const Vec3<Real>& gradient) {
        const auto [xx, yx, yy, zx, zy, zz] = matrix;
        const double q = charge;
        const double gx = q * gradient.x, gy = q * gradient.y, gz = q * gradient.z;
        sink.slot(thread).add(atom, {xx * gx, yx * gx + yy * gy, zx * gx + zy * gy + zz * gz});
    });
}

template class MeshTerm<float>;
template class MeshTerm<double>;

}  // namespace mdsim::mesh
