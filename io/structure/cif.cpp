// SPDX-License-Identifier: Apache-2.0
#include "io/structure/cif.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gemmi/cif.hpp>

#include "core/error.h"
#include "io/structure/cell.h"
#include "io/text/text_file.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

namespace cif = gemmi::cif;

constexpr std::array atom_tags{"Cartn_x",        "Cartn_y",
                               "Cartn_z",        "?auth_atom_id",
                               "?label_atom_id", "?auth_comp_id",
                               "?label_comp_id", "?auth_seq_id",
                               "?label_seq_id",  "?auth_asym_id",
                               "?label_asym_id", "?pdbx_PDB_model_num",
                               "?label_alt_id",  "?pdbx_PDB_ins_code",
                               "?type_symbol"};

}  // namespace

/// A document and where its models are.
class CifFrames::Models {
  public:
    explicit Models(const std::filesystem::path& file) : file_(file.string()), document_(parse(file)) {
        for (cif::Block& block : document_.blocks) {
            atoms_.emplace(block.find("_atom_site.", {atom_tags.begin(), atom_tags.end()}));
            if (!atoms_->ok() || atoms_->length() == 0) continue;
            block_ = &block;
            find_models();
            return;
        }
        refuse("the file holds no atoms with Cartesian coordinates (no _atom_site.Cartn_x)",
               small_molecule_ ? "this is a small-molecule CIF with fractional coordinates, not an mmCIF" : "");
    }

    std::size_t count() const { return models_.size(); }
    void read(std::size_t model, Structure& out) {
        out = {};
        out.title = block_->name;
        std::string alternate_seen, last_residue;
        for (const std::size_t row : models_[model]) {
            add_atom(atoms_->at(static_cast<int>(row)), out);
            check_alternate(atoms_->at(static_cast<int>(row)), out.labels.back(), last_residue, alternate_seen);
        }
        out.box = read_cell();
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
        insertion,
        symbol
    };

    [[noreturn]] void refuse(std::string what, std::string why = {}, int line = 0, int column = 0) const {
        throw_input_error({.code = "MD341",
                           .place = {file_, line, column},
                           .what = std::move(what),
                           .why = std::move(why),
                           .remedy = {}});
    }

    cif::Document parse(const std::filesystem::path& file) {
        const std::string text = read_text_file(file, "MD340");
        small_molecule_ = text.find("_atom_site_fract_x") != std::string::npos;
        try {
            return cif::read_memory(text.data(), text.size(), file_.c_str());
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

    void find_models() {
        std::map<std::string, std::size_t> index;
        std::vector<std::string> names;
        for (std::size_t row = 0; row < atoms_->length(); ++row) {
            const std::string name = text(atoms_->at(static_cast<int>(row)), model, model);
            const auto [entry, is_new] = index.try_emplace(name, models_.size());
            if (is_new) {
                models_.emplace_back();
                names.push_back(name);
            }
            models_[entry->second].push_back(row);
        }
        for (std::size_t n = 1; n < models_.size(); ++n) {
            if (models_[n].size() == models_[0].size()) continue;
            refuse(fmt::format("model {} has {} atoms, model {} has {}", names[0], models_[0].size(), names[n],
                               models_[n].size()),
                   "models of one file are the same atoms in several states; some are missing here");
        }
    }

    void add_atom(const cif::Table::Row& row, Structure& out) const {
        const auto index = static_cast<std::int64_t>(out.x.size());
        out.x.push_back({coordinate(row, x, index), coordinate(row, y, index), coordinate(row, z, index)});
        AtomLabel label{text(row, auth_atom, atom), text(row, auth_residue, residue), 0, text(row, auth_chain, chain)};
        const std::string residue_number = text(row, auth_number, number);
        if (!residue_number.empty() && parse_number(residue_number, label.residue_number) != std::string_view::npos) {
            refuse(fmt::format("the residue number \"{}\" of atom {} is not a number", residue_number, index + 1));
        }
        label.element = element_from_symbol(text(row, symbol, symbol));
        out.labels.push_back(std::move(label));
    }

    void check_alternate(const cif::Table::Row& row, const AtomLabel& label, std::string& last_residue,
                         std::string& seen) const {
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

    Box read_cell() const {
        constexpr const char* tags[] = {"_cell.length_a",    "_cell.length_b",   "_cell.length_c",
                                        "_cell.angle_alpha", "_cell.angle_beta", "_cell.angle_gamma"};
        double values[6] = {};
        for (int n = 0; n < 6; ++n) {
            const std::string* field = block_->find_value(tags[n]);
            if (field == nullptr || cif::is_null(*field)) return {};
            const std::string_view digits = std::string_view(*field).substr(0, field->find('('));
            if (parse_number(digits, values[n]) != std::string_view::npos) {
                refuse(fmt::format("{}: \"{}\" is not a number", tags[n], *field));
            }
        }
        return cell_from_angstrom({values[0], values[1], values[2]}, {values[3], values[4], values[5]}, {file_, 0, 0});
    }

    std::string file_;
    bool small_molecule_ = false;
    cif::Document document_;
    cif::Block* block_ = nullptr;
    std::optional<cif::Table> atoms_;
    std::vector<std::vector<std::size_t>> models_;  // rows of each
};

CifFrames::CifFrames(const std::filesystem::path& file) : models_(std::make_unique<Models>(file)) {}
CifFrames::~CifFrames() = default;

bool CifFrames::next(Structure* out) {
    if (next_ >= models_->count()) return false;
    if (out != nullptr) models_->read(next_, *out);
    ++next_;
    return true;
}

double CifFrames::progress() const {
    return static_cast<double>(next_) / static_cast<double>(models_->count());
}

Structure read_cif(const std::filesystem::path& file) {
    CifFrames frames(file);
    Structure structure;
    frames.next(&structure);
    while (frames.next(nullptr)) ++structure.frames;
    return structure;
}

}  // namespace mdsim
