// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/text/line_source.h"
#include "io/trajectory/text/structure_frames.h"
#include "system/structure.h"

namespace mdsim {

/// Reads the first model of a PDB file, atoms in the order of the file. Box from CRYST1;
/// the conventional 1 1 1 is none. Hybrid-36 numbers, insertion codes, residue names of four and numbers of five
/// letters are understood; serial numbers do not matter. Throws Error (MD330 ... MD332) with line and column; alternate
/// locations are refused by name, for a simulation needs one position an atom.
/// Format: wwPDB, "Atomic Coordinate Entry Format Version 3.3"; hybrid-36: cci.lbl.gov/hybrid_36.
Structure read_pdb(const std::filesystem::path& file);

/// The same, model by model. A box and a title hold until the next ones; a time is read from "t= 12.5" in the title, as
/// GROMACS writes it.
class PdbFrames final : public StructureFrames {
  public:
    explicit PdbFrames(const std::filesystem::path& file) : file_(file.string()), lines_(file, "MD330") {}

    bool next(Structure* out) override;
    void rewind() override;
    double progress() const override { return lines_.progress(); }

  private:
    [[noreturn]] void refuse(std::size_t column, std::string what, std::string why = {}, std::string remedy = {}) const;
    bool read_record(std::string_view line, Structure* out);
    void read_atom(std::string_view line, Structure& out);
    Vec3d read_position(std::string_view line) const;
    int read_residue_number(std::string_view line);
    void check_alternate(std::string_view line);
    void read_cell(std::string_view line);
    void check_conect(std::string_view line) const;

    std::string file_;
    LineSource lines_;
    Box box_;
    std::string title_;
    std::size_t found_ = 0;  // atoms of the model
    int last_number_ = 0;
    char alternate_ = ' ';
    std::string residue_;
};

}  // namespace mdsim
