// SPDX-License-Identifier: Apache-2.0
#include "run/analysis/quantities.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analyse/density_profile.h"
#include "analyse/hydrogen_bonds.h"
#include "analyse/msd.h"
#include "analyse/rdf.h"
#include "analyse/shape.h"
#include "core/error.h"
#include "io/input/keys/quantity.h"
#include "io/selected_atoms.h"
#include "io/structure/structure_file.h"
#include "system/preparation/whole.h"

namespace mdsim {

namespace {

using namespace analyse;

constexpr std::array quantities{
    Quantity{"rmsd", "distance from a reference after superposition, frame by frame"},
    Quantity{"rmsf", "fluctuation of each atom about its mean place after superposition"},
    Quantity{"rgyr", "radius of gyration, frame by frame"},
    Quantity{"rdf", "radial distribution function and coordination number"},
    Quantity{"msd", "mean squared displacement against lag"},
    Quantity{"diffusion", "diffusion coefficient from the mean squared displacement"},
    Quantity{"density", "density profile along an axis of the box"},
    Quantity{"hbonds", "number of hydrogen bonds, frame by frame"},
};

// So many frames of these particles that a few hundred megabytes hold them, a hundred at most.
std::int64_t affordable_lags(std::size_t particles) {
    constexpr double bytes = 256e6;
    const double frames = bytes / (sizeof(Vec3d) * static_cast<double>(particles));
    return static_cast<std::int64_t>(std::clamp(frames, 10.0, 100.0));
}

/// Options of a quantity as what a measure wants.
class Maker {
  public:
    Maker(const QuantityOptions& options, const Topology& topology, const Snapshot& first)
        : options_(options), topology_(topology), first_(first) {}

    MadeMeasure rmsd() const;
    MadeMeasure rmsf() const;
    MadeMeasure rgyr() const;
    MadeMeasure rdf() const;
    MadeMeasure msd(Msd::Result result) const;
    MadeMeasure density() const;
    MadeMeasure hydrogen_bonds() const;

  private:
    const QuantityOptions& options_;
    const Topology& topology_;
    const Snapshot& first_;

