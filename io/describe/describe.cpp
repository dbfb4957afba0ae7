// SPDX-License-Identifier: Apache-2.0
#include "io/describe/describe.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/describe/kinds.h"

namespace mdsim {

namespace {

using nlohmann::json;

constexpr std::array kinds = {
    FileKind{is_topology, describe_topology},     FileKind{is_charmm_parameters, describe_charmm_parameters},
    FileKind{is_structure, describe_structure},   FileKind{is_checkpoint_file, describe_checkpoint},
    FileKind{is_trajectory, describe_trajectory},
};

FileHead read_head(const std::filesystem::path& file) {
    FileHead head{file, file.extension().string(), std::string(1024, '\0')};
    for (char& c : head.ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    std::error_code error;
    std::ifstream in(file, std::ios::binary);
    if (!in || std::filesystem::is_directory(file, error)) {
        throw_input_error({.code = "MD309",
                           .place = {file.string(), 0, 0},
                           .what = std::filesystem::exists(file, error) ? "this is no file that can be read"
                                                                        : "there is no such file",
                           .why = {},
                           .remedy = {}});
    }
    in.read(head.bytes.data(), static_cast<std::streamsize>(head.bytes.size()));
    head.bytes.resize(static_cast<std::size_t>(in.gcount()));
    return head;
}

std::string value_text(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.10g}", value.get<double>());
    if (!value.is_array()) return value.dump();
    std::string text;
    for (const json& entry : value) {
        if (!text.empty()) text += ", ";
        text += value_text(entry);
    }
    return text;
}

// The first of `all` rows, which need not be in the list themselves.
std::string rows_text(const json& rows, std::size_t all) {
    const std::size_t shown = std::min<std::size_t>(rows.size(), 20);
    std::string text;
    for (std::size_t n = 0; n < shown; ++n) {
        std::string line;
        for (const auto& [name, entry] : rows[n].items())
            line += fmt::format("{}{} {}", line.empty() ? "    " : ", ", name, value_text(entry));
        text += line + "\n";
    }
    return all > shown ? text + fmt::format("    and {} more\n", all - shown) : text;
}

std::string unit_of(const std::string& key) {
    if (key == "charge") return " e";
    if (key == "mass") return " u";
    if (key == "time") return " ps";
    return {};
}

}  // namespace

json describe_file(const std::filesystem::path& file) {
    const FileHead head = read_head(file);
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const FileKind& k) { return k.recognises(head); });
    if (kind == kinds.end()) {
        throw_input_error({.code = "MD309",
                           .place = {file.string(), 0, 0},
                           .what = "no format that mdsim knows has this name and this beginning",
                           .why = {},
                           .remedy = "see README.md for the formats; the name must end as the format's does"});
    }
    return kind->describe(head);
}

std::string describe_text(const json& facts) {
    std::string text;
    for (const auto& [key, value] : facts.items()) {
        std::string label = key;
        std::replace(label.begin(), label.end(), '_', ' ');
        if (value.is_object()) {
            text += label + ":\n";
            for (const auto& [name, entry] : value.items())
                text += fmt::format("    {:<24} {}\n", name, value_text(entry));
        } else if (key == "box") {
            text += "box [nm]:\n";
            for (const json& row : value) {
                text += fmt::format("    {:>12.6f} {:>12.6f} {:>12.6f}\n", row[0].get<double>(), row[1].get<double>(),
                                    row[2].get<double>());
            }
        } else if (value.is_array() && !value.empty() && value[0].is_object()) {
            text += label + ":\n";
            text += rows_text(value, facts.value(key == "molecule_types" ? "molecule_type_count" : "", value.size()));
        } else {
            text += fmt::format("{:<28} {}{}\n", label, value_text(value), unit_of(key));
        }
    }
    return text;
}

}  // namespace mdsim
