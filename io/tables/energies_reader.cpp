// SPDX-License-Identifier: Apache-2.0
#include "io/tables/energies_reader.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "io/output/append_file.h"

namespace mdsim {

namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (;;) {
        const auto comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

// By the place of each name in the table; nothing where it has no such column.
std::vector<std::optional<std::size_t>> places_of(const std::vector<std::string>& names, const std::string& header) {
    const auto heads = fields_of(header);
    std::vector<std::optional<std::size_t>> places;
    for (const std::string& name : names) {
        const auto is_it = [&](std::string_view head) { return head.substr(0, head.find(" [")) == name; };
        const auto found = std::find_if(heads.begin(), heads.end(), is_it);
        places.emplace_back();
        if (found != heads.end()) places.back() = static_cast<std::size_t>(found - heads.begin());
    }
    return places;
}

double number(std::string_view text) {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

std::vector<std::vector<double>> read_energies(const std::filesystem::path& path, const std::vector<std::string>& names,
                                               std::uint64_t last_bytes) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!in) throw_system_error(path, "reading");
    std::getline(in, line);
    const auto places = places_of(names, line);
    std::error_code none;
    const std::uint64_t size = std::filesystem::file_size(path, none);
    if (last_bytes > 0 && size > last_bytes + line.size()) {
        in.seekg(static_cast<std::streamoff>(size - last_bytes));
        std::getline(in, line);  // from the middle of a row
    }
    std::vector<std::vector<double>> columns(names.size());
    while (std::getline(in, line) && !in.eof()) {
        const auto fields = fields_of(line);
        for (std::size_t n = 0; n < places.size(); ++n) {
            if (places[n] && *places[n] < fields.size()) columns[n].push_back(number(fields[*places[n]]));
        }
    }
    return columns;
}

}  // namespace mdsim
