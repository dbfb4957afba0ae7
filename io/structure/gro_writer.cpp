// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "io/structure/gro.h"

namespace mdsim {

namespace {

void append_vector(std::string& out, const Vec3d& v, int decimals) {
    const int width = decimals + 5;
    fmt::format_to(std::back_inserter(out), "{:{}.{}f}{:{}.{}f}{:{}.{}f}", v.x, width, decimals, v.y, width, decimals,
                   v.z, width, decimals);
}

void append_box(std::string& out, const Box& box) {
    const Mat3d& r = box.rows();
    fmt::format_to(std::back_inserter(out), "{:10.5f} {:9.5f} {:9.5f}", r[0].x, r[1].y, r[2].z);
    if (!box.rectangular()) {
        fmt::format_to(std::back_inserter(out), " {:9.5f} {:9.5f} {:9.5f} {:9.5f} {:9.5f} {:9.5f}", 0.0, 0.0, r[1].x,
                       0.0, r[2].x, r[2].y);
    }
    out += '\n';
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::string what) {
    throw_io_error({.code = "MD321",
                    .place = {file.string(), 0, 0},
                    .what = std::move(what),
                    .why = errno != 0 ? std::strerror(errno) : "",
                    .remedy = "check the folder, the right to write there and the space left"});
}

}  // namespace

void write_gro(const std::filesystem::path& file, const Structure& structure, int decimals) {
    constexpr std::size_t wrap = 100000;  // five columns
    constexpr std::size_t most_buffered = 1 << 20;
    errno = 0;
    std::ofstream stream(file, std::ios::binary);
    if (!stream) refuse(file, "the file cannot be written");
    std::string out = fmt::format("{}, t= {:.5f}\n{:5}\n", structure.title, structure.time, structure.x.size());
    for (std::size_t i = 0; i < structure.x.size(); ++i) {
        const AtomLabel label = i < structure.labels.size() ? structure.labels[i] : AtomLabel{"X", "UNK", 1, ""};
        fmt::format_to(std::back_inserter(out), "{:5}{:<5.5}{:>5.5}{:5}", label.residue_number % static_cast<int>(wrap),
                       label.residue, label.atom, (i + 1) % wrap);
        append_vector(out, structure.x[i], decimals);
        // Velocities have the same width and one digit more behind the point.
        if (!structure.v.empty()) {
            const Vec3d& v = structure.v[i];
            fmt::format_to(std::back_inserter(out), "{:{}.{}f}{:{}.{}f}{:{}.{}f}", v.x, decimals + 5, decimals + 1, v.y,
                           decimals + 5, decimals + 1, v.z, decimals + 5, decimals + 1);
        }
        out += '\n';
        if (out.size() > most_buffered) {
            stream << out;
            out.clear();
        }
    }
    append_box(out, structure.box);
    stream << out;
    stream.close();
    if (!stream) refuse(file, "writing failed");
}

}  // namespace mdsim
