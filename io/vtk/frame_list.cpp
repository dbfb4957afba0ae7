// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/frame_list.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "io/text/xml_text.h"

namespace mdsim {

namespace {
constexpr std::string_view before_time = "<DataSet timestep=\"";
constexpr std::string_view of_atoms = "\" part=\"0\"";
}  // namespace

double listed_time(double time, const std::vector<std::string>& before) {
    if (before.empty()) return time;
    const double last = std::stod(before.back());
    if (time > last) return time;
    // Behind zero come numbers that std::stod refuses.
    const double next = std::nextafter(last, std::numeric_limits<double>::infinity());
    return last == 0.0 ? std::numeric_limits<double>::min() : next;
}

std::string atoms_file_name(std::size_t frame, AtomFiles files) {
    return fmt::format("{:06}.{}", frame, files == AtomFiles::one ? "vtp" : "pvtp");
}

std::string piece_file_name(std::size_t frame, std::size_t piece) {
    return fmt::format("{:06}.{}.vtp", frame, piece);
}

std::string box_file_name(std::size_t frame) {
    return fmt::format("{:06}.box.vtp", frame);
}

std::string pvd_text(const std::filesystem::path& folder, const std::vector<std::string>& times, AtomFiles files) {
    const std::string in = as_xml(folder.string());
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<!-- times in ps, lengths in nm -->\n<Collection>\n";
    for (std::size_t n = 0; n < times.size(); ++n) {
        text += fmt::format("{}{}{} name=\"atoms\" file=\"{}/{}\"/>\n", before_time, times[n], of_atoms, in,
                            atoms_file_name(n, files));
        text += fmt::format("{}{}\" part=\"1\" name=\"box\" file=\"{}/{}\"/>\n", before_time, times[n], in,
                            box_file_name(n));
    }
    return text + "</Collection>\n</VTKFile>\n";
}

std::vector<std::string> times_in_pvd(std::string_view text) {
    std::vector<std::string> times;
    for (std::size_t at = text.find(before_time); at != text.npos; at = text.find(before_time, at)) {
        at += before_time.size();
        const std::size_t end = std::min(text.find('"', at), text.size());
        if (text.substr(end).starts_with(of_atoms)) times.emplace_back(text.substr(at, end - at));
    }
    return times;
}

AtomFiles files_in_pvd(std::string_view text) {
    return text.find(".pvtp\"") == text.npos ? AtomFiles::one : AtomFiles::pieces;
}

}  // namespace mdsim
