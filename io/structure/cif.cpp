// SPDX-License-Identifier: Apache-2.0
#include "io/structure/cif.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/cell.h"
#include "io/text/text_file.h"
#include "system/preparation/elements.h"

namespace mdsim {

namespace {

constexpr std::string_view category = "_atom_site.";
// In the order of the items.
constexpr std::array<std::string_view, 15> item_names{
    "cartn_x",       "cartn_y",           "cartn_z",      "auth_atom_id", "label_atom_id", "auth_comp_id",
    "label_comp_id", "auth_seq_id",       "label_seq_id", "auth_asym_id", "label_asym_id", "pdbx_pdb_model_num",
    "label_alt_id",  "pdbx_pdb_ins_code", "type_symbol"};
constexpr std::array<std::string_view, 6> cell_tags{"_cell.length_a",    "_cell.length_b",   "_cell.length_c",
                                                    "_cell.angle_alpha", "_cell.angle_beta", "_cell.angle_gamma"};

std::string lower(std::string_view tag) {
    std::string text(tag);
    for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return text;
}

/// The item of a tag in small letters; -1 where it is none of them.
int item_of(std::string_view tag) {
    if (!tag.starts_with(category)) return -1;
    const auto found = std::find(item_names.begin(), item_names.end(), tag.substr(category.size()));
    return found == item_names.end() ? -1 : static_cast<int>(found - item_names.begin());
}

}  // namespace

CifFrames::CifFrames(const std::filesystem::path& file) : file_(file.string()), tokens_(file, "MD340", "MD341") {
    static_assert(item_names.size() == items);
    find_atoms();
    const bool complete = std::none_of(cell_.begin(), cell_.end(), [](const auto& value) { return value.empty(); });
    if (!complete) find_cell();
}

void CifFrames::refuse(std::string what, std::string why, int line, int column) const {
    throw_input_error({.code = "MD341",
                       .place = {file_, line, column},
                       .what = std::move(what),
                       .why = std::move(why),
                       .remedy = {}});
}

bool CifFrames::has_places() const {
    return !row_[x].empty() && !row_[y].empty() && !row_[z].empty();
}

// To the first row of the first block that has atoms.
void CifFrames::find_atoms() {
    if (tokens_.next() != Kind::data) refuse("not a CIF file: it does not begin with a data block");
    Kind kind = Kind::data;
    while (kind != Kind::end && !have_row_) {
        if (kind == Kind::data) {
            block_ = tokens_.text();
            cell_ = {};
            row_ = {};
        }
        if (kind == Kind::value) refuse("not a CIF file: a value without a tag", {}, tokens_.line(), tokens_.column());
        if (kind == Kind::tag) {
            kind = read_pair();
        } else {
            kind = kind == Kind::loop ? read_loop() : tokens_.next();
        }
        // A single atom may stand as pairs of tag and value.
        if (!have_row_ && (kind == Kind::data || kind == Kind::end)) have_row_ = one_row_ = has_places();
    }
    if (have_row_) return;
    refuse("the file holds no atoms with Cartesian coordinates (no _atom_site.Cartn_x)",
           small_molecule_ ? "this is a small-molecule CIF with fractional coordinates, not an mmCIF" : "");
}

// Keeps the value that was read last where something is looked for by this tag; whether it is of an atom.
bool CifFrames::note_item(std::string_view tag) {
    const int item = item_of(tag);
    if (item >= 0 && !tokens_.null()) row_[static_cast<std::size_t>(item)] = tokens_.text();
    const auto found = std::find(cell_tags.begin(), cell_tags.end(), tag);
    if (found != cell_tags.end() && !tokens_.null())
        cell_[static_cast<std::size_t>(found - cell_tags.begin())] = tokens_.text();
    small_molecule_ = small_molecule_ || tag == "_atom_site_fract_x";
    return item >= 0;
}

CifFrames::Kind CifFrames::read_pair() {
    const std::string tag = lower(tokens_.text());
    if (tokens_.next() != Kind::value)
        refuse(fmt::format("not a CIF file: {} has no value", tag), {}, tokens_.line(), tokens_.column());
    note_item(tag);
    return tokens_.next();
}

// Stops behind the first row of a loop of atoms; else behind the loop.
CifFrames::Kind CifFrames::read_loop() {
    std::vector<std::string> tags;
    Kind kind = tokens_.next();
    for (; kind == Kind::tag; kind = tokens_.next()) tags.push_back(lower(tokens_.text()));
    if (tags.empty()) refuse("not a CIF file: a loop without tags", {}, tokens_.line(), tokens_.column());
    columns_.clear();
    std::size_t atoms = 0;
    for (const std::string& tag : tags) {
        columns_.push_back(item_of(tag));
        if (columns_.back() >= x && columns_.back() <= z) ++atoms;
    }
    std::size_t values = 0;
    for (; kind == Kind::value; kind = tokens_.next(), ++values) {
        if (values < tags.size()) note_item(tags[values]);
        have_row_ = atoms == 3 && values + 1 == tags.size();
        if (have_row_) return kind;
    }
    if (values % tags.size() != 0)
        refuse(fmt::format("a loop of {} tags ({}, ...) has {} values: the last row is incomplete", tags.size(),
                           tags[0], values),
               {}, tokens_.line());
    return kind;
}

// Looks for damage, and for a cell.
void CifFrames::read_rest(Kind kind) {
    while (kind != Kind::end) {
        if (kind == Kind::tag) {
            kind = read_pair();
            continue;
        }
        const bool loop = kind == Kind::loop;
        kind = tokens_.next();
        while (loop && kind == Kind::tag) kind = tokens_.next();
    }
}

// False behind the last one; then the rest of the file is looked through, which may be damaged or cut off.
bool CifFrames::read_row() {
    if (one_row_) return false;
    for (std::size_t n = 0; n < columns_.size(); ++n) {
        const Kind kind = tokens_.next();
        if (kind != Kind::value && n == 0) {
            read_rest(kind);
            return false;
        }
        if (kind != Kind::value)
            refuse(fmt::format("the loop of atoms ends with a row of {} values instead of {}", n, columns_.size()), {},
                   tokens_.line());
        if (columns_[n] < 0) continue;
        std::string& item = row_[static_cast<std::size_t>(columns_[n])];
        if (tokens_.null()) item.clear();
        if (!tokens_.null()) item = tokens_.text();
    }
    return true;
}

// The box may come behind the atoms.
void CifFrames::find_cell() {
    while (have_row_ && read_row()) {
    }
    const std::array<std::string, 6> cell = cell_;
    rewind();
    cell_ = cell;
}

void CifFrames::rewind() {
    const std::array<std::string, 6> cell = cell_;
    tokens_.rewind();
    have_row_ = one_row_ = false;
    find_atoms();
    cell_ = cell;
}

const std::string& CifFrames::either(Item first, Item second) const {
    return row_[first].empty() ? row_[second] : row_[first];
}

double CifFrames::coordinate(Item axis, std::size_t index) const {
    double value = 0.0;
    // A standard uncertainty in brackets may follow.
    const std::string_view digits = std::string_view(row_[axis]).substr(0, row_[axis].find('('));
    if (parse_number(digits, value) != std::string_view::npos)
        refuse(
            fmt::format("_atom_site.Cartn_{} of atom {}: \"{}\" is not a number", "xyz"[axis], index + 1, row_[axis]),
            {}, tokens_.line());
    return value * 0.1;
}

void CifFrames::add_label(Structure& out) const {
    AtomLabel label{either(auth_atom, atom), either(auth_residue, residue), 0, either(auth_chain, chain)};
    const std::string& residue_number = either(auth_number, number);
    if (!residue_number.empty() && parse_number(residue_number, label.residue_number) != std::string_view::npos)
        refuse(fmt::format("the residue number \"{}\" of atom {} is not a number", residue_number, out.x.size()), {},
               tokens_.line());
    label.element = element_from_symbol(row_[symbol]);
    if (!row_[insertion].empty()) label.insertion = row_[insertion][0];
    out.labels.push_back(std::move(label));
}

void CifFrames::check_alternate() {
    if (row_[alternate].empty() && seen_.empty()) return;
    const std::string residue_id = fmt::format("{} {} {}{}", either(auth_chain, chain), either(auth_residue, residue),
                                               either(auth_number, number), row_[insertion]);
    if (residue_id != residue_) seen_.clear();
    residue_ = residue_id;
    const std::string& here = row_[alternate];
    if (here.empty() || here == seen_) return;
    if (!seen_.empty()) {
        refuse(fmt::format("alternate locations {} and {} in residue {}", seen_, here, residue_id),
               "a simulation needs one position of every atom, and which one is not for the reader to choose");
    }
    seen_ = here;
}

void CifFrames::end_model(std::size_t atoms, const std::string& name) {
    if (first_size_ == 0) {
        first_size_ = atoms;
        first_name_ = name;
    }
    if (atoms == first_size_) return;
    refuse(fmt::format("model {} has {} atoms, model {} has {}", first_name_, first_size_, name, atoms),
           "models of one file are the same atoms in several states; some are missing here");
}

bool CifFrames::next(Structure* out) {
    if (!have_row_) return false;
    const std::string name = row_[model];
    std::size_t atoms = 0;
    seen_.clear();
    if (out != nullptr) {
        out->x.clear();
        out->v.clear();
        if (labels_wanted()) out->labels.clear();
        out->title = block_;
    }
    do {
        if (out != nullptr) {
            out->x.push_back({coordinate(x, atoms), coordinate(y, atoms), coordinate(z, atoms)});
            if (labels_wanted()) add_label(*out);
            check_alternate();
        }
        ++atoms;
        have_row_ = read_row();
    } while (have_row_ && row_[model] == name);
    if (out != nullptr) out->box = box();
    end_model(atoms, name);
    return true;
}

Box CifFrames::box() const {
    double values[6] = {};
    for (std::size_t n = 0; n < 6; ++n) {
        if (cell_[n].empty()) return {};
        const std::string_view digits = std::string_view(cell_[n]).substr(0, cell_[n].find('('));
        if (parse_number(digits, values[n]) != std::string_view::npos)
            refuse(fmt::format("{}: \"{}\" is not a number", cell_tags[n], cell_[n]));
    }
    return cell_from_angstrom({values[0], values[1], values[2]}, {values[3], values[4], values[5]}, {file_, 0, 0});
}

Structure read_cif(const std::filesystem::path& file) {
    CifFrames frames(file);
    Structure structure;
    frames.next(&structure);
    while (frames.next(nullptr)) ++structure.frames;
    return structure;
}

}  // namespace mdsim
