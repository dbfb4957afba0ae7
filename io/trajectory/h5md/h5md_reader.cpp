// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/h5md/h5md_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/units.h"

namespace mdsim {

namespace {

using Unit = std::pair<std::string_view, double>;

constexpr std::array time_units{Unit{"ps", 1.0}, Unit{"fs", 1e-3}, Unit{"ns", 1e3}, Unit{"us", 1e6}, Unit{"s", 1e12}};
constexpr std::array length_units{Unit{"nm", 1.0}, Unit{"Angstrom", 0.1}, Unit{"A", 0.1}, Unit{"pm", 1e-3},
                                  Unit{"m", 1e9}};
constexpr std::array velocity_units{Unit{"nm ps-1", 1.0},         Unit{"Angstrom ps-1", 0.1}, Unit{"A ps-1", 0.1},
                                    Unit{"Angstrom fs-1", 100.0}, Unit{"nm fs-1", 1e3},       Unit{"m s-1", 1e-3}};
constexpr std::array force_units{Unit{"kJ mol-1 nm-1", 1.0}, Unit{"kJ mol-1 Angstrom-1", 10.0},
                                 Unit{"kcal mol-1 nm-1", units::kcal},
                                 Unit{"kcal mol-1 Angstrom-1", 10.0 * units::kcal}};
constexpr std::array no_units{Unit{"", 1.0}};

}  // namespace

void H5mdReader::refuse(const std::string& what) const {
    throw_io_error(
        {.code = "MD312", .place = {file_.path().string()}, .what = what, .remedy = "use a file in the H5MD format"});
}

H5mdReader::H5mdReader(const std::filesystem::path& path) : file_(h5::File::open_to_read(path)) {
    group_ = particles_group();
    position_ = element("position", length_units);
    if (!position_.value) refuse(fmt::format("{}/position/value is missing", group_));
    const std::vector<hsize_t>& extent = position_.value->extent();
    if (extent.size() != 3 || extent[2] != 3)
        refuse(fmt::format("{}/position/value is not frames x atoms x 3", group_));
    atoms_ = static_cast<std::int64_t>(extent[1]);
    velocity_ = element("velocity", velocity_units);
    force_ = element("force", force_units);
    image_ = element("image", no_units);
    for (const Element* each : {&velocity_, &force_, &image_}) {
        if (each->value && each->value->width() != position_.value->width())
            refuse(fmt::format("{} is not of the extent of the positions", each->value->name()));
    }
    open_box();
    topology_ = h5md_topology(file_, group_, atoms_);
}

std::string H5mdReader::particles_group() const {
    if (file_.has("/particles/trajectory/position")) return "/particles/trajectory";
    if (file_.has("/particles") && !file_.is_dataset("/particles")) {
        for (const std::string& name : file_.members("/particles")) {
            if (file_.has("/particles/" + name + "/position")) return "/particles/" + name;
        }
    }
    refuse("it has no group with positions below /particles");
}

double H5mdReader::unit_of(const std::string& name, std::span<const Unit> units) const {
    if (!file_.has_attribute(name, "unit")) return 1.0;
    const std::string unit = file_.text_attribute(name, "unit");
    const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.first == unit; });
    if (found == units.end()) refuse(fmt::format("{} has the unit \"{}\", which mdsim does not know", name, unit));
    return found->second;
}

H5mdReader::Element H5mdReader::element(const std::string& name, std::span<const Unit> units) const {
    const std::string path = group_ + "/" + name;
    Element element;
    if (file_.is_dataset(path)) {
        element.fixed = true;
        element.value = std::make_unique<h5::RowReader>(file_, path);
        element.unit = unit_of(path, units);
        return element;
    }
    if (!file_.is_dataset(path + "/value")) return element;
    element.value = std::make_unique<h5::RowReader>(file_, path + "/value");
    element.unit = unit_of(path + "/value", units);
    read_times(path, element);
    return element;
}

// A list has one entry a frame; a single number is the increment, beside an offset that may be left out.
void H5mdReader::read_times(const std::string& path, Element& element) const {
    const auto frames = static_cast<std::size_t>(element.frames());
    const auto numbers = [&](const std::string& name) {
        std::vector<double> values;
        if (file_.is_dataset(name)) values = file_.read_doubles(name);
        if (values.empty()) values.assign(1, 1.0);
        const bool list = !file_.is_dataset(name) ? false : !file_.extent(name).empty();
        if (list && values.size() < frames) refuse(fmt::format("{} has fewer entries than the values", name));
        if (list) return values;
        const double increment = values[0];
        values.resize(frames);
        for (std::size_t n = 0; n < frames; ++n) values[n] = increment * static_cast<double>(n);
        return values;
    };
    for (const double step : numbers(path + "/step")) element.step.push_back(std::llround(step));
    element.time = numbers(path + "/time");
    const double unit = unit_of(path + "/time", time_units);
    for (double& time : element.time) time *= unit;
}

