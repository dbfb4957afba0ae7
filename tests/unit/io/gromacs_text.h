// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "core/error.h"
#include "io/topology/gromacs.h"
#include "io_output/temporary_folder.h"

namespace mdsim::test {

/// Force field of two types in combination rule 2, for molecules that a test writes below it.
inline const std::string small_force_field = R"([ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
A 6 12.0 0.0 A 0.3 0.4
B 1 1.0 0.0 A 0.2 0.9
)";

/// Reads the text as a topology called top.top, with further files beside it.
inline Topology read_text(const std::string& text, const std::map<std::string, std::string>& others = {},
                          const GromacsOptions& options = {}) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "top.top", std::ios::binary) << text;
    for (const auto& [name, content] : others) {
        std::filesystem::create_directories((folder.path() / name).parent_path());
        std::ofstream(folder.path() / name, std::ios::binary) << content;
    }
    return read_gromacs_topology(folder.path() / "top.top", options);
}

/// The message with which the text is refused, all problems in it; empty where it is read. The folder's name is cut.
inline std::string refusal(const std::string& text, const std::map<std::string, std::string>& others = {}) {
    try {
        read_text(text, others);
    } catch (const Error& error) {
        std::string out;
        for (Problem problem : error.problems()) {
            problem.place.file = std::filesystem::path(problem.place.file).filename();
            out += to_text(problem) + "\n";
        }
        return out;
    }
    return {};
}

/// A molecule M of `atoms` atoms of types A, B, A, B ... with what else its text says, once.
inline std::string molecule(int atoms, const std::string& text, int nrexcl = 3) {
    std::string out = "[ moleculetype ]\nM " + std::to_string(nrexcl) + "\n[ atoms ]\n";
    for (int n = 1; n <= atoms; ++n) {
        out += std::to_string(n) + (n % 2 == 1 ? " A" : " B") + " 1 RES X" + std::to_string(n) + " 1 " +
               (n % 2 == 1 ? "0.5" : "-0.25") + "\n";
    }
    return out + text + "\n[ system ]\nTest\n[ molecules ]\nM 1\n";
}

}  // namespace mdsim::test
