// SPDX-License-Identifier: Apache-2.0
#include "io/selected_atoms.h"

#include <fmt/format.h>

namespace mdsim {

std::vector<AtomId> selected_atoms(const std::string& text, const Topology& topology, const Places* places,
                                   const SelectionSource& source) {
    try {
        std::vector<AtomId> atoms = places != nullptr ? select(text, topology, *places) : select(text, topology);
        if (!atoms.empty()) return atoms;
    } catch (const SelectionError& error) {
        throw_input_error(
            {.code = "MD404",
             .place = source.place,
             .what = fmt::format("{}: selection \"{}\", column {}: {}", source.key, text, error.column(), error.what()),
             .remedy = error.remedy()});
    }
    throw_input_error({.code = "MD405",
                       .place = source.place,
                       .what = fmt::format("{}: the selection \"{}\" holds no atom", source.key, text),
                       .why = names_not_found(text, topology),
                       .remedy = "check the names against `mdsim info` of the topology, or leave the entry out"});
}

}  // namespace mdsim
