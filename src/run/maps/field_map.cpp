// SPDX-License-Identifier: Apache-2.0
#include "run/maps/field_map.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace mdsim {

namespace {

Vec3d brick_of(const Box& box) {
    return {box.rows()[0].x, box.rows()[1].y, box.rows()[2].z};
}

// The cell of a coordinate within [0, edge), which rounding may leave at the edge.
int cell_along(double x, double edge, int cells) {
    return std::clamp(static_cast<int>(x / edge * cells), 0, cells - 1);
}

}  // namespace

void throw_no_box() {
    throw_input_error({.code = "MD362",
                       .what = "a map needs a periodic box, and there is none",
                       .remedy = "map a system with a box"});
}

FieldMap::FieldMap(const Request& request, const Box& box, std::vector<double> charges)
    : request_(request), box_(box), charges_(std::move(charges)) {
    if (!box.periodic()) throw_no_box();
    std::size_t count = 1;
    for (const int axis : {0, 1, 2}) {
        cells_[static_cast<std::size_t>(axis)] =
            std::max(1, static_cast<int>(std::ceil(brick_of(box)[axis] / request.spacing - 1e-6)));
        count *= static_cast<std::size_t>(cells_[static_cast<std::size_t>(axis)]);
    }
    sums_.assign(count, 0.0);
    if (request.quantity != MapQuantity::potential) return;
    potential_ = std::make_unique<MeshPotential>(
        MeshPotential::Settings{request.spacing, request.splitting, request.coulomb_constant}, box, charges_);
}

std::size_t FieldMap::cell_of(const Box& box, const Vec3d& x) const {
    const Mat3d& rows = box.rows();
    Vec3d at = x;
    at -= rows[2] * std::floor(at.z / rows[2].z);
    at -= rows[1] * std::floor(at.y / rows[1].y);
    at -= rows[0] * std::floor(at.x / rows[0].x);
    const auto along = [&](int axis) {
        return static_cast<std::size_t>(
            cell_along(at[axis], brick_of(box)[axis], cells_[static_cast<std::size_t>(axis)]));
    };
    return (along(2) * static_cast<std::size_t>(cells_[1]) + along(1)) * static_cast<std::size_t>(cells_[0]) + along(0);
}

void FieldMap::add(const Box& box, std::span<const Vec3d> x, double time) {
    MDSIM_EXPECT(box.periodic() && x.size() == charges_.size());
    if (potential_) {
        add_potential(box, x);
    } else {
        const double of_one = static_cast<double>(sums_.size()) / box.volume();
        for (std::size_t i = 0; i < x.size(); ++i)
            sums_[cell_of(box, x[i])] += request_.quantity == MapQuantity::number ? of_one : charges_[i] * of_one;
    }
    edges_ += brick_of(box);
    time_ = time;
    ++frames_;
}

void FieldMap::add_potential(const Box& box, std::span<const Vec3d> x) {
    potential_->solve(box, x);
    const Vec3d brick = brick_of(box);
    const Vec3d cell{brick.x / cells_[0], brick.y / cells_[1], brick.z / cells_[2]};
    std::size_t n = 0;
    for (int k = 0; k < cells_[2]; ++k) {
        for (int j = 0; j < cells_[1]; ++j) {
            for (int i = 0; i < cells_[0]; ++i)
                sums_[n++] += potential_->at({(i + 0.5) * cell.x, (j + 0.5) * cell.y, (k + 0.5) * cell.z});
        }
    }
}

std::vector<double> FieldMap::state() const {
    std::vector<double> state{static_cast<double>(frames_), time_, edges_.x, edges_.y, edges_.z};
    for (const Vec3d& row : box_.rows()) state.insert(state.end(), {row.x, row.y, row.z});
    state.insert(state.end(), sums_.begin(), sums_.end());
    return state;
}

FieldMap FieldMap::restored(const Request& request, const std::vector<double>& state, std::vector<double> charges) {
    constexpr std::size_t head = 14;
    MDSIM_EXPECT(state.size() > head);
    const double* row = state.data() + 5;
    FieldMap map(
        request,
        Box::from_rows({Vec3d{row[0], row[1], row[2]}, Vec3d{row[3], row[4], row[5]}, Vec3d{row[6], row[7], row[8]}}),
        std::move(charges));
    MDSIM_EXPECT(state.size() == head + map.sums_.size());
    map.frames_ = static_cast<std::int64_t>(state[0]);
    map.time_ = state[1];
    map.edges_ = {state[2], state[3], state[4]};
    std::copy(state.begin() + head, state.end(), map.sums_.begin());
    return map;
}

FieldImage FieldMap::image() const {
    constexpr std::array<const char*, 3> names{"number_density", "charge_density", "potential"};
    constexpr std::array<const char*, 3> units{"1/nm^3", "e/nm^3", "kJ/mol/e"};
    const auto quantity = static_cast<std::size_t>(request_.quantity);
    FieldImage image{.name = names[quantity], .unit = units[quantity], .cells = cells_, .time = time_};
    const double share = frames_ > 0 ? 1.0 / static_cast<double>(frames_) : 0.0;
    image.cell = {edges_.x * share / cells_[0], edges_.y * share / cells_[1], edges_.z * share / cells_[2]};
    for (const double sum : sums_) image.values.push_back(static_cast<float>(sum * share));
    return image;
}

}  // namespace mdsim
