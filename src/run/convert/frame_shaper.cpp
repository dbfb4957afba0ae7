// SPDX-License-Identifier: Apache-2.0
#include "run/convert/frame_shaper.h"

#include <cmath>

#include "analyse/superpose.h"
#include "core/units.h"
#include "run/output/trajectory_view.h"
#include "system/preparation/whole.h"

namespace mdsim {

namespace {

template <class T>
void choose(const std::vector<T>& from, const std::vector<std::size_t>& atoms, std::vector<T>& to) {
    to.clear();
    if (from.empty()) return;
    to.reserve(atoms.size());
    for (const std::size_t atom : atoms) to.push_back(from[atom]);
}

// The mean of points that may lie on both sides of a box face: the circular mean of fractional coordinates finds where
// they are, and what is averaged are their nearest images to it.
Vec3d periodic_mean(const std::vector<Vec3d>& points, const Box& box) {
    Vec3d sines{}, cosines{}, middle{};
    for (const Vec3d& point : points) {
        const Vec3d s = box.to_fractional(point) * (2.0 * units::pi);
        sines += Vec3d{std::sin(s.x), std::sin(s.y), std::sin(s.z)};
        cosines += Vec3d{std::cos(s.x), std::cos(s.y), std::cos(s.z)};
    }
    for (int axis = 0; axis < 3; ++axis) middle[axis] = std::atan2(sines[axis], cosines[axis]) / (2.0 * units::pi);
    middle = box.to_cartesian(middle);
    Vec3d sum{};
    for (const Vec3d& point : points) sum += box.minimum_image(point - middle);
    return middle + sum * (1.0 / static_cast<double>(points.size()));
}

Vec3d mean(const std::vector<Vec3d>& points) {
    Vec3d sum{};
    for (const Vec3d& point : points) sum += point;
    return sum * (1.0 / static_cast<double>(points.size()));
}

}  // namespace

FrameShaper::FrameShaper(Request request, const Topology* topology, std::filesystem::path file)
    : request_(std::move(request)), topology_(topology), file_(std::move(file)) {}

void FrameShaper::centre(StoredFrame& frame, const Box& box) const {
    std::vector<Vec3d> points;
    choose(frame.x, request_.centre, points);
    Vec3d shift = -mean(points);
    if (box.periodic()) {
        const Mat3d& rows = box.rows();
        shift = 0.5 * (rows[0] + rows[1] + rows[2]) - periodic_mean(points, box);
    }
    for (Vec3d& x : frame.x) x += shift;
}

void FrameShaper::fit(StoredFrame& frame) {
    std::vector<Vec3d> points;
    choose(frame.x, request_.fit, points);
    if (reference_.empty()) reference_ = points;
    const std::vector<double> weights(points.size(), 1.0);
    const analyse::RigidMotion motion = analyse::superpose(points, reference_, weights);
    for (Vec3d& x : frame.x) x = motion(x);
    const auto turn = [&](Vec3d& d) {
        d = {dot(motion.rotation[0], d), dot(motion.rotation[1], d), dot(motion.rotation[2], d)};
    };
    for (Vec3d& v : frame.v) turn(v);
    for (Vec3d& f : frame.f) turn(f);
}

Frame FrameShaper::shape(StoredFrame& frame) {
    const bool moves = request_.whole || !request_.centre.empty() || !request_.fit.empty();
    if (moves) frame.images.clear();
    const Box box = request_.whole || !request_.centre.empty() ? frame.box.box(file_) : Box();
    if (request_.whole) make_whole(*topology_, box, frame.x, file_);
    if (!request_.centre.empty()) centre(frame, box);
    if (request_.whole) frame.x = shown_positions(*topology_, box, frame.x, Molecules::whole);
    if (!request_.fit.empty()) fit(frame);
    if (request_.select.empty()) return frame.view();
    chosen_.step = frame.step;
    chosen_.time = frame.time;
    chosen_.box = frame.box;
    choose(frame.x, request_.select, chosen_.x);
    choose(frame.v, request_.select, chosen_.v);
    choose(frame.f, request_.select, chosen_.f);
    choose(frame.images, request_.select, chosen_.images);
    return chosen_.view();
}

}  // namespace mdsim
