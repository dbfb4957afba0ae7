// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/units.h"
#include "io/input/sections.h"

namespace mdsim::inp {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string name_of(const Table& table, std::string_view kind, std::size_t number) {
    return table.has("name") ? table.text("name") : fmt::format("{}-{}", kind, number);
}

RestraintInput position_restraint(const Table& table, std::size_t number, const Context& context) {
    RestraintInput restraint;
    restraint.name = name_of(table, "position", number);
    restraint.select = table.text("select");
    restraint.force_constant = table.number("force_constant");
    restraint.flat_bottom = table.number("flat_bottom");
    restraint.scale_with_box = table.flag("scale_with_box");
    const std::string to = table.text("to");
    restraint.to = pick<RestraintReference>("input|stage-start|", to);
    if (to != "input" && to != "stage-start" && table.has("to")) {
        restraint.to = RestraintReference::file;
        restraint.file = context.file(table, "to");
    }
    return restraint;
}

/// A measure of centres as its tables have it.
struct MeasureWords {
    GroupMeasure measure;
    std::string_view word, table;
    std::size_t groups;
    std::string_view groups_in_words, example;
    double least, most;  ///< where only the other end is given, in the unit of the table
    double unit;         ///< of that in the internal one
};
constexpr double degree = units::pi / 180.0;
constexpr MeasureWords measures[] = {
    {GroupMeasure::distance, "distance", "restrain_distance", 2, "two", "0.5 nm", 0.0, infinity, 1.0},
    {GroupMeasure::angle, "angle", "restrain_angle", 3, "three", "120 deg", 0.0, 180.0, degree},
    {GroupMeasure::dihedral, "dihedral", "restrain_dihedral", 4, "four", "180 deg", 0.0, 0.0, degree},
};

// `to`, or `lower` and `upper`, of which one may be left out where the measure has an end of its own.
void check_range(const Table& table, const MeasureWords& words, const Context& context) {
    const bool to = table.given("to"), lower = table.given("lower"), upper = table.given("upper");
    const auto refuse = [&](std::string what) {
        context.add("MD108", table.place, fmt::format("{} {}", table.key, what),
                    "`to` is harmonic about a value; `lower` and `upper` leave what is between them free",
                    fmt::format("to = \"{}\", or lower and upper", words.example));
    };
    const bool both_needed = words.measure == GroupMeasure::dihedral;
    if (to && (lower || upper)) return refuse("has both `to` and a range");
    if (!to && (both_needed ? !(lower && upper) : !(lower || upper)))
        return refuse(both_needed && (lower || upper) ? "has one end of a range" : "has neither `to` nor a range");
    if (!table.has("lower") || !table.has("upper")) return;
    const double from = table.number("lower"), until = table.number("upper");
    if (until < from || (both_needed && until - from >= 360.0)) {
        refuse(fmt::format("has a range from {} to {}", from, until));
    }
}

GroupRestraintInput group_restraint(const Table& table, std::size_t number, const MeasureWords& words,
                                    const Context& context) {
    GroupRestraintInput restraint{name_of(table, words.word, number), words.measure, table.datum("between").texts};
    if (table.has("between") && restraint.between.size() != words.groups) {
        context.add(
            "MD108", table.place_of("between"),
            fmt::format("{} has {} selections; {} has {}", table.full_key("between"), restraint.between.size(),
                        words.word == "angle" ? "an angle" : fmt::format("a {}", words.word), words.groups_in_words));
    }
    check_range(table, words, context);
    const auto end = [&](std::string_view key, double otherwise) {
        if (table.has("to")) return words.unit * table.number("to");
        return words.unit * (table.has(key) ? table.number(key) : otherwise);
    };
    restraint.lower = end("lower", words.least);
    restraint.upper = end("upper", words.most);
    restraint.force_constant = table.number("force_constant");
    return restraint;
}

WallInput wall(const Table& table, std::size_t number, const Context& context) {
    WallInput wall{.name = name_of(table, "wall", number), .select = table.text("select")};
    wall.shape = pick<WallShape>("plane|sphere|cylinder", table.text("shape"));
    wall.axis = static_cast<int>(std::string_view("xyz").find(table.text("axis")));
    wall.keep = pick<WallSide>("inside|outside", table.text("keep"));
    wall.force_constant = table.number("force_constant");
    if (wall.shape != WallShape::plane) {
        const std::vector<double>& centre = table.numbers("centre");
        if (centre.size() == 3) wall.centre = {centre[0], centre[1], centre[2]};
        wall.half_width = table.number("radius");
        return wall;
    }
    const double lower = table.number("lower"), upper = table.number("upper");
    wall.centre[wall.axis] = 0.5 * (lower + upper);
    wall.half_width = 0.5 * (upper - lower);
    if (table.has("lower") && table.has("upper") && !(upper > lower)) {
        context.add("MD108", table.place_of("upper"),
                    fmt::format("{} = {} nm is not above lower = {} nm", table.full_key("upper"), upper, lower));
    }
    return wall;
}

/// The names of all stages' restraints, each for one kind of thing.
class Names {
  public:
    explicit Names(const Context& context) : context_(context) {}
    void next_stage() { in_stage_.clear(); }
    void add(const std::string& name, std::string_view unit, const Place& place) {
        const bool safe = !name.empty() && name.size() <= 100 &&
                          name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
                              std::string::npos;
        if (!safe) {
            context_.add("MD113", place, fmt::format("{} is not a name for a restraint", in_quotes(name)),
                         "names of restraints are letters, digits, - and _", "name = \"gate\"");
        }
        if (!in_stage_.emplace(name, unit).second) {
            context_.add("MD113", place, fmt::format("two restraints of one stage are called '{}'", name), {},
                         "a name of its own for each");
        }
        const auto [before, fresh] = units_.emplace(name, unit);
        if (!fresh && before->second != unit) {
            context_.add("MD113", place,
                         fmt::format("restraint '{}' is in {}, and in {} in another stage", name, unit, before->second),
                         "both would have the same columns in NAME.energies.csv", "another name");
        }
    }

  private:
    const Context& context_;
    std::map<std::string, std::string_view> in_stage_, units_;
};

}  // namespace

void read_restraints(const Table& table, const Context& context, StageInput& stage) {
    for (const Table* each : table.children("restrain"))
        stage.restraints.push_back(position_restraint(*each, stage.restraints.size() + 1, context));
    for (const MeasureWords& words : measures) {
        std::size_t number = 0;
        for (const Table* each : table.children(words.table))
            stage.group_restraints.push_back(group_restraint(*each, ++number, words, context));
    }
    for (const Table* each : table.children("wall"))
        stage.walls.push_back(wall(*each, stage.walls.size() + 1, context));
    stage.freeze = table.text("freeze");
}

void check_restraint_names(const Table& root, const std::vector<StageInput>& stages, const Context& context) {
    Names names(context);
    const std::vector<const Table*> tables = root.children("stage");
    for (std::size_t n = 0; n < stages.size(); ++n) {
        names.next_stage();
        const StageInput& stage = stages[n];
        for (const RestraintInput& r : stage.restraints) names.add(r.name, "nm", tables[n]->place);
        for (const GroupRestraintInput& r : stage.group_restraints)
            names.add(r.name, r.measure == GroupMeasure::distance ? "nm" : "deg", tables[n]->place);
        for (const WallInput& w : stage.walls) names.add(w.name, "nm", tables[n]->place);
    }
}

}  // namespace mdsim::inp