std::optional<hsize_t> H5mdReader::Element::row_of(std::int64_t frame, const Element& position) const {
    if (!value || value->rows() == 0) return std::nullopt;
    if (frames() == position.frames()) return static_cast<hsize_t>(frame);
    const auto found = std::find(step.begin(), step.end(), position.step[static_cast<std::size_t>(frame)]);
    if (found == step.end() || found - step.begin() >= frames()) return std::nullopt;
    return static_cast<hsize_t>(found - step.begin());
}

void H5mdReader::read_vectors(const Element& element, std::int64_t frame, std::vector<Vec3d>& out) {
    const auto row = element.row_of(frame, position_);
    out.resize(row ? static_cast<std::size_t>(atoms_) : 0);
    if (!row) return;
    element.value->read(*row, {reinterpret_cast<double*>(out.data()), 3 * out.size()});
    if (element.unit == 1.0) return;
    for (Vec3d& v : out) v *= element.unit;
}

void H5mdReader::open_box() {
    box_ = element("box/edges", length_units);
    if (!box_.value) return;
    if (box_.fixed) fixed_edges_ = file_.read_doubles(box_.value->name());
    const std::size_t edges = box_.fixed ? fixed_edges_.size() : box_.value->width();
    if (edges != 3 && edges != 9) refuse(fmt::format("{} is neither three lengths nor 3 x 3", box_.value->name()));
}

Cell H5mdReader::read_box(std::int64_t frame) {
    if (!box_.value) return {};
    std::vector<double> edges;
    if (box_.fixed) {
        edges = fixed_edges_;
    } else if (const auto row = box_.row_of(frame, position_)) {
        edges.resize(box_.value->width());
        box_.value->read(*row, edges);
    }
    Mat3d rows{};
    if (edges.size() == 3) edges = {edges[0], 0, 0, 0, edges[1], 0, 0, 0, edges[2]};
    if (edges.size() != 9) return {};
    for (std::size_t n = 0; n < 9; ++n) rows[n / 3][static_cast<int>(n % 3)] = edges[n] * box_.unit;
    return Cell(rows);
}

bool H5mdReader::read(StoredFrame& frame) {
    if (next_ < 0 || next_ >= position_.frames()) return false;
    const auto n = static_cast<std::size_t>(next_);
    frame.step = n < position_.step.size() ? position_.step[n] : next_;
    frame.time = n < position_.time.size() ? position_.time[n] : 0.0;
    frame.box = read_box(next_);
    read_vectors(position_, next_, frame.x);
    read_vectors(velocity_, next_, frame.v);
    read_vectors(force_, next_, frame.f);
    frame.images.clear();
    if (const auto row = image_.row_of(next_, position_)) {
        row_.resize(image_.value->width());
        image_.value->read(*row, row_);
        for (std::size_t i = 0; i + 2 < row_.size(); i += 3) {
            const auto whole = [&](std::size_t k) { return static_cast<std::int32_t>(row_[i + k]); };
            frame.images.push_back({whole(0), whole(1), whole(2)});
        }
    }
    ++next_;
    return true;
}

double H5mdReader::progress() const {
    const auto frames = static_cast<double>(std::max<std::int64_t>(1, position_.frames()));
    return std::min(1.0, static_cast<double>(next_) / frames);
}

void require_observables(const std::filesystem::path& path) {
    const h5::File file = h5::File::open_to_read(path);
    const auto check = [&](const auto& self, const std::string& group) -> void {
        for (const std::string& name : file.members(group)) {
            const std::string inner = group + "/" + name;
            if (file.is_dataset(inner)) {
                throw_io_error({.code = "MD312",
                                .place = {path.string()},
                                .what = inner + " is a bare dataset instead of a group with step, time and value",
                                .why = "readers look for one value a frame there, and stop",
                                .remedy = "make it a group of step, time and value, or move it out of /observables"});
            }
            if (!file.has(inner + "/value")) self(self, inner);
        }
    };
    if (file.has("/observables") && !file.is_dataset("/observables")) check(check, "/observables");
}

}  // namespace mdsim
