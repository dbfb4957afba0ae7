// SPDX-License-Identifier: Apache-2.0
#include "io/structure/cif.h"

#include <map>
#include <string>

#include <fmt/format.h>
#include <gemmi/cif.hpp>

#include "core/error.h"
#include "io/structure/cell.h"
#include "io/text/text_file.h"

namespace mdsim {

namespace {

namespace cif = gemmi::cif;

class CifReader {
  public:
    explicit CifReader(const std::filesystem::path& file)
        : file_(file.string()), text_(read_text_file(file, "MD340")) {}

    Structure read() {
        const cif::Document document = parse();
        for (cif::Block block : document.blocks) {
            cif::Table atoms = block.find(
                "_atom_site.", {"Cartn_x", "Cartn_y", "Cartn_z", "?auth_atom_id", "?label_atom_id", "?auth_comp_id",
                                "?label_comp_id", "?auth_seq_id", "?label_seq_id", "?auth_asym_id", "?label_asym_id",
                                "?pdbx_PDB_model_num", "?label_alt_id", "?pdbx_PDB_ins_code"});
            if (!atoms.ok() || atoms.length() == 0) continue;
            structure_.title = block.name;
            read_atoms(atoms);
            read_cell(block);
            return std::move(structure_);
        }
        refuse("the file holds no atoms with Cartesian coordinates (no _atom_site.Cartn_x)",
               text_.find("_atom_site_fract_x") != std::string::npos
                   ? "this is a small-molecule CIF with fractional coordinates, not an mmCIF"
                   : "");
    }

  private:
    enum Column {
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
        insertion
    };

    [[noreturn]] void refuse(std::string what, std::string why = {}, int line = 0, int column = 0) const {
        throw_input_error({.code = "MD341",
                           .place = {file_, line, column},
                           .what = std::move(what),
                           .why = std::move(why),
                           .remedy = {}});
    }

    cif::Document parse() const {
        try {
            return cif::read_memory(text_.data(), text_.size(), file_.c_str());
        } catch (const tao::pegtl::parse_error& error) {
            const auto& where = error.positions().front();
            refuse(fmt::format("not a CIF file: {}", error.message()), {}, static_cast<int>(where.line),
                   static_cast<int>(where.column));
        } catch (const std::exception& error) {
            refuse(fmt::format("not a CIF file: {}", error.what()));
        }
    }

    static std::string text(const cif::Table::Row& row, int first, int second) {
        for (const int column : {first, second}) {
            if (row.has2(static_cast<std::size_t>(column))) return cif::as_string(row[column]);
        }
        return {};
    }

    double coordinate(const cif::Table::Row& row, int axis, std::int64_t index) const {
        double value = 0.0;
        const std::string& field = row[axis];
        // A standard uncertainty in brackets may follow.
        const std::string_view digits = std::string_view(field).substr(0, field.find('('));
        if (parse_number(digits, value) != std::string_view::npos) {
            refuse(
                fmt::format("_atom_site.Cartn_{} of atom {}: \"{}\" is not a number", "xyz"[axis], index + 1, field));
        }
        return value * 0.1;
    }

    void read_atoms(cif::Table& atoms) {
        std::map<std::string, std::int64_t> models;
        std::string first_model, alternate_seen, last_residue;
        for (const cif::Table::Row& row : atoms) {
            const std::string model_name = text(row, model, model);
            if (models.empty()) first_model = model_name;
            ++models[model_name];
            if (model_name != first_model) continue;
            add_atom(row);
            check_alternate(row, last_residue, alternate_seen);
        }
        structure_.frames = static_cast<std::int64_t>(models.size());
        for (const auto& [name, count] : models) {
            if (count == models[first_model]) continue;
            refuse(fmt::format("model {} has {} atoms, model {} has {}", first_model, models[first_model], name, count),
                   "models of one file are the same atoms in several states; some are missing here");
        }
    }

    void add_atom(const cif::Table::Row& row) {
        const auto index = static_cast<std::int64_t>(structure_.x.size());
        structure_.x.push_back({coordinate(row, x, index), coordinate(row, y, index), coordinate(row, z, index)});
        AtomLabel label{text(row, auth_atom, atom), text(row, auth_residue, residue), 0, text(row, auth_chain, chain)};
        const std::string residue_number = text(row, auth_number, number);
        if (!residue_number.empty() && parse_number(residue_number, label.residue_number) != std::string_view::npos) {
            refuse(fmt::format("the residue number \"{}\" of atom {} is not a number", residue_number, index + 1));
        }
        structure_.labels.push_back(std::move(label));
    }

    void check_alternate(const cif::Table::Row& row, std::string& last_residue, std::string& seen) const {
        const AtomLabel& label = structure_.labels.back();
        const std::string residue_id = fmt::format("{} {} {}{}", label.chain, label.residue, label.residue_number,
                                                   text(row, insertion, insertion));
        if (residue_id != last_residue) seen.clear();
        last_residue = residue_id;
        const std::string here = text(row, alternate, alternate);
        if (here.empty() || here == seen) return;
        if (!seen.empty()) {
            refuse(fmt::format("alternate locations {} and {} in residue {}", seen, here, residue_id),
                   "a simulation needs one position of every atom, and which one is not for the reader to choose");
        }
        seen = here;
    }

    void read_cell(cif::Block& block) {
        constexpr const char* tags[] = {"_cell.length_a",    "_cell.length_b",   "_cell.length_c",
                                        "_cell.angle_alpha", "_cell.angle_beta", "_cell.angle_gamma"};
        double values[6] = {};
        for (int n = 0; n < 6; ++n) {
            const std::string* field = block.find_value(tags[n]);
            if (field == nullptr || cif::is_null(*field)) return;
            const std::string_view digits = std::string_view(*field).substr(0, field->find('('));
            if (parse_number(digits, values[n]) != std::string_view::npos) {
                refuse(fmt::format("{}: \"{}\" is not a number", tags[n], *field));
            }
        }
        structure_.box =
            cell_from_angstrom({values[0], values[1], values[2]}, {values[3], values[4], values[5]}, {file_, 0, 0});
    }

    std::string file_;
    std::string text_;
    Structure structure_;
};

}  // namespace

Structure read_cif(const std::filesystem::path& file) {
    return CifReader(file).read();
}

}  // namespace mdsim
