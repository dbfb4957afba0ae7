// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "io/text/xml_text.h"
#include "io/vtk/box_edges.h"
#include "io/vtk/views/h5md_views.h"

// XDMF in the part that both of ParaView's readers, of versions 2 and 3, understand: they have no common way of naming
// a frame within a dataset, so that each frame has datasets of its own.
namespace mdsim {

namespace {

/// The datasets of RUN.vtkhdf.
class Datasets {
  public:
    explicit Datasets(const ViewedRun& run)
        : file_(as_xml(H5mdViews::vtkhdf_path(run.h5).filename().string())), atoms_(run.atoms->size()) {}

    std::string item(const char* type, const std::string& extent, const std::string& dataset) const {
        return fmt::format(R"(<DataItem Format="HDF" NumberType="{}" Precision="4" Dimensions="{}">{}:{}</DataItem>)",
                           type, extent, file_, dataset);
    }
    std::string vectors(const std::string& dataset) const {
        return item("Float", fmt::format("{} 3", atoms_), dataset);
    }
    std::string attribute(const std::string& name, const char* type, const std::string& item) const {
        return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n", name, type,
                           item);
    }
    std::string scalars(const std::string& name, const char* type) const {
        return attribute(name, "Scalar", item(type, fmt::format("{}", atoms_), "/VTKHDF/PointData/" + name));
    }

  private:
    std::string file_;
    std::size_t atoms_;
};

// What each frame has alike.
std::string atoms_text(const ViewedRun& run, const Datasets& datasets) {
    const std::size_t atoms = run.atoms->size(), bonds = run.bonds.size() / 2;
    std::string text =
        fmt::format("<Topology TopologyType=\"Mixed\" NumberOfElements=\"{}\">{}</Topology>\n", atoms + bonds,
                    datasets.item("Int", fmt::format("{}", 3 * atoms + 4 * bonds), "/cells"));
    for (const auto& [name, values] : run.atoms->integers()) text += datasets.scalars(name, "Int");
    for (const auto& [name, values] : run.atoms->reals()) text += datasets.scalars(name, "Float");
    return text;
}

// A block, with all its frames. Blocks are collections one beside the other, since the reader of version 2 gives those
// within a frame another name in each.
std::string block(const char* name, const std::vector<std::string>& times, const auto& frame_text) {
    std::string text = fmt::format("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", name);
    for (std::size_t n = 0; n < times.size(); ++n) {
        text += fmt::format("<Grid Name=\"frame\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n", times[n]);
        text += frame_text(n) + "</Grid>\n";
    }
    return text + "</Grid>\n";
}

// The edges of the box. Their numbers are part of the text, since they are few. The attribute tells them from atoms
// where a reader has no names of blocks.
std::string box_text(const Cell& cell) {
    const BoxEdges box(cell);
    const auto item = [](const char* type, const std::string& extent, const auto& values) {
        std::string numbers;
        for (const auto value : values) numbers += fmt::format("{}{}", numbers.empty() ? "" : " ", value);
        return fmt::format(R"(<DataItem Format="XML" NumberType="{}" Precision="4" Dimensions="{}">{}</DataItem>)",
                           type, extent, numbers);
    };
    return fmt::format(
        "<Topology TopologyType=\"Polyline\" NumberOfElements=\"12\" NodesPerElement=\"2\">{}</Topology>\n"
        "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n"
        "<Attribute Name=\"box\" AttributeType=\"Scalar\" Center=\"Node\">{}</Attribute>\n",
        item("Int", "12 2", box.edges), item("Float", "8 3", box.corners), item("Int", "8", std::vector<int>(8, 1)));
}

}  // namespace

std::string xdmf_text(const ViewedRun& run) {
    const Datasets datasets(run);
    const std::string atoms = atoms_text(run, datasets);
    std::string text =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<!-- times in ps, lengths in nm -->\n<Domain>\n";
    text += block("atoms", run.times, [&](std::uint64_t n) {
        std::string frame = fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                                        datasets.vectors(ViewedRun::dataset("position", n)));
        frame += atoms;
        for (const std::string& vector : run.vectors)
            frame += datasets.attribute(vector, "Vector", datasets.vectors(ViewedRun::dataset(vector, n)));
        return frame;
    });
    if (std::all_of(run.boxes.begin(), run.boxes.end(), [](const Cell& box) { return box.periodic(); }))
        text += block("box", run.times, [&](std::uint64_t n) { return box_text(run.boxes[n]); });
    return text + "</Domain>\n</Xdmf>\n";
}

}  // namespace mdsim
