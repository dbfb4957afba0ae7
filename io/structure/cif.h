// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/cif_tokens.h"
#include "io/trajectory/text/structure_frames.h"
#include "system/structure.h"

namespace mdsim {

/// Reads the first model of an mmCIF file, atoms in the order of _atom_site. Names are the author's where the file has
/// them. Box from _cell; lengths of 1 1 1 are none. Throws Error (MD340, MD341); alternate locations and models of
/// different size are refused.
/// Format: PDBx/mmCIF dictionary, mmcif.wwpdb.org, categories atom_site and cell.
Structure read_cif(const std::filesystem::path& file);

/// The same, model by model, in the memory of one.
class CifFrames final : public StructureFrames {
  public:
    explicit CifFrames(const std::filesystem::path& file);

    bool next(Structure* out) override;
    void rewind() override;
    double progress() const override { return tokens_.progress(); }

  private:
    /// Items of _atom_site that are looked at.
    enum Item {
        x,
        y,
        z,
        auth_atom,
        atom,
        auth_residue,
        residue,
        auth_number,
        number,
        auth_chain,
        chain,
        model,
        alternate,
        insertion,
        symbol,
        items
    };
    using Kind = CifTokens::Kind;

    std::string file_;
    CifTokens tokens_;
    std::string block_;                   // its name
    std::array<std::string, 6> cell_;     // as in the file, empty where it has none
    std::vector<int> columns_;            // of the loop: an Item, or -1
    std::array<std::string, items> row_;  // empty for none
    bool have_row_ = false, one_row_ = false, small_molecule_ = false;
    std::size_t first_size_ = 0;  // atoms of the first model
    std::string first_name_;
    std::string residue_, seen_;  // for alternate locations

    [[noreturn]] void refuse(std::string what, std::string why = {}, int line = 0, int column = 0) const;
    void find_atoms();
    bool note_item(std::string_view tag);
    Kind read_pair();
    Kind read_loop();
    bool read_row();
    void read_rest(Kind kind);
    bool has_places() const;
    void find_cell();
    void end_model(std::size_t atoms, const std::string& name);
    const std::string& either(Item first, Item second) const;
    double coordinate(Item axis, std::size_t index) const;
    void add_label(Structure& out) const;
    void check_alternate();
    Box box() const;
};

}  // namespace mdsim