    std::size_t count(const std::string& text, const char* option) const;
    std::string chosen(const std::string& given, const char* option, std::initializer_list<const char*> defaults) const;
    std::string text(const std::string& select) const;
    double quantity(const std::string& given, inp::Dimension dimension, const char* option, double otherwise) const;
    Fitting fitting() const;
    std::string fit_text() const;
    void require_box(const char* what) const;
};

std::size_t Maker::count(const std::string& text, const char* option) const {
    const Places places{first_.x, first_.box};
    return selected_atoms(text, topology_, &places, {{}, option}).size();
}

// What the user asks for, or the first of the defaults that holds an atom.
std::string Maker::chosen(const std::string& given, const char* option,
                          std::initializer_list<const char*> defaults) const {
    if (given.empty()) {
        for (const char* text : defaults) {
            if (!select(text, topology_).empty()) return text;
        }
    }
    const std::string text = given.empty() ? "all" : given;
    count(text, option);
    return text;
}

std::string Maker::text(const std::string& select) const {
    return fmt::format("\"{}\" ({} atoms)", select, count(select, "--select"));
}

double Maker::quantity(const std::string& given, inp::Dimension dimension, const char* option, double otherwise) const {
    if (given.empty()) return otherwise;
    inp::QuantityFault fault;
    const auto value = inp::parse_quantity(given, dimension, inp::internal_unit(dimension), fault);
    if (value && *value > 0.0) return *value;
    throw_input_error(
        {.code = "MD116",
         .what = fmt::format("{}: {}", option, value ? "it must be above zero" : fault.what),
         .remedy = fault.suggestion.empty() ? std::string() : fmt::format("{} \"{}\"", option, fault.suggestion)});
}

Fitting Maker::fitting() const {
    Fitting fitting{.select = options_.fit, .weights = options_.mass ? Weights::mass : Weights::equal, .reference = {}};
    if (!options_.fit.empty()) count(options_.fit, "--fit");
    if (options_.reference.empty()) return fitting;
    Structure reference = read_structure(options_.reference);
    if (static_cast<std::int64_t>(reference.x.size()) != topology_.atoms()) {
        throw_input_error({.code = "MD205",
                           .place = {options_.reference.string()},
                           .what = fmt::format("the reference has {} atoms, the trajectory {}", reference.x.size(),
                                               topology_.atoms()),
                           .remedy = "give a reference of the same atoms"});
    }
    make_whole(topology_, reference.box, reference.x, options_.reference);
    fitting.reference = std::move(reference.x);
    return fitting;
}

std::string Maker::fit_text() const {
    return fmt::format("{}superposed {}on {}", options_.mass ? "weighted by mass, " : "",
                       options_.fit.empty() ? std::string() : fmt::format("by \"{}\" ", options_.fit),
                       options_.reference.empty() ? "the first frame" : options_.reference.string());
}

void Maker::require_box(const char* what) const {
    if (first_.box.periodic()) return;
    throw_input_error({.code = "MD120",
                       .what = fmt::format("{} needs a periodic box, and the frames have none", what),
                       .remedy = "use a trajectory of a periodic system that keeps the box"});
}

MadeMeasure Maker::rmsd() const {
    const std::string group = chosen(options_.select, "--select", {"backbone", "not water and not ions", "all"});
    return {std::make_unique<Rmsd>(topology_, group, fitting()), fmt::format("of {}, {}", text(group), fit_text())};
}

MadeMeasure Maker::rmsf() const {
    const std::string group =
        chosen(options_.select, "--select", {"protein and name CA", "not water and not ions", "all"});
    return {std::make_unique<Rmsf>(topology_, group, fitting()), fmt::format("of {}, {}", text(group), fit_text())};
}

MadeMeasure Maker::rgyr() const {
    const std::string group = chosen(options_.select, "--select", {"protein", "not water and not ions", "all"});
    return {std::make_unique<RadiusOfGyration>(topology_, group), fmt::format("of {}", text(group))};
}

MadeMeasure Maker::rdf() const {
    require_box("a radial distribution function");
    const std::string first = chosen(options_.select, "--select", {"water and element O", "all"});
    const std::string second = options_.other.empty() ? first : chosen(options_.other, "--other", {});
    Rdf::Settings settings{.select = first, .other = second};
    settings.range = quantity(options_.range, inp::Dimension::length, "--range", settings.range);
    if (options_.bins > 0) settings.bins = options_.bins;
    if (options_.intermolecular) settings.same_molecule = SameMolecule::is_left_out;
    const std::string about =
        fmt::format("of {} and {}, up to {} nm in {} bins{}", text(first), text(second), settings.range, settings.bins,
                    options_.intermolecular ? ", without pairs of one molecule" : "");
    return {std::make_unique<Rdf>(topology_, settings), about};
}

MadeMeasure Maker::msd(Msd::Result result) const {
    Msd::Settings settings{.select = chosen(options_.select, "--select", {"water and element O", "all"})};
    if (options_.molecules) settings.particles = Particles::molecules;
    settings.lags = options_.lags > 0 ? options_.lags : affordable_lags(count(settings.select, "--select"));
    settings.result = result;
    const std::string about = fmt::format(
        "of {}{}, lags of up to {} frames{}", options_.molecules ? "the centres of mass of molecules in " : "",
        text(settings.select), settings.lags,
        result == Msd::Result::diffusion ? fmt::format(", a line through {:.0f} to {:.0f} % of the longest lag",
                                                       100.0 * settings.fit_from, 100.0 * settings.fit_to)
                                         : std::string());
    return {std::make_unique<Msd>(topology_, settings), about};
}

MadeMeasure Maker::density() const {
    require_box("a density profile");
    DensityProfile::Settings settings{.select = chosen(options_.select, "--select", {"all"})};
    if (options_.bins > 0) settings.bins = options_.bins;
    const std::string axis = options_.axis.empty() ? "z" : options_.axis;
    const auto at = std::string_view("xyz").find(axis);
    if (axis.size() != 1 || at == std::string_view::npos) {
        throw_input_error(
            {.code = "MD116", .what = fmt::format("--axis: \"{}\" is no axis", axis), .remedy = "x, y or z"});
    }
    settings.axis = static_cast<int>(at);
    return {std::make_unique<DensityProfile>(topology_, settings),
            fmt::format("of {} in {} slices across {}", text(settings.select), settings.bins, axis)};
}

MadeMeasure Maker::hydrogen_bonds() const {
    const std::string first = chosen(options_.select, "--select", {"all"});
    const std::string second = options_.other.empty() ? first : chosen(options_.other, "--other", {});
    HydrogenBonds::Settings settings{.select = first, .other = second};
    settings.distance = quantity(options_.distance, inp::Dimension::length, "--distance", settings.distance);
    if (!options_.angle.empty()) {
        const auto angle = inp::split_number(options_.angle);
        if (!angle || (angle->rest != "deg" && angle->rest != "degrees") || angle->number <= 0.0 ||
            angle->number > 180.0) {
            throw_input_error({.code = "MD116",
                               .what = fmt::format("--angle: \"{}\" is no angle from 0 to 180 deg", options_.angle),
                               .remedy = "--angle \"150 deg\""});
        }
        settings.angle = angle->number;
    }
    auto measure = std::make_unique<HydrogenBonds>(topology_, settings);
    if (measure->hydrogens() == 0) {
        throw_input_error({.code = "MD120",
                           .what = "no hydrogen is bonded to a nitrogen, oxygen or fluorine",
                           .why = "hydrogen bonds are found by the bonds of the topology",
                           .remedy = "give a topology with bonds: .top, .prmtop or .psf"});
    }
    return {std::move(measure),
            fmt::format("between {} and {}, donor to acceptor up to {} nm, angle of at least {} degrees", text(first),
                        text(second), settings.distance, settings.angle)};
}

}  // namespace

std::span<const Quantity> all_quantities() {
    return quantities;
}

MadeMeasure make_measure(std::string_view name, const QuantityOptions& options, const Topology& topology,
                         const Snapshot& first) {
    const Maker maker(options, topology, first);
    if (name == "rmsd") return maker.rmsd();
    if (name == "rmsf") return maker.rmsf();
    if (name == "rgyr") return maker.rgyr();
    if (name == "rdf") return maker.rdf();
    if (name == "msd") return maker.msd(Msd::Result::displacements);
    if (name == "diffusion") return maker.msd(Msd::Result::diffusion);
    if (name == "density") return maker.density();
    MDSIM_EXPECT(name == "hbonds");
    return maker.hydrogen_bonds();
}

}  // namespace mdsim
