// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/units.h"
#include "core/version.h"
#include "io/trajectory/binary/amber_trajectory.h"

namespace mdsim {

namespace {

constexpr double nm = 10.0;                           // [Angstrom]
constexpr double velocity_scale = 20.455;             // [A/ps] in AMBER's unit of velocity
constexpr double force = 1.0 / (10.0 * units::kcal);  // [kcal/mol/A] in a kJ/mol/nm
constexpr int type_char = 2, type_float = 5, type_double = 6;
constexpr std::uint32_t tag_dimension = 10, tag_variable = 11, tag_attribute = 12;
constexpr std::uint64_t count_begin = 4;  // of the number of records in the file
enum Dimension : std::uint32_t { frame, spatial, atom, label, cell_spatial, cell_angular };

std::vector<LooseBytes> loose() {
    return {{count_begin, count_begin + 4}};
}

std::size_t padded(std::size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

struct Attribute {
    std::string name, text;
    double number = 0.0;  // where there is no text
};

struct Variable {
    std::string name;
    std::vector<std::uint32_t> dimensions;
    int type;
    std::uint64_t bytes;  // of a record, or of all
    std::vector<Attribute> attributes{};
    bool by_record() const { return dimensions[0] == frame; }
};

/// The header of the classic format with 64-bit offsets ("The NetCDF Classic Format Specification", appendix B).
class Header {
  public:
    Header(std::uint32_t atoms, std::vector<Variable> variables) : atoms_(atoms), variables_(std::move(variables)) {}

    /// Its bytes are as many whatever the offsets are, so that these are known once it has been put together.
    std::string bytes(const std::vector<Attribute>& global) {
        std::uint64_t size = 0;
        for (int pass = 0; pass < 2; ++pass) {
            out_.clear();
            put_head(global);
            put_variables(size);
            size = out_.size();
        }
        out_.text("xyz");
        out_.zeros(1);
        out_.text("abc");
        out_.zeros(1);
        out_.text("alphabeta gamma");
        out_.zeros(1);
        return out_.bytes();
    }

  private:
    std::uint32_t atoms_;
    std::vector<Variable> variables_;
    ByteSink out_{std::endian::big};

    void name(std::string_view text) {
        out_.u32(static_cast<std::uint32_t>(text.size()));
        out_.text(text);
        out_.zeros(padded(text.size()) - text.size());
    }
    void put_head(const std::vector<Attribute>& global) {
        out_.text("CDF\x02");
        out_.u32(0);  // records: loose
        const std::array<std::pair<const char*, std::uint32_t>, 6> dimensions{
            {{"frame", 0}, {"spatial", 3}, {"atom", atoms_}, {"label", 5}, {"cell_spatial", 3}, {"cell_angular", 3}}};
        out_.u32(tag_dimension);
        out_.u32(static_cast<std::uint32_t>(dimensions.size()));
        for (const auto& [text, length] : dimensions) {
            name(text);
            out_.u32(length);
        }
        put_attributes(global);
    }
    void put_attributes(const std::vector<Attribute>& attributes) {
        out_.u32(attributes.empty() ? 0 : tag_attribute);
        out_.u32(static_cast<std::uint32_t>(attributes.size()));
        for (const Attribute& attribute : attributes) {
            name(attribute.name);
            out_.u32(attribute.text.empty() ? type_float : type_char);
            if (attribute.text.empty()) {
                out_.u32(1);
                out_.f32(attribute.number);
            } else {
                name(attribute.text);
            }
        }
    }
    // begin: of the values of the first variable.
    void put_variables(std::uint64_t begin) {
        out_.u32(tag_variable);
        out_.u32(static_cast<std::uint32_t>(variables_.size()));
        for (const Variable& variable : variables_) {
            name(variable.name);
            out_.u32(static_cast<std::uint32_t>(variable.dimensions.size()));
            for (const std::uint32_t dimension : variable.dimensions) out_.u32(dimension);
            put_attributes(variable.attributes);
            out_.u32(static_cast<std::uint32_t>(variable.type));
            out_.u32(static_cast<std::uint32_t>(padded(variable.bytes)));
            out_.u64(begin);
            begin += padded(variable.bytes);
        }
    }
};

}  // namespace

AmberTrajectoryWriter::AmberTrajectoryWriter(AppendFile file, const TrajectoryInfo& info)
    : file_(std::move(file)),
      atoms_(info.topology->atoms()),
      title_(info.title.substr(0, 80)),
      velocities_(info.velocities),
      forces_(info.forces) {}

AmberTrajectoryWriter AmberTrajectoryWriter::create(const std::filesystem::path& path, const TrajectoryInfo& info) {
    return {AppendFile::create(path, info.durability), info};
}

AmberTrajectoryWriter AmberTrajectoryWriter::reopen(const std::filesystem::path& path, const TrajectoryInfo& info,
                                                    const OutputMark& mark) {
    AmberTrajectoryWriter writer(AppendFile::reopen(path, mark, loose()), info);
    if (mark.length == 0) return writer;
    writer.cell_ = NetcdfFile(path, NetcdfFile::Part::header).has("cell_lengths");
    const AmberTrajectoryReader reader(path);
    if (reader.atoms() != writer.atoms_) throw_changed(path, "the file has another number of atoms");
    writer.frames_ = reader.frames().value();
    return writer;
}

void AmberTrajectoryWriter::put_header() {
    const auto vectors = static_cast<std::uint64_t>(atoms_) * 12;
    const auto unit = [](const char* text) { return std::vector<Attribute>{{"units", text}}; };
    std::vector<Variable> variables{{"spatial", {spatial}, type_char, 3},
                                    {"cell_spatial", {cell_spatial}, type_char, 3},
                                    {"cell_angular", {cell_angular, label}, type_char, 15},
                                    {"time", {frame}, type_float, 4, unit("picosecond")}};
    if (cell_) {
        variables.push_back({"cell_lengths", {frame, cell_spatial}, type_double, 24, unit("angstrom")});
        variables.push_back({"cell_angles", {frame, cell_angular}, type_double, 24, unit("degree")});
    }
    variables.push_back({"coordinates", {frame, atom, spatial}, type_float, vectors, unit("angstrom")});
    if (velocities_ == WithVelocities::yes) {
        variables.push_back({"velocities",
                             {frame, atom, spatial},
                             type_float,
                             vectors,
                             {{"units", "angstrom/picosecond"}, {"scale_factor", "", velocity_scale}}});
    }
    if (forces_ == WithForces::yes)
        variables.push_back({"forces", {frame, atom, spatial}, type_float, vectors, unit("kilocalorie/mole/angstrom")});
    Header header(static_cast<std::uint32_t>(atoms_), std::move(variables));
    file_.append(header.bytes({{"title", title_.empty() ? "mdsim" : title_},
                               {"application", "mdsim"},
                               {"program", "mdsim"},
                               {"programVersion", std::string(version)},
                               {"Conventions", "AMBER"},
                               {"ConventionVersion", "1.0"}}));
}

void AmberTrajectoryWriter::append(const Frame& frame) {
    MDSIM_EXPECT(static_cast<std::int64_t>(frame.x.size()) == atoms_);
    if (frames_ == 0) {
        cell_ = frame.box.periodic();
        put_header();
    }
    ++frames_;
    out_.clear();
    out_.f32(frame.time);
    if (cell_) {
        const Vec3d lengths = frame.box.lengths() * nm, angles = frame.box.angles();
        for (const double value : {lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z}) out_.f64(value);
    }
    out_.vectors(frame.x, nm);
    const std::vector<Vec3d> none(frame.v.empty() || frame.f.empty() ? frame.x.size() : 0);
    if (velocities_ == WithVelocities::yes) out_.vectors(frame.v.empty() ? none : frame.v, nm / velocity_scale);
    if (forces_ == WithForces::yes) out_.vectors(frame.f.empty() ? none : frame.f, force);
    file_.append(out_.bytes());
}

OutputMark AmberTrajectoryWriter::sync() {
    if (file_.length() > 0) {
        ByteSink count(std::endian::big);
        count.i32(frames_);
        file_.patch(count_begin, count.bytes());
    }
    return file_.sync();
}

OutputMark AmberTrajectoryWriter::finish() {
    if (frames_ == 0) put_header();
    return sync();
}

}  // namespace mdsim
