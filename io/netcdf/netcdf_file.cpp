// SPDX-License-Identifier: Apache-2.0
#include "io/netcdf/netcdf_file.h"

#include <algorithm>
#include <bit>
#include <fstream>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr int type_char = 2;
constexpr std::uint64_t tag_dimension = 10, tag_variable = 11, tag_attribute = 12;

/// Bytes of a value by its type; 0 where the format has no such type.
int size_of(int type) {
    constexpr int sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type >= 1 && type <= 11 ? sizes[type] : 0;
}

constexpr std::size_t most_of_header = std::size_t{1} << 20;

std::uint64_t padded(std::uint64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

}  // namespace

std::uint64_t NetcdfFile::Variable::bytes() const {
    std::uint64_t count = 1;
    for (std::size_t d = by_record() ? 1 : 0; d < shape.size(); ++d) count *= static_cast<std::uint64_t>(shape[d]);
    return count * static_cast<std::uint64_t>(size_of(type));
}

NetcdfFile::NetcdfFile(const std::filesystem::path& file, Part part) : file_(file.string()) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) refuse("the file cannot be opened");
    const auto size = static_cast<std::size_t>(in.tellg());
    bytes_.resize(part == Part::all ? size : std::min(size, most_of_header));
    in.seekg(0);
    if (!in.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()))) refuse("the file cannot be read");
    read_header();
}

void NetcdfFile::refuse(std::string what) const {
    throw_input_error({.code = "MD303", .place = {file_, 0, 0}, .what = std::move(what), .why = {}, .remedy = {}});
}

void NetcdfFile::need(std::uint64_t at, std::uint64_t bytes) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) {
        refuse(fmt::format("the NetCDF file ends at byte {} where more is due: it was cut off (truncated)",
                           bytes_.size()));
    }
}

std::uint64_t NetcdfFile::number(int bytes) {
    need(at_, static_cast<std::uint64_t>(bytes));
    std::uint64_t value = 0;
    for (int n = 0; n < bytes; ++n) value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
    return value;
}

std::string NetcdfFile::name() {
    const std::uint64_t length = count();
    need(at_, length);
    std::string text = bytes_.substr(at_, length);
    at_ += padded(length);
    return text;
}

void NetcdfFile::read_header() {
    if (!bytes_.starts_with("CDF") || bytes_.size() < 4) refuse("this is no NetCDF file");
    version_ = static_cast<unsigned char>(bytes_[3]);
    if (version_ != 1 && version_ != 2 && version_ != 5) {
        refuse(fmt::format("NetCDF of version {}, which mdsim does not know", version_));
    }
    at_ = 4;
    count();  // of records
    std::map<std::string, double> numbers;
    read_dimensions();
    read_attributes(texts_, numbers);
    read_variables();
}

void NetcdfFile::read_dimensions() {
    const std::uint64_t tag = number(4), entries = count();
    if (tag != 0 && tag != tag_dimension) refuse("the NetCDF header is broken where its dimensions are due");
    for (std::uint64_t n = 0; n < entries; ++n) {
        std::string dimension = name();
        dimensions_.emplace_back(std::move(dimension), static_cast<std::int64_t>(count()));
    }
}

void NetcdfFile::read_attributes(std::map<std::string, std::string>& texts, std::map<std::string, double>& numbers) {
    const std::uint64_t tag = number(4), entries = count();
    if (tag != 0 && tag != tag_attribute) refuse("the NetCDF header is broken where attributes are due");
    for (std::uint64_t n = 0; n < entries; ++n) {
        const std::string attribute = name();
        const int type = static_cast<int>(number(4));
        const std::uint64_t values = count();
        const std::uint64_t size = static_cast<std::uint64_t>(size_of(type));
        if (size == 0) refuse(fmt::format("attribute {} is of an unknown type {}", attribute, type));
        need(at_, values);
        need(at_, values * size);
        if (type == type_char) texts[attribute] = bytes_.substr(at_, values);
        if (type != type_char && values == 1) numbers[attribute] = value(type, at_);
        at_ += padded(values * size);
    }
}

void NetcdfFile::read_variables() {
    const std::uint64_t tag = number(4), entries = count();
    if (tag != 0 && tag != tag_variable) refuse("the NetCDF header is broken where its variables are due");
    for (std::uint64_t n = 0; n < entries; ++n) {
        const std::string variable_name = name();
        Variable variable;
        const std::uint64_t rank = count();
        need(at_, rank);
        for (std::uint64_t d = 0; d < rank; ++d) {
            const std::uint64_t id = count();
            if (id >= dimensions_.size()) refuse(fmt::format("variable {} has an unknown dimension", variable_name));
            variable.shape.push_back(dimensions_[id].second);
        }
        read_attributes(variable.texts, variable.numbers);
        variable.type = static_cast<int>(number(4));
        count();  // bytes of the values; the shape says the same
        variable.begin = number(version_ == 1 ? 4 : 8);
        if (size_of(variable.type) == 0) refuse(fmt::format("variable {} is of an unknown type", variable_name));
        variables_[variable_name] = std::move(variable);
    }
}

double NetcdfFile::value(int type, std::uint64_t at) const {
    std::uint64_t raw = 0;
    for (int n = 0; n < size_of(type); ++n)
        raw = raw << 8 | static_cast<unsigned char>(bytes_[at + static_cast<std::uint64_t>(n)]);
    switch (type) {
        case 1:
            return static_cast<std::int8_t>(raw);
        case 3:
            return static_cast<std::int16_t>(raw);
        case 4:
            return static_cast<std::int32_t>(raw);
        case 5:
            return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
        case 6:
            return std::bit_cast<double>(raw);
        case 10:
            return static_cast<double>(static_cast<std::int64_t>(raw));
        default:
            return static_cast<double>(raw);
    }
}

std::int64_t NetcdfFile::dimension(const std::string& name) const {
    const auto found =
        std::find_if(dimensions_.begin(), dimensions_.end(), [&](const auto& d) { return d.first == name; });
    return found == dimensions_.end() ? -1 : found->second;
}

std::string NetcdfFile::text(const std::string& attribute) const {
    const auto found = texts_.find(attribute);
    return found == texts_.end() ? std::string{} : found->second;
}

// A single record variable is not filled up to a multiple of four bytes.
std::uint64_t NetcdfFile::record_bytes() const {
    std::uint64_t sum = 0, variables = 0, single = 0;
    for (const auto& [name, variable] : variables_) {
        if (!variable.by_record()) continue;
        ++variables;
        single = variable.bytes();
        sum += padded(single);
    }
    return variables == 1 ? single : sum;
}

std::uint64_t NetcdfFile::records_begin() const {
    std::uint64_t begin = ~std::uint64_t{0};
    for (const auto& [name, variable] : variables_) {
        if (variable.by_record()) begin = std::min(begin, variable.begin);
    }
    return begin;
}

std::vector<double> NetcdfFile::values(const std::string& name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end()) refuse(fmt::format("the variable {} is missing", name));
    const Variable& variable = found->second;
    std::uint64_t count = 1;
    for (const std::int64_t length : variable.shape) {
        if (length <= 0) refuse(fmt::format("the variable {} is stored by record, as in a trajectory", name));
        count *= static_cast<std::uint64_t>(length);
        need(0, count);
    }
    const std::uint64_t size = static_cast<std::uint64_t>(size_of(variable.type));
    need(variable.begin, count * size);
    std::vector<double> values(count);
    for (std::uint64_t n = 0; n < count; ++n) values[n] = value(variable.type, variable.begin + n * size);
    return values;
}

}  // namespace mdsim
