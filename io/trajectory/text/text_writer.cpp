// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/text/text_writer.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/error.h"
#include "io/text/fixed_number.h"

namespace mdsim {

namespace {

constexpr double nm = 10.0;  // [Angstrom]
constexpr std::size_t piece = std::size_t{1} << 20;

AtomLines lines_of(TextWriter::Style style, const Topology& topology) {
    if (style == TextWriter::Style::gro) return AtomLines::of_gro(topology);
    if (style == TextWriter::Style::pdb) return AtomLines::of_pdb(topology);
    return AtomLines::of_cif(topology);
}

// One line, and short enough for a TITLE record with time and step behind it.
std::string title_of(const TrajectoryInfo& info) {
    std::string title = info.title.empty() ? "written by mdsim" : info.title.substr(0, 40);
    std::replace_if(
        title.begin(), title.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return title;
}

int decimals_of(const TrajectoryInfo& info) {
    if (!info.precision || *info.precision <= 0.0) return 3;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(*info.precision) - 1e-6)), 3, 12);
}

// Angstrom in eight columns; digits behind the point are given up where those before it need the room.
bool append_pdb_number(std::string& out, double angstrom) {
    const double size = angstrom < 0 ? -10.0 * angstrom : angstrom;
    const int decimals = size < 9999.9995 ? 3 : size < 999999.95 ? 1 : 0;
    const std::size_t before = out.size();
    append_fixed(out, angstrom, 8, decimals);
    return out.size() - before == 8;
}

}  // namespace

TextWriter::TextWriter(AppendFile file, Style style, const TrajectoryInfo& info, std::int64_t frames)
    : file_(std::move(file)),
      style_(style),
      lines_(lines_of(style, *info.topology)),
      title_(title_of(info)),
      all_frames_(info.frames),
      decimals_(decimals_of(info)),
      velocities_(info.velocities),
      frames_(frames) {}

void TextWriter::refuse(double value) const {
    throw_input_error(
        {.code = "MD317",
         .place = {file_.path().string()},
         .what = fmt::format("the coordinate {:.6g} nm does not fit the columns of the format", value),
         .remedy = "write another format, or --whole and --centre if the molecules have only left the box"});
}

void TextWriter::flush_if_large() {
    if (out_.size() < piece) return;
    file_.append(out_);
    out_.clear();
}

void TextWriter::append(const Frame& frame) {
    MDSIM_EXPECT(frame.x.size() == lines_.size());
    out_.clear();
    if (style_ == Style::gro) append_gro(frame);
    if (style_ == Style::pdb) append_pdb(frame);
    if (style_ == Style::cif) append_cif(frame);
    file_.append(out_);
    ++frames_;
}

void TextWriter::append_gro(const Frame& frame) {
    auto out = std::back_inserter(out_);
    fmt::format_to(out, "{} t= {:.5f} step= {}\n{:5}\n", title_, frame.time, frame.step, frame.x.size());
    const int width = decimals_ + 5;
    const bool velocities = velocities_ == WithVelocities::yes && !frame.v.empty();
    for (std::size_t i = 0; i < frame.x.size(); ++i) {
        out_ += lines_.head(i);
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t before = out_.size();
            append_fixed(out_, frame.x[i][axis], width, decimals_);
            if (out_.size() - before != static_cast<std::size_t>(width)) refuse(frame.x[i][axis]);
        }
        for (int axis = 0; axis < 3 && velocities; ++axis) append_fixed(out_, frame.v[i][axis], width, decimals_ + 1);
        out_ += lines_.tail(i);
        flush_if_large();
    }
    const Mat3d& r = frame.box.rows();
    fmt::format_to(out, "{:10.5f} {:9.5f} {:9.5f}", r[0].x, r[1].y, r[2].z);
    const bool diagonal = r[0].y == 0 && r[0].z == 0 && r[1].x == 0 && r[1].z == 0 && r[2].x == 0 && r[2].y == 0;
    if (!diagonal) {
        fmt::format_to(out, " {:9.5f} {:9.5f} {:9.5f} {:9.5f} {:9.5f} {:9.5f}", r[0].y, r[0].z, r[1].x, r[1].z, r[2].x,
                       r[2].y);
    }
    out_ += '\n';
}

void TextWriter::append_pdb(const Frame& frame) {
    auto out = std::back_inserter(out_);
    fmt::format_to(out, "TITLE     {} t= {:.5f} step= {}\n", title_, frame.time, frame.step);
    if (frame.box.periodic()) {
        const Vec3d lengths = frame.box.lengths() * nm, angles = frame.box.angles();
        fmt::format_to(out, "CRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} P 1           1\n", lengths.x, lengths.y,
                       lengths.z, angles.x, angles.y, angles.z);
    }
    const bool single = all_frames_ == 1;
    if (!single) fmt::format_to(out, "MODEL {:>8}\n", frames_ + 1);
    for (std::size_t i = 0; i < frame.x.size(); ++i) {
        out_ += lines_.head(i);
        for (int axis = 0; axis < 3; ++axis) {
            if (!append_pdb_number(out_, frame.x[i][axis] * nm)) refuse(frame.x[i][axis]);
        }
        out_ += lines_.tail(i);
        flush_if_large();
    }
    if (!single) out_ += "ENDMDL\n";
}

void TextWriter::cif_header(const Frame& frame) {
    auto out = std::back_inserter(out_);
    fmt::format_to(out, "data_mdsim\n#\n");
    if (frame.box.periodic()) {
        const Vec3d lengths = frame.box.lengths() * nm, angles = frame.box.angles();
        fmt::format_to(out,
                       "_cell.length_a {:.4f}\n_cell.length_b {:.4f}\n_cell.length_c {:.4f}\n_cell.angle_alpha "
                       "{:.4f}\n_cell.angle_beta {:.4f}\n_cell.angle_gamma {:.4f}\n_symmetry.space_group_name_H-M 'P "
                       "1'\n#\n",
                       lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z);
    }
    out_ += "loop_\n";
    for (const char* tag :
         {"group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id", "label_asym_id",
          "label_entity_id", "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x", "Cartn_y", "Cartn_z", "auth_seq_id",
          "auth_comp_id", "auth_asym_id", "auth_atom_id", "pdbx_PDB_model_num"})
        fmt::format_to(out, "_atom_site.{}\n", tag);
}

void TextWriter::append_cif(const Frame& frame) {
    if (frames_ == 0) cif_header(frame);
    const std::string model = fmt::format("{}\n", frames_ + 1);
    for (std::size_t i = 0; i < frame.x.size(); ++i) {
        const Vec3d at = frame.x[i] * nm;
        out_ += lines_.head(i);
        for (int axis = 0; axis < 3; ++axis) {
            if (axis > 0) out_ += ' ';
            append_fixed(out_, at[axis], 0, 4);
        }
        out_ += lines_.tail(i);
        out_ += model;
        flush_if_large();
    }
}

OutputMark TextWriter::finish() {
    if (style_ == Style::pdb) file_.append("END\n");
    if (style_ == Style::cif) file_.append("#\n");
    return file_.sync();
}

}  // namespace mdsim
