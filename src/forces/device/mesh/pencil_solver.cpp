// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/pencil_solver.h"

namespace mdsim {

using mesh::MeshLayout;
using mesh::Pencils;
using mesh::Stretch;

namespace {

constexpr PieceExchange::Kind along_y{
    {"spectrum along y between ranks", "the mesh"}, sizeof(kernels::Complex), 413, Traffic::mesh_transpose};
constexpr PieceExchange::Kind along_x{
    {"spectrum along x between ranks", "the mesh"}, sizeof(kernels::Complex), 415, Traffic::mesh_transpose};

std::size_t begin(Stretch s) {
    return static_cast<std::size_t>(s.begin);
}
std::size_t count(Stretch s) {
    return static_cast<std::size_t>(s.size());
}
int rank_of(const MeshLayout& layout, int first, int second) {
    return layout.rank_of_tile[static_cast<std::size_t>(first * layout.pencils.second + second)];
}

}  // namespace

SharedPieces pieces_along_y(const MeshLayout& layout, int tile) {
    const Pencils& p = layout.pencils;
    const int i = tile / p.second, j = tile % p.second;
    const std::size_t x = count(p.points_z(j)), y = count(p.y(i)), kz = count(p.kx(i));
    const auto ny = static_cast<std::size_t>(p.n[1]);
    SharedPieces pieces;
    for (int other = 0; other < p.first; ++other) {
        const Stretch kz_there = p.kx(other), y_there = p.y(other);
        RowTable away, here;
        away.add(begin(kz_there) * x * y, 0, count(kz_there) * x * y);
        for (std::size_t row = 0; row < kz * x; ++row) {
            const std::size_t at = row * ny + begin(y_there);
            if (other == i) {
                pieces.own.add(begin(kz_there) * x * y + row * y, at, y);
            } else {
                here.add(at, row * count(y_there), count(y_there));
            }
        }
        if (other == i) continue;
        pieces.near.push_back({rank_of(layout, other, j), std::move(away)});
        pieces.far.push_back({rank_of(layout, other, j), std::move(here)});
    }
    return pieces;
}

SharedPieces pieces_along_x(const MeshLayout& layout, int tile) {
    const Pencils& p = layout.pencils;
    const int i = tile / p.second, j = tile % p.second;
    const std::size_t x = count(p.points_z(j)), ky = count(p.ky(j)), kz = count(p.kx(i));
    const auto ny = static_cast<std::size_t>(p.n[1]), nx = static_cast<std::size_t>(p.n[2]);
    SharedPieces pieces;
    for (int other = 0; other < p.second; ++other) {
        const Stretch ky_there = p.ky(other), x_there = p.points_z(other);
        RowTable away, here;
        for (std::size_t k = 0; k < kz; ++k) {
            const std::size_t from = (k * ny + begin(ky_there)) * x;
            if (other != j) away.add(from, k * count(ky_there) * x, count(ky_there) * x);
            for (std::size_t row = 0; row < ky; ++row) {
                const std::size_t line = k * ky + row, at = line * nx + begin(x_there);
                if (other == j) {
                    pieces.own.add(from + row * x, at, x);
                } else {
                    here.add(at, line * count(x_there), count(x_there));
                }
            }
        }
        if (other == j) continue;
        pieces.near.push_back({rank_of(layout, i, other), std::move(away)});
        pieces.far.push_back({rank_of(layout, i, other), std::move(here)});
    }
    return pieces;
}

PencilSolver::PencilSolver(const gpu::Device& device, const Comm& comm, const mesh::MeshSettings& settings,
                           const MeshLayout& layout, int tile, Transport transport)
    : solver_(device, settings, layout.pencils, tile) {
    gpu::Stream stream(device);
    if (layout.pencils.first > 1) {
        with_y_.emplace(device, comm, along_y, transport);
        with_y_->plan(pieces_along_y(layout, tile), stream);
    }
    if (layout.pencils.second > 1) {
        with_x_.emplace(device, comm, along_x, transport);
        with_x_->plan(pieces_along_x(layout, tile), stream);
    }
    stream.finish();
}

void PencilSolver::begin(gpu::Stream& stream, const MeshRun& run) {
    stream_ = &stream;
    run_.emplace(run);
    solver_.forward_z(stream, run.flags);
    begin_turn(Stage::to_y);
}

bool PencilSolver::progress() {
    while (stage_ != Stage::done && (!turn() || turn()->progress(*stream_))) go_on();
    return stage_ == Stage::done;
}

PieceExchange::Way PencilSolver::way() const {
    const bool forth = stage_ == Stage::to_y || stage_ == Stage::to_x;
    return forth ? PieceExchange::Way::near_to_far : PieceExchange::Way::far_to_near;
}

void PencilSolver::begin_turn(Stage stage) {
    stage_ = stage;
    if (!turn()) return;
    const kernels::Complex* const numbers = solver_.numbers();
    kernels::copy_spectrum(*stream_, turn()->packing(way(), numbers, 1));
    kernels::copy_spectrum(*stream_, turn()->own(way(), numbers, solver_.others(), 1));
    turn()->begin(*stream_, way());
}

void PencilSolver::finish_turn() {
    if (!turn()) return;
    kernels::copy_spectrum(*stream_, turn()->unpacking(way(), solver_.others(), 1));
    solver_.turned();
}

void PencilSolver::go_on() {
    finish_turn();
    switch (stage_) {
        case Stage::to_y:
            solver_.forward_y(*stream_);
            return begin_turn(Stage::to_x);
        case Stage::to_x:
            solver_.along_x(*stream_, *run_);
            return begin_turn(Stage::from_x);
        case Stage::from_x:
            solver_.backward_y(*stream_);
            return begin_turn(Stage::from_y);
        case Stage::from_y:
            solver_.backward_z(*stream_);
            stage_ = Stage::done;
            return;
        case Stage::done:
            return;
    }
}

}  // namespace mdsim
