// SPDX-License-Identifier: Apache-2.0
#include "run/analysis/table_file.h"

#include <cstdio>

#include <fmt/format.h>

namespace mdsim {

namespace {

// Names with commas or quotes are quoted (RFC 4180).
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string as_text(const analyse::Field& field) {
    if (const auto* text = std::get_if<std::string>(&field)) return quoted(*text);
    if (const auto* number = std::get_if<std::int64_t>(&field)) return fmt::format("{}", *number);
    return fmt::format("{}", std::get<double>(field));
}

void append_field(std::string& line, const std::string& field) {
    if (!line.empty()) line += ',';
    line += field;
}

}  // namespace

TableFile::TableFile(std::filesystem::path path, const std::vector<std::string>& columns) : path_(std::move(path)) {
    if (!path_.empty()) {
        std::error_code none;
        std::filesystem::remove(unfinished(), none);
        file_ = std::make_unique<AppendFile>(AppendFile::create(unfinished()));
    }
    std::string line;
    for (const std::string& column : columns) append_field(line, quoted(column));
    write(line);
}

TableFile::~TableFile() {
    if (!file_) return;
    std::error_code none;
    std::filesystem::remove(unfinished(), none);
}

void TableFile::write(const std::string& line) {
    if (file_) {
        file_->append(line + "\n");
    } else {
        std::fputs((line + "\n").c_str(), stdout);
    }
}

void TableFile::add(const std::vector<analyse::Row>& rows) {
    for (const analyse::Row& row : rows) {
        std::string line;
        for (const analyse::Field& field : row) append_field(line, as_text(field));
        write(line);
    }
}

void TableFile::finish() {
    if (!file_) return;
    file_->sync();
    for (const auto& moved : move_aside({path_}))
        fmt::print(stderr, "{} existed and is now {}\n", path_.string(), moved.string());
    std::error_code failed;
    std::filesystem::rename(unfinished(), path_, failed);
    if (failed) {
        errno = failed.value();
        throw_system_error(path_, "renaming to");
    }
    file_.reset();
}

}  // namespace mdsim
