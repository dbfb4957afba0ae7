// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/pieces.h"

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

std::vector<Piece> cut_between_molecules(const Topology& topology, std::size_t count) {
    MDSIM_EXPECT(count > 0);
    const auto atoms = static_cast<std::size_t>(topology.atoms());
    std::vector<Piece> pieces;
    std::size_t number = 0;
    // A molecule is in the piece where its first atom would be if all had the same size.
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto begin = static_cast<std::size_t>(first);
        const std::size_t its = begin * count / atoms;
        if (pieces.empty() || its != number) pieces.push_back({begin, begin});
        number = its;
        pieces.back().end += static_cast<std::size_t>(type.size());
    });
    return pieces;
}

std::string pvtp_text(const std::vector<std::string>& files, std::span<const MdsimVtkArray> arrays) {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PPolyData GhostLevel=\"0\">\n<PPointData>\n";
    for (const MdsimVtkArray& array : arrays) {
        if (array.type == mdsim_vtk_text) {
            text += fmt::format("<PArray type=\"String\" Name=\"{}\"/>\n", array.name);
        } else {
            text += fmt::format("<PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                                array.type == mdsim_vtk_float32 ? "Float32" : "Int32", array.name, array.components);
        }
    }
    text +=
        "</PPointData>\n<PPoints>\n<PDataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"/>\n"
        "</PPoints>\n";
    for (const std::string& file : files) text += fmt::format("<Piece Source=\"{}\"/>\n", file);
    return text + "</PPolyData>\n</VTKFile>\n";
}

}  // namespace mdsim
