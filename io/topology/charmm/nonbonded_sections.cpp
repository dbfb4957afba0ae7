// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/text/text_file.h"
#include "io/topology/charmm/parameter_sections.h"

namespace mdsim::charmm {

namespace {

constexpr double angstrom = 0.1;  // [nm]
constexpr int most_points = 180;  // of a map, in one direction
constexpr double ordinary_mode =
    5.0;  // of NBXMOD: pairs one and two bonds apart are excluded, those three apart special

void refuse_wild_card(const Statement& statement, std::size_t word) {
    if (statement.words[word].find_first_of("*%#+") == std::string::npos) return;
    Statements::refuse_feature(statement.places[word],
                               fmt::format("\"{}\" names several types by a wild card", statement.words[word]),
                               "mdsim reads no wild cards here", "write one line for each of the types");
}

bool is_number(const std::string& word) {
    double value = 0.0;
    return parse_number(word, value) == std::string_view::npos;
}

}  // namespace

// Of the well, which is written as an energy below zero [kJ/mol].
double ParameterSections::depth(const Statement& statement, std::size_t word) const {
    const double energy = number(statement, word);
    if (energy > 0.0) {
        Statements::refuse_feature(
            statement.places[word], fmt::format("{}: the well depth {} is above zero", heading_, energy),
            "CHARMM takes such a number for a count of electrons (the formula of Slater and Kirkwood)",
            "give the depth as a number below zero");
    }
    return -energy * units::kcal;
}

void ParameterSections::read_cmap(const Statement& statement) {
    const bool begins = !is_number(statement.words[0]);
    if (begins) {
        finish_cmap();
        require_words(statement, {9}, "eight types and the number of points along an angle");
        cmap_types_ = types_of<8>(statement);
        cmap_ = {whole_number(statement, 8), {}};
        cmap_statement_ = statement;
        if (cmap_.size < 4 || cmap_.size > most_points)
            Statements::refuse(statement.places[8], fmt::format("{}: {} points along an angle", heading_, cmap_.size));
        return;
    }
    const std::size_t due = static_cast<std::size_t>(cmap_.size) * static_cast<std::size_t>(cmap_.size);
    for (std::size_t word = 0; word < statement.words.size(); ++word) {
        if (cmap_.energy.size() == due) {
            Statements::refuse(statement.places[word],
                               fmt::format("{}: more numbers than the {} of the map that begins "
                                           "on line {}",
                                           heading_, due, cmap_statement_.line));
        }
        cmap_.energy.push_back(number(statement, word) * units::kcal);
    }
}

void ParameterSections::finish_cmap() {
    if (cmap_.size == 0) return;
    const std::size_t due = static_cast<std::size_t>(cmap_.size) * static_cast<std::size_t>(cmap_.size);
    if (cmap_.energy.size() != due) {
        Statements::refuse(cmap_statement_.places[0],
                           fmt::format("{}: this map has {} numbers, {} are due", heading_, cmap_.energy.size(), due));
    }
    put(out_.cmaps, cmap_types_, std::move(cmap_), "map", cmap_statement_);
    cmap_ = {};
}

// Of the options those count here that belong to the force field; cutoffs and switches are settings of a run.
void ParameterSections::read_nonbonded_options(const Statement& statement) {
    const auto value_after = [&](std::size_t word) {
        if (word + 1 == statement.words.size())
            Statements::refuse(statement.places[word],
                               fmt::format("{}: a number is due after {}", heading_, statement.words[word]));
        return number(statement, word + 1);
    };
    bool run_settings = false;
    for (std::size_t word = 1; word < statement.words.size(); ++word) {
        const std::string& option = statement.upper[word];
        if (option == "E14FAC") out_.coulomb14 = value_after(word);
        if (option.starts_with("GEOM")) out_.geometric_radii = true;
        if (option.starts_with("ARIT")) out_.geometric_radii = false;
        run_settings = run_settings || option.starts_with("CTO") || option == "VSWITCH" || option == "VFSWITCH";
        const bool other_mode = option == "NBXMOD" && std::abs(value_after(word)) != ordinary_mode;
        const bool other_dielectric = (option == "EPS" && value_after(word) != 1.0) || option.starts_with("RDI");
        if (!other_mode && !other_dielectric) continue;
        Statements::refuse_feature(
            statement.places[word],
            fmt::format("{}: {}{}", heading_, statement.words[word],
                        option.starts_with("RDI") ? "" : " " + statement.words[word + 1]),
            other_mode ? "mdsim excludes pairs one and two bonds apart and scales those three apart, which is NBXMOD 5"
                       : "mdsim has no dielectric constant but that of vacuum between atoms",
            other_mode ? "use NBXMOD 5, which CHARMM's force fields are made for" : "use CDIEL and EPS 1.0");
    }
    if (!run_settings || run_settings_noted_) return;
    run_settings_noted_ = true;
    out_.notes.push_back(
        fmt::format("{}:{}: cutoffs and switches of {} are settings of a run in CHARMM: here "
                    "forces.cutoff, forces.switch_from and forces.lennard_jones say them",
                    statement.places[0].file, statement.line, heading_));
}

void ParameterSections::read_nonbonded(const Statement& statement) {
    // Options may begin on the line after the word NONBONDED without a sign that it goes on.
    if (statement.upper[0].starts_with("CUTNB")) return read_nonbonded_options(statement);
    require_words(statement, {4, 7},
                  "a type, a number, a well depth, half a distance, and perhaps three for 1-4 pairs");
    refuse_wild_card(statement, 0);
    LjType value{depth(statement, 2), number(statement, 3) * angstrom, 0.0, 0.0};
    value.depth14 = value.depth;
    value.half_distance14 = value.half_distance;
    if (statement.words.size() == 7) {
        value.depth14 = depth(statement, 5);
        value.half_distance14 = number(statement, 6) * angstrom;
    }
    put(out_.lj, statement.upper[0], value, "Lennard-Jones type", statement);
}

void ParameterSections::read_nbfix(const Statement& statement) {
    require_words(statement, {4, 6}, "two types, a well depth, a distance, and perhaps the two for 1-4 pairs");
    refuse_wild_card(statement, 0);
    refuse_wild_card(statement, 1);
    LjPair value{depth(statement, 2), number(statement, 3) * angstrom, 0.0, 0.0};
    value.depth14 = value.depth;
    value.distance14 = value.distance;
    if (statement.words.size() == 6) {
        value.depth14 = depth(statement, 4);
        value.distance14 = number(statement, 5) * angstrom;
    }
    put(out_.lj_pairs, canonical(types_of<2>(statement)), value, "NBFIX pair", statement);
}

}  // namespace mdsim::charmm
