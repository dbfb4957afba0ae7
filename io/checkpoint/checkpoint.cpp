// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/version.h"
#include "io/hdf5/transaction.h"
#include "system/fields/atom_fields.h"
#include "system/state_hash.h"

namespace mdsim {

namespace {

// Version 2 knows no CouplingState::heat: what friction and noise did is part of thermostat_work there.
constexpr std::int64_t format_version = 3, oldest_version = 2;
constexpr std::size_t integers_of_version_2 = 8, integers_now = 10;

// The user block, the first bytes of the file that HDF5 leaves alone. All of the file is tested before HDF5 sees it:
// HDF5 1.10 can loop for ever over bytes that are damaged.
constexpr std::size_t seal_size = 512;
constexpr std::string_view magic = "mdsim checkpoint";
struct Seal {
    std::array<char, magic.size()> name{};
    std::uint64_t length = 0;    // of the file
    std::uint64_t checksum = 0;  // of all bytes of the file but these eight
};

std::uint64_t checksum_of(std::string_view file) {
    Checksum sum;
    sum.add(file.substr(0, offsetof(Seal, checksum)));
    sum.add(file.substr(sizeof(Seal)));
    return sum.value();
}

void seal(std::string& file) {
    Seal head{.length = file.size()};
    std::copy(magic.begin(), magic.end(), head.name.begin());
    std::memcpy(file.data(), &head, sizeof head);
    head.checksum = checksum_of(file);
    std::memcpy(file.data(), &head, sizeof head);
}

// Why this is no whole checkpoint; empty where it is one.
std::string fault_of(std::string_view file) {
    if (!is_checkpoint(file))
        return "it does not begin as one; those of development versions before 0.1.0 are not read";
    if (file.size() < seal_size) return "it was cut short";
    Seal head;
    std::memcpy(&head, file.data(), sizeof head);
    if (head.length != file.size()) return fmt::format("it has {} bytes and should have {}", file.size(), head.length);
    return head.checksum == checksum_of(file) ? "" : "its checksum is wrong";
}

std::span<const double> as_doubles(const std::vector<Vec3d>& v) {
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    return {reinterpret_cast<const double*>(v.data()), 3 * v.size()};
}

std::vector<Vec3d> as_vectors(const std::vector<double>& numbers) {
    std::vector<Vec3d> v(numbers.size() / 3);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    return v;
}

std::string data_set_of(const AtomField& field) {
    return fmt::format("/checkpoint/{}", field.name);
}

void put(std::vector<double>& out, const Mat3d& m) {
    for (const Vec3d& row : m) out.insert(out.end(), {row.x, row.y, row.z});
}

Mat3d matrix(const std::vector<double>& numbers, std::size_t first) {
    Mat3d m;
    for (std::size_t a = 0; a < 3; ++a)
        m[a] = {numbers[first + 3 * a], numbers[first + 3 * a + 1], numbers[first + 3 * a + 2]};
    return m;
}

// A 128-bit sum as two 64-bit words, the lower one first.
std::array<std::int64_t, 2> halves(fixed::EnergySum::Wide units) {
    return {static_cast<std::int64_t>(units), static_cast<std::int64_t>(units >> 64)};
}
fixed::EnergySum::Wide whole(std::int64_t low, std::int64_t high) {
    return static_cast<fixed::EnergySum::Wide>(high) << 64 | static_cast<std::uint64_t>(low);
}

// 64-bit words are stored as signed integers of the same bits.
std::int64_t as_signed(std::uint64_t word) {
    return std::bit_cast<std::int64_t>(word);
}

std::string outputs_as_text(const std::vector<OutputMark>& outputs) {
    nlohmann::json list = nlohmann::json::array();
    for (const OutputMark& mark : outputs) list.push_back({mark.path, mark.length, mark.checksum});
    return list.dump();
}

void fill(h5::File& file, const Checkpoint& c) {
    const CouplingState& coupling = c.state.coupling;
    std::vector<double> scalars{c.state.time,           c.stage_start_time,   coupling.thermostat_work,
                                coupling.barostat_work, coupling.volume_step, c.state.box.periodic() ? 1.0 : 0.0};
    put(scalars, coupling.pending_box_move);
    put(scalars, c.state.box.rows());
    const std::array<std::int64_t, 2> heat = halves(coupling.heat.units());
    const std::vector<std::int64_t> integers{
        format_version,    c.state.step,    c.stage,           c.stage_start_step,
        as_signed(c.seed), coupling.trials, coupling.accepted, as_signed(state_hash(c.state)),
        heat[0],           heat[1]};
    file.write("/checkpoint/integers", integers, {integers.size()});
    file.write("/checkpoint/scalars", scalars, {scalars.size()});
    for (const AtomField& field : atom_fields) {
        const std::vector<Vec3d>& values = c.state.*field.values;
        file.write(data_set_of(field), as_doubles(values), {values.size(), 3});
    }
    file.write("/checkpoint/input", c.input);
    file.write("/checkpoint/outputs", outputs_as_text(c.outputs));
    file.write("/checkpoint/system", nlohmann::json(c.system).dump());
    file.write("/checkpoint/written_by", fmt::format("mdsim {} ({})", version, revision));
    nlohmann::json names = nlohmann::json::array();
    for (const auto& [name, values] : c.numbers) {
        file.write(fmt::format("/checkpoint/numbers/{}", names.size()), values, {values.size()});
        names.push_back(name);
    }
    file.write("/checkpoint/names", names.dump());
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& path, const std::string& why) {
    throw_io_error({.code = "MD605",
                    .place = {path.string()},
                    .what = "this is not a whole checkpoint: " + why,
                    .remedy = "put another copy of it in its place, or start over with --restart"});
}

Checkpoint parse(const h5::File& file) {
    Checkpoint c;
    const auto integers = file.read_integers("/checkpoint/integers");
    const auto scalars = file.read_doubles("/checkpoint/scalars");
    const bool has_heat = integers.size() == integers_now && integers[0] == format_version;
    const bool of_version_2 = integers.size() == integers_of_version_2 && integers[0] == oldest_version;
    if ((!has_heat && !of_version_2) || scalars.size() != 24) {
        throw_unreadable(file.path(), "it has another layout");
    }
    c.state.step = integers[1];
    c.stage = integers[2];
    c.stage_start_step = integers[3];
    c.seed = std::bit_cast<std::uint64_t>(integers[4]);
    c.state.time = scalars[0];
    c.stage_start_time = scalars[1];
    CouplingState& coupling = c.state.coupling;
    coupling = {.thermostat_work = scalars[2],
                .barostat_work = scalars[3],
                .pending_box_move = matrix(scalars, 6),
                .volume_step = scalars[4],
                .trials = integers[5],
                .accepted = integers[6]};
    if (has_heat) coupling.heat.add_wide(whole(integers[8], integers[9]));
    if (scalars[5] != 0.0) c.state.box = Box::from_rows(matrix(scalars, 15));
    for (const AtomField& field : atom_fields) {
        c.state.*field.values = as_vectors(file.read_doubles(data_set_of(field)));
    }
    c.input = file.read_text("/checkpoint/input");
    for (const auto& mark : nlohmann::json::parse(file.read_text("/checkpoint/outputs"))) {
        c.outputs.push_back({mark.at(0), mark.at(1), mark.at(2)});
    }
    c.system = nlohmann::json::parse(file.read_text("/checkpoint/system")).get<decltype(c.system)>();
    std::size_t index = 0;
    for (const auto& name : nlohmann::json::parse(file.read_text("/checkpoint/names"))) {
        c.numbers[name] = file.read_doubles(fmt::format("/checkpoint/numbers/{}", index++));
    }
    return c;
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw_system_error(path, "opening");
    std::string bytes(std::filesystem::file_size(path), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
}

}  // namespace

bool is_checkpoint(std::string_view first_bytes) {
    return first_bytes.starts_with(magic);
}

void write_checkpoint(const CheckpointPaths& paths, const Checkpoint& checkpoint) {
    const std::filesystem::path fresh = paths.newest.string() + ".new";
    std::string bytes = h5::make_image(fresh, seal_size, [&](h5::File& file) { fill(file, checkpoint); });
    seal(bytes);
    write_new_file(fresh, [&] {
        AppendFile file = AppendFile::create(fresh);
        file.append(bytes);
        file.sync();
    });
    const auto rename = [](const std::filesystem::path& from, const std::filesystem::path& to) {
        if (::rename(from.c_str(), to.c_str()) != 0) throw_system_error(to, "renaming");
    };
    if (std::filesystem::exists(paths.newest)) rename(paths.newest, paths.previous);
    rename(fresh, paths.newest);
    sync_to_disk(paths.newest.has_parent_path() ? paths.newest.parent_path() : ".");
}

Checkpoint read_checkpoint_file(const std::filesystem::path& path) {
    try {
        const std::string bytes = bytes_of(path);
        if (const std::string fault = fault_of(bytes); !fault.empty()) throw_unreadable(path, fault);
        Checkpoint checkpoint;
        h5::read_image(path, bytes, [&](const h5::File& file) { checkpoint = parse(file); });
        return checkpoint;
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        throw_unreadable(path, e.what());
    }
}

std::optional<Checkpoint> read_checkpoint(const CheckpointPaths& paths, std::vector<std::string>& warnings) {
    std::string unreadable;
    for (const auto& path : {paths.newest, paths.previous}) {
        if (!std::filesystem::exists(path)) continue;
        try {
            Checkpoint checkpoint = read_checkpoint_file(path);
            if (!unreadable.empty())
                warnings.push_back(
                    fmt::format("{}: going on from {}, at step {}", unreadable, path.string(), checkpoint.state.step));
            return checkpoint;
        } catch (const Error& error) {
            if (!unreadable.empty()) unreadable += "; ";
            unreadable += fmt::format("{} cannot be read ({})", path.string(), error.problems().front().what);
        }
    }
    if (unreadable.empty()) return std::nullopt;
    throw_io_error({.code = "MD605",
                    .what = unreadable,
                    .why = "there is nothing to continue from",
                    .remedy = "put a whole checkpoint in its place, or start over with --restart (the old outputs are "
                              "kept aside)"});
}

}  // namespace mdsim
