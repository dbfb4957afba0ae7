// SPDX-License-Identifier: Apache-2.0
#include "io/topology/topology_file.h"

#include <fstream>
#include <string_view>

#include "core/error.h"
#include "io/topology/amber.h"
#include "io/topology/charmm/topology_reader.h"
#include "io/topology/gromacs.h"

namespace mdsim {

namespace {

std::string lower_ending(const std::filesystem::path& file) {
    std::string end = file.extension().string();
    for (char& c : end) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return end;
}

bool begins_like_prmtop(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    char head[8] = {};
    in.read(head, sizeof head);
    const std::string_view text(head, static_cast<std::size_t>(in.gcount()));
    return text.starts_with("%VERSION") || text.starts_with("%FLAG");
}

}  // namespace

std::optional<TopologyFormat> topology_format(const std::filesystem::path& file) {
    const std::string end = lower_ending(file);
    if (end == ".prmtop" || end == ".parm7" || end == ".parm") return TopologyFormat::amber;
    if (end == ".top") return begins_like_prmtop(file) ? TopologyFormat::amber : TopologyFormat::gromacs;
    if (end == ".psf") return TopologyFormat::charmm;
    if (end == ".itp") return TopologyFormat::gromacs;
    return std::nullopt;
}

Topology read_topology(const std::filesystem::path& file, const TopologyOptions& options,
                       std::vector<std::string>* notes) {
    std::vector<std::string> unused;
    const auto format = topology_format(file);
    if (format == TopologyFormat::amber) return read_amber_topology(file);
    if (format == TopologyFormat::gromacs) return read_gromacs_topology(file, {options.include_path, options.define});
    if (format == TopologyFormat::charmm)
        return read_charmm_topology(file, options.parameters, notes == nullptr ? unused : *notes);
    throw_input_error({.code = "MD209",
                       .place = {file.string(), 0, 0},
                       .what = "the name does not end as a topology's that mdsim knows",
                       .why = {},
                       .remedy = "give a GROMACS .top, an AMBER .prmtop (.parm7) or a CHARMM .psf"});
}

}  // namespace mdsim
