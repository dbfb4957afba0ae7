// SPDX-License-Identifier: Apache-2.0
#include "run/maps/mesh_potential.h"

#include <algorithm>
#include <cmath>

#include "forces/mesh/mesh_term.h"
#include "forces/mesh/pme_parameters.h"
#include "physics/mesh_window.h"

namespace mdsim {

namespace {

// A Gaussian is the better resolved the finer the mesh; with splines of order 6, 0.4/beta leaves 1e-4 of the potential.
constexpr double nodes_a_width = 0.4;

std::array<int, 3> mesh_for(const MeshPotential::Settings& settings, const Box& box) {
    const double spacing = std::min(settings.spacing, nodes_a_width / settings.splitting);
    std::array<int, 3> mesh{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        mesh[axis] = std::max(8, mesh::transform_size(static_cast<int>(std::ceil(norm(box.rows()[axis]) / spacing))));
    return mesh;
}

}  // namespace

MeshPotential::MeshPotential(const Settings& settings, const Box& box, std::span<const double> charges)
    : mesh_(mesh_for(settings, box)),
      grid_(mesh_, {mesh::WindowShape::bspline, order}, charges),
      fft_(mesh_),
      influence_(mesh_, {{0, fft_.planes()}, {0, mesh_[1]}, fft_.pitch()}, settings.coulomb_constant,
                 mesh::GaussianSplit{settings.splitting}, {mesh::WindowShape::bspline, order}),
      points_(charges.size()) {}

void MeshPotential::solve(const Box& box, std::span<const Vec3d> x) {
    lattice_ = std::make_unique<Lattice>(box, x);
    lattice_->points(x, points_);
    influence_.set_box(box);
    grid_.spread(points_);
    mesh::MeshBlock<double>& block = grid_.block();
    fft_.convolve([&](int y, int z0, double* lines) { block.load(y, z0, lines); },
                  [&](int, int kx, std::complex<double>* plane) {
                      influence_.apply({kx, 0, mesh_[1]}, plane, nullptr);
                  },
                  [&](int y, int z0, const double* lines) { block.store(y, z0, lines); });
    if (block.overloaded()) mesh::throw_overloaded();
    rows_.clear();
    for (int i = 0; i < mesh_[0]; ++i) {
        for (int j = 0; j < mesh_[1]; ++j) rows_.push_back(block.potential(i, j));
    }
}

double MeshPotential::at(const Vec3d& x) const {
    const LatticePoint point = lattice_->point(x);
    const std::array<std::uint32_t, 3> u{point.x, point.y, point.z};
    std::array<int, 3> first{};
    double w[3][order], unused[order];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        first[axis] = physics::mesh_node(u[axis], mesh_[axis]);
        physics::BSplineWindow<order>::weights<physics::ScalarOps<double>>(
            physics::mesh_fraction<double>(u[axis], mesh_[axis]), w[axis], unused);
    }
    double sum = 0.0;
    for (int i = 0; i < order; ++i) {
        for (int j = 0; j < order; ++j) {
            const int a = (first[0] + i) % mesh_[0], b = (first[1] + j) % mesh_[1];
            const double* row =
                rows_[static_cast<std::size_t>(a) * static_cast<std::size_t>(mesh_[1]) + static_cast<std::size_t>(b)];
            double along = 0.0;
            for (int k = 0; k < order; ++k) along += w[2][k] * row[(first[2] + k) % mesh_[2]];
            sum += w[0][i] * w[1][j] * along;
        }
    }
    return sum;
}

}  // namespace mdsim
