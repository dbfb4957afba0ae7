// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/vec3.h"
#include "io/input/input.h"
#include "run/maps/mesh_potential.h"
#include "system/box.h"

namespace mdsim {

/// Throws the input error MD362.
[[noreturn]] void throw_no_box();

/// A field on a rectangular grid: at the centres of its cells, x fastest.
struct FieldImage {
    std::string name;  ///< "number_density"
    std::string unit;
    std::array<int, 3> cells{};
    Vec3d cell{};  ///< edges of a cell [nm]; the first one begins at the origin
    std::vector<float> values;
    double time = 0.0;  ///< of the last frame [ps]
};

/// The mean of a field over frames. The field is periodic as the box; what is kept of it is the rectangular brick with
/// the box's a.x, b.y and c.z as edges, which fills space by the box's translations as the box itself does. With a box
/// that changes, cells follow it in proportion, and the image has the mean box.
class FieldMap {
  public:
    struct Request {
        MapQuantity quantity = MapQuantity::number;
        double spacing = 0.1;           ///< most that a cell's edge may be in the first box [nm]
        double splitting = 3.12;        ///< of the potential: MeshPotential [1/nm]
        double coulomb_constant = 0.0;  ///< of the potential [kJ nm/mol/e^2]
    };
    /// charges: of the atoms that frames have [e]; box: of the first frame. Input error MD362 in vacuum.
    FieldMap(const Request& request, const Box& box, std::vector<double> charges);

    /// x: extent as the charges.
    void add(const Box& box, std::span<const Vec3d> x, double time);
    std::int64_t frames() const { return frames_; }
    FieldImage image() const;

    /// What a checkpoint keeps of it, and the map that goes on from there.
    std::vector<double> state() const;
    static FieldMap restored(const Request& request, const std::vector<double>& state, std::vector<double> charges);

  private:
    Request request_;
    Box box_;  ///< of the first frame
    std::vector<double> charges_;
    std::array<int, 3> cells_{};
    std::vector<double> sums_;  ///< of the field over frames, by cell
    Vec3d edges_{};             ///< sums over frames [nm]
    double time_ = 0.0;
    std::int64_t frames_ = 0;
    std::unique_ptr<MeshPotential> potential_;

    std::size_t cell_of(const Box& box, const Vec3d& x) const;
    void add_potential(const Box& box, std::span<const Vec3d> x);
};

}  // namespace mdsim
