// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/error.h"
#include "io/topology/split_molecules.h"
#include "io/trajectory/h5md/h5md_reader.h"

namespace mdsim {

namespace {

[[noreturn]] void refuse(const h5::File& file, std::string what) {
    throw_io_error({.code = "MD312",
                    .place = {file.path().string()},
                    .what = std::move(what),
                    .remedy = "use a whole copy of the file"});
}

std::vector<Residue> read_residues(const h5::File& file) {
    const std::vector<std::string> names = file.read_texts("/mdsim/residues/name");
    const std::vector<std::string> chains = file.read_texts("/mdsim/residues/chain");
    const std::vector<std::int64_t> numbers = file.read_integers("/mdsim/residues/number");
    std::vector<std::string> insertions(names.size());
    if (file.is_dataset("/mdsim/residues/insertion")) insertions = file.read_texts("/mdsim/residues/insertion");
    if (chains.size() != names.size() || numbers.size() != names.size() || insertions.size() != names.size())
        refuse(file, "the sets of /mdsim/residues have different extents");
    std::vector<Residue> residues;
    for (std::size_t n = 0; n < names.size(); ++n)
        residues.push_back(
            {names[n], static_cast<int>(numbers[n]), chains[n], insertions[n].empty() ? ' ' : insertions[n][0]});
    return residues;
}

std::vector<Exclusion> read_bonds(const h5::File& file, std::int64_t atoms) {
    std::vector<Exclusion> bonds;
    if (!file.is_dataset("/connectivity/bonds")) return bonds;
    const std::vector<hsize_t> extent = file.extent("/connectivity/bonds");
    if (extent.size() != 2 || extent[1] != 2) refuse(file, "/connectivity/bonds is no list of pairs");
    const std::vector<std::int64_t> ends = file.read_integers("/connectivity/bonds");
    for (std::size_t n = 0; n + 1 < ends.size(); n += 2) {
        const auto [low, high] = std::minmax(ends[n], ends[n + 1]);
        if (low < 0 || high >= atoms) refuse(file, "/connectivity/bonds has an impossible number of an atom");
        bonds.push_back({static_cast<int>(low), static_cast<int>(high)});
    }
    return bonds;
}

}  // namespace

std::unique_ptr<Topology> h5md_topology(const h5::File& file, const std::string& group, std::int64_t atoms) {
    if (!file.is_dataset("/mdsim/atoms/name") || !file.is_dataset(group + "/species")) return nullptr;
    const std::vector<std::string> names = file.read_texts("/mdsim/atoms/name");
    const std::vector<std::int64_t> residues = file.read_integers("/mdsim/atoms/residue");
    const std::vector<std::int64_t> species = file.read_integers(group + "/species");
    const std::vector<double> mass = file.read_doubles(group + "/mass");
    const std::vector<double> charge = file.read_doubles(group + "/charge");
    MoleculeType whole;
    whole.residues = read_residues(file);
    for (const std::size_t extent : {names.size(), residues.size(), species.size(), mass.size(), charge.size()}) {
        if (extent != static_cast<std::size_t>(atoms)) refuse(file, "names and positions are of different extents");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool goes_back = i > 0 && residues[i] < residues[i - 1];
        if (goes_back || residues[i] < 0 || residues[i] >= static_cast<std::int64_t>(whole.residues.size()))
            refuse(file, "/mdsim/atoms/residue has an impossible number of a residue");
        whole.atoms.push_back({.name = names[i],
                               .type = 0,
                               .element = static_cast<int>(species[i]),
                               .residue = static_cast<int>(residues[i]),
                               .charge = charge[i],
                               .mass = mass[i]});
    }
    whole.connections = read_bonds(file, atoms);
    auto topology = std::make_unique<Topology>(split_where_residues_stay(std::move(whole)));
    topology->force_field.type_names = {"X"};
    topology->force_field.lj.resize(1);
    return topology;
}

}  // namespace mdsim
