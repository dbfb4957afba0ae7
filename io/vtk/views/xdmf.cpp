// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/text/xml_text.h"
#include "io/vtk/frame_list.h"
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

}  // namespace

std::string xdmf_text(const ViewedRun& run) {
    const Datasets datasets(run);
    const std::string atoms = atoms_text(run, datasets);
    std::string text =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<!-- times in ps, lengths in nm -->\n<Domain>\n"
        "<Grid Name=\"trajectory\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (std::uint64_t n = 0; n < run.frames; ++n) {
        text += fmt::format("<Grid Name=\"atoms\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n", run.times[n]);
        text += fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                            datasets.vectors(ViewedRun::dataset("position", n)));
        text += atoms;
        for (const std::string& vector : run.vectors)
            text += datasets.attribute(vector, "Vector", datasets.vectors(ViewedRun::dataset(vector, n)));
        text += "</Grid>\n";
    }
    return text + "</Grid>\n</Domain>\n</Xdmf>\n";
}

}  // namespace mdsim
