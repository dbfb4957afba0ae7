// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/bonds_in_view.h"

#include <cmath>

namespace mdsim {

namespace {

/// Tells bonds that would be drawn through the whole box.
class Across {
  public:
    explicit Across(const Cell& box) : periodic_(box.periodic()) {
        if (!periodic_) return;
        const Mat3d& r = box.rows();
        const double volume = dot(r[0], cross(r[1], r[2]));
        for (int i = 0; i < 3; ++i) {
            const auto row = [&](int k) { return r[static_cast<std::size_t>((i + k) % 3)]; };
            reciprocal_[static_cast<std::size_t>(i)] = cross(row(1), row(2)) * (1.0 / volume);
        }
    }
    bool operator()(const Vec3d& a, const Vec3d& b) const {
        if (!periodic_) return false;
        const Vec3d d = b - a;
        for (const Vec3d& r : reciprocal_)
            if (std::abs(dot(d, r)) > 0.5) return true;
        return false;
    }

  private:
    bool periodic_;
    Mat3d reciprocal_{};  // so that dot(d, reciprocal_[i]) is the component of d along box vector i
};

}  // namespace

std::vector<std::int64_t> bonds_in_view(const std::vector<std::int64_t>& bonds, const Frame& frame) {
    const Across across(frame.box);
    std::vector<std::int64_t> drawn;
    drawn.reserve(bonds.size());
    for (std::size_t n = 0; n < bonds.size(); n += 2) {
        const std::int64_t a = bonds[n], b = bonds[n + 1];
        if (!across(frame.x[static_cast<std::size_t>(a)], frame.x[static_cast<std::size_t>(b)]))
            drawn.insert(drawn.end(), {a, b});
    }
    return drawn;
}

}  // namespace mdsim
