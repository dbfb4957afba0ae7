// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/force_field/parameters.h"

#include <cctype>

#include <fmt/format.h>

#include "io/topology/gromacs/fields.h"

namespace mdsim::gromacs {

namespace {

bool is_digit(std::string_view text) {
    return text.size() == 1 && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

}  // namespace

std::optional<TypeLine> split_type_line(Directive directive, Fields fields) {
    TypeLine line{.atoms = atoms_of(directive)};
    const bool pair_of_atoms = directive == Directive::dihedraltypes && fields.size() >= 3 && is_digit(fields[2]);
    const std::size_t given = pair_of_atoms ? 2 : static_cast<std::size_t>(line.atoms);
    if (fields.size() <= given) return std::nullopt;
    const auto function = to_integer(fields[given]);
    if (!function) return std::nullopt;
    line.function = *function;
    line.values = fields.subspan(given + 1);
    for (std::size_t i = 0; i < given; ++i) line.names[i] = fields[i];
    if (pair_of_atoms && line.function == 2) {
        line.names = {fields[0], "X", "X", fields[1]};
    } else if (pair_of_atoms) {
        line.names = {"X", fields[0], fields[1], "X"};
    }
    return line;
}

std::optional<Values> read_parameters(Directive directive, const Function& function, Fields fields, Origin origin,
                                      Report& report) {
    const auto count = static_cast<std::size_t>(function.parameters);
    const bool has_state_b = fields.size() == 2 * count && function.kind != Kind::pair_with_charges;
    if (fields.size() != count && !has_state_b) {
        report.add(origin, "MD224",
                   fmt::format("[ {} ]: {} parameters for a {} (function {}), which has {}", name_of(directive),
                               fields.size(), function.name, function.number, count));
        return std::nullopt;
    }
    Values values{};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto value = to_number(fields[i]);
        if (!value) {
            report.add(origin, "MD224", fmt::format("[ {} ]: \"{}\" is not a number", name_of(directive), fields[i]),
                       "", "check the spelling; a macro must be defined before it is used");
            return std::nullopt;
        }
        if (i >= count && *value != values[i - count]) {
            report.add(origin, "MD229", fmt::format("[ {} ]: B-state parameters are not supported", name_of(directive)),
                       fmt::format("parameter {} of state B differs from that of state A", i - count + 1),
                       "remove the columns of state B");
            return std::nullopt;
        }
        if (i < count) values[i] = *value;
    }
    return values;
}

}  // namespace mdsim::gromacs
