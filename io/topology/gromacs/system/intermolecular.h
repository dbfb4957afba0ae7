// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/topology/gromacs/directive.h"
#include "io/topology/gromacs/force_field/tables.h"
#include "io/topology/gromacs/report.h"
#include "system/topology.h"

namespace mdsim::gromacs {

/// [ intermolecular_interactions ]: terms between molecules, by global atom numbers. The molecules that they join
/// become one of a type of its own, with all that stand between them in the coordinates; other molecules keep their
/// types.
class Intermolecular {
  public:
    /// Whether a directive may stand in the section.
    static bool takes(Directive directive);
    void add(Directive directive, Fields fields, Origin origin);

    /// Merges what is to be merged and adds the terms. Atom types are numbers of Tables::atom_types().
    void apply(Topology& topology, const Tables& tables, Report& report) const;

  private:
    struct Line {
        Directive directive;
        std::vector<std::string> fields;
        Origin origin;
        std::int64_t lowest, highest;  // atoms, from 0
    };
    std::vector<Line> read(std::int64_t atoms, Report& report) const;

    std::vector<Line> lines_;
};

}  // namespace mdsim::gromacs
