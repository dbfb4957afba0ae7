// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/line_source.h"
#include "io/trajectory/text/structure_frames.h"
#include "system/structure.h"

namespace mdsim {

/// Reads the first frame of a GROMACS .gro file: fixed columns, of a width that the distance of the decimal points
/// gives; velocities where lines have them (zero on lines that lack them); a box of three or nine numbers, or of zeros
/// for none. Throws Error (MD320 ... MD329) with line and column for whatever is no such file.
/// Format: GROMACS Reference Manual 2022, "File formats", "gro".
Structure read_gro(const std::filesystem::path& file);

/// The same, frame by frame.
class GroFrames final : public StructureFrames {
  public:
    explicit GroFrames(const std::filesystem::path& file) : file_(file.string()), lines_(file, "MD320") {}

    bool next(Structure* out) override;
    void rewind() override;
    double progress() const override { return lines_.progress(); }

  private:
    struct Layout {
        std::size_t width = 0;  // of a number
        std::size_t positions_end() const;
        std::size_t end() const;
    };

    [[noreturn]] void refuse(std::size_t column, std::string what, std::string why = {}, std::string remedy = {}) const;
    std::optional<std::string_view> next_line();
    void read_frame(Structure* out);
    std::int64_t read_count();
    Layout find_layout(std::string_view line, std::int64_t found, std::int64_t count) const;
    void read_atom(std::string_view line, const Layout& layout, Structure& out, bool& velocities) const;
    Vec3d read_vector(std::string_view line, std::size_t start, std::size_t width, std::string_view what) const;
    void check_is_atom(std::string_view line, std::size_t end, std::int64_t found, std::int64_t count) const;
    Box read_box(std::int64_t count);
    std::vector<double> box_numbers(std::string_view line) const;

    std::string file_;
    LineSource lines_;
    bool any_ = false;    // frame was read
    bool ended_ = false;  // where a line was wanted
};

/// Number of frames. Every frame's atom count, lines and box are checked; coordinates are not read.
std::int64_t count_gro_frames(const std::filesystem::path& file);

/// Writes one frame with `decimals` digits behind the point of positions [nm], one more of velocities [nm/ps].
/// Residue and atom numbers start again from 0 after 99999, as the five columns need. Throws Error where the file
/// cannot be written.
void write_gro(const std::filesystem::path& file, const Structure& structure, int decimals = 3);

}  // namespace mdsim
