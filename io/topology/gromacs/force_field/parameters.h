// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "io/topology/gromacs/directive.h"
#include "io/topology/gromacs/report.h"

namespace mdsim::gromacs {

using Fields = std::span<const std::string_view>;
using Values = std::array<double, 6>;  ///< of one term, in the units of the file; unused ones are zero

/// A line of [ bondtypes ], [ angletypes ], [ dihedraltypes ] or [ constrainttypes ], taken apart.
struct TypeLine {
    std::array<std::string_view, 4> names;
    int atoms = 0;
    int function = 0;
    Fields values;
};

/// Nothing where fields are missing. Dihedral types may be given by two atoms: the middle ones, or the outer ones for
/// function 2; the others become the wild card X.
std::optional<TypeLine> split_type_line(Directive directive, Fields fields);

/// The parameters behind a function number. Parameters of a state B are accepted where they repeat those of state A and
/// refused otherwise; a wrong number of them or text among them is reported. Nothing in these cases.
std::optional<Values> read_parameters(Directive directive, const Function& function, Fields fields, Origin origin,
                                      Report& report);

}  // namespace mdsim::gromacs
