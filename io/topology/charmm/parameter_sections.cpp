// SPDX-License-Identifier: Apache-2.0
#include "io/topology/charmm/parameter_sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/text/text_file.h"

namespace mdsim::charmm {

namespace {

// CHARMM writes k (x - x0)^2 where mdsim has k/2 (x - x0)^2: constants are doubled.
constexpr double per_angstrom2 = 2.0 * units::kcal * 100.0;  // kcal/mol/A^2 to kJ/mol/nm^2
constexpr double per_radian2 = 2.0 * units::kcal;            // kcal/mol/rad^2 to kJ/mol/rad^2
constexpr double angstrom = 0.1;                             // [nm]
constexpr double degree = units::pi / 180.0;

}  // namespace

struct ParameterSections::Heading {
    const char* begin;  // of the word
    Section section;
    bool options;  // may follow in the statement
};

void ParameterSections::begin_part() {
    ++part_;
    section_ = Section::none;
}

// Only the first four letters of a command count in CHARMM.
bool ParameterSections::open_section(const Statement& statement) {
    static constexpr Heading headings[] = {
        {"ATOM", Section::atoms, false},     {"BOND", Section::bonds, false},     {"ANGL", Section::angles, false},
        {"THET", Section::angles, false},    {"DIHE", Section::dihedrals, false}, {"PHI", Section::dihedrals, false},
        {"IMPR", Section::impropers, false}, {"IMPH", Section::impropers, false}, {"CMAP", Section::cmaps, false},
        {"NONB", Section::nonbonded, true},  {"NBON", Section::nonbonded, true},  {"NBFI", Section::nbfix, false},
        {"HBON", Section::unused, true},     {"THOL", Section::unused, true},     {"NBTH", Section::unused, true}};
    const std::string& word = statement.upper[0];
    const auto heading = std::find_if(std::begin(headings), std::end(headings), [&](const Heading& h) {
        return word.starts_with(h.begin) && (h.options || statement.words.size() == 1);
    });
    if (heading == std::end(headings)) return false;
    finish_cmap();
    section_ = heading->section;
    heading_ = statement.words[0];
    if (section_ == Section::nonbonded) read_nonbonded_options(statement);
    if (section_ == Section::unused) {
        out_.notes.push_back(fmt::format("{}:{}: {} is not used{}", statement.places[0].file, statement.line, heading_,
                                         word.starts_with("HBON") ? ": CHARMM has no such term in its energy by default"
                                                                  : ": it is for Drude particles"));
    }
    return true;
}

void ParameterSections::read(const Statement& statement) {
    if (statement.upper[0] == "PRINT" || open_section(statement)) return;
    if (statement.upper[0] == "MASS" && section_ == Section::atoms) return read_mass(statement, false);
    switch (section_) {
        case Section::bonds:
            return read_bond(statement);
        case Section::angles:
            return read_angle(statement);
        case Section::dihedrals:
            return read_dihedral(statement);
        case Section::impropers:
            return read_improper(statement);
        case Section::cmaps:
            return read_cmap(statement);
        case Section::nonbonded:
            return read_nonbonded(statement);
        case Section::nbfix:
            return read_nbfix(statement);
        case Section::unused:
            return;
        case Section::atoms:
        case Section::none:
            break;
    }
    if (statement.upper[0] == "MASS") return read_mass(statement, false);
    Statements::refuse(statement.places[0],
                       fmt::format("\"{}\" is neither a section nor a line of one", statement.words[0]),
                       "sections are ATOMS, BONDS, ANGLES, DIHEDRALS, IMPROPER, CMAP, NONBONDED, NBFIX and HBOND");
}

void ParameterSections::end_part() {
    finish_cmap();
    section_ = Section::none;
    for (const Dropped& dropped : dropped_) {
        if (out_.dihedrals.at(dropped.types).value != dropped.terms) replaced("dihedral", dropped.by);
    }
    dropped_.clear();
}

void ParameterSections::require_words(const Statement& statement, std::initializer_list<std::size_t> counts,
                                      const char* due) const {
    if (std::find(counts.begin(), counts.end(), statement.words.size()) != counts.end()) return;
    Statements::refuse(statement.places[0],
                       fmt::format("{}: a line of {} words, due are {}", heading_, statement.words.size(), due));
}

double ParameterSections::number(const Statement& statement, std::size_t word) const {
    double value = 0.0;
    if (parse_number(statement.words[word], value) != std::string_view::npos)
        Statements::refuse(statement.places[word],
                           fmt::format("{}: \"{}\" is not a number", heading_, statement.words[word]));
    return value;
}

int ParameterSections::whole_number(const Statement& statement, std::size_t word) const {
    const double value = number(statement, word);
    if (value != std::round(value) || std::abs(value) > 1e6)
        Statements::refuse(statement.places[word],
                           fmt::format("{}: \"{}\" is not a whole number", heading_, statement.words[word]));
    return static_cast<int>(value);
}

void ParameterSections::replaced(const char* kind, const Statement& statement) {
    const std::string& file = statement.places[0].file;
    const auto known = std::find_if(replaced_.begin(), replaced_.end(), [&](const Replaced& r) {
        return r.file == file && std::string_view(r.kind) == kind;
    });
    if (known != replaced_.end()) {
        ++known->count;
        return;
    }
    std::string first;
    for (std::size_t n = 0; n < std::min<std::size_t>(statement.words.size(), 4); ++n)
        first += " " + statement.words[n];
    replaced_.push_back({file, kind, 1, fmt::format("line {}:{}", statement.line, first)});
}

void ParameterSections::add_notes() {
    for (const Replaced& r : replaced_) {
        out_.notes.push_back(fmt::format("{} replaces what was read before of {} {}{}; the first, {}", r.file, r.count,
                                         r.kind, r.count == 1 ? "" : "s", r.first));
    }
    replaced_.clear();
}

void ParameterSections::read_mass(const Statement& statement, bool of_topology_file) {
    heading_ = "MASS";
    require_words(statement, {4, 5}, "MASS, number, type, mass and perhaps an element");
    const int number = whole_number(statement, 1);
    AtomType& type = out_.types[statement.upper[2]];
    type.mass = this->number(statement, 3);
    if (of_topology_file) {
        // A number of -1 stands for the next one that is free.
        if (number >= 0) type.number = number;
        if (number < 0 && !type.of_topology_file) type.number = highest_number_ + 1;
        highest_number_ = std::max(highest_number_, type.number);
        type.of_topology_file = true;
    } else if (!type.of_topology_file) {
        type.number = std::max(number, 0);
    }
}

void ParameterSections::read_bond(const Statement& statement) {
    require_words(statement, {4}, "two types, a force constant and a length");
    const BondParameters value{number(statement, 2) * per_angstrom2, number(statement, 3) * angstrom};
    put(out_.bonds, canonical(types_of<2>(statement)), value, "bond", statement);
}

void ParameterSections::read_angle(const Statement& statement) {
    require_words(statement, {5, 7}, "three types, a force constant, an angle, and perhaps Urey-Bradley's two");
    AngleParameters value{number(statement, 3) * per_radian2, number(statement, 4) * degree, 0.0, 0.0};
    if (statement.words.size() == 7) {
        value.urey_bradley_k = number(statement, 5) * per_angstrom2;
        value.urey_bradley_r0 = number(statement, 6) * angstrom;
    }
    put(out_.angles, canonical(types_of<3>(statement)), value, "angle", statement);
}

TorsionParameters ParameterSections::torsion(const Statement& statement) const {
    require_words(statement, {7}, "four types, a force constant, a periodicity and an angle");
    const int n = whole_number(statement, 5);
    if (n < 0) {
        Statements::refuse(statement.places[5], fmt::format("{}: the periodicity {} is below zero", heading_, n), {},
                           "terms of one dihedral stand on lines of their own");
    }
    return {n, number(statement, 4) * (n == 0 ? per_radian2 : units::kcal), number(statement, 6) * degree};
}

void ParameterSections::read_dihedral(const Statement& statement) {
    const TorsionParameters value = torsion(statement);
    const Types<4> types = types_of<4>(statement);
    const auto any = [&](std::size_t n) { return types[n] == "X"; };
    if (any(1) || any(2) || any(0) != any(3)) {
        Statements::refuse(statement.places[0], fmt::format("{}: wild cards in this place", heading_),
                           "a dihedral has X as the first and the last type, or no X", "name all four types");
    }
    const Types<4> key = canonical(types);
    auto& entry = out_.dihedrals[key];
    if (entry.part != part_) {
        if (entry.part != 0) dropped_.push_back({key, entry.value, statement});
        entry = {{}, part_};
    }
    const auto same =
        std::find_if(entry.value.begin(), entry.value.end(), [&](const auto& term) { return term.n == value.n; });
    if (same == entry.value.end()) {
        entry.value.push_back(value);
        return;
    }
    if (!(*same == value)) replaced("dihedral", statement);
    *same = value;
}

void ParameterSections::read_improper(const Statement& statement) {
    const TorsionParameters value = torsion(statement);
    const auto key = canonical_improper(types_of<4>(statement));
    if (!key) {
        Statements::refuse(statement.places[0], fmt::format("{}: wild cards in these places", heading_),
                           "impropers are A-B-C-D, A-X-X-D, X-B-C-D, X-B-C-X or X-X-C-D", "name all four types");
    }
    put(out_.impropers, *key, value, "improper", statement);
}

}  // namespace mdsim::charmm
