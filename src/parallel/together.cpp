// SPDX-License-Identifier: Apache-2.0
#include "parallel/together.h"

#include <string>
#include <vector>

namespace mdsim {

namespace {

// Each field ended by a zero, which no message has in it.
Bytes packed(const Error& error) {
    Bytes bytes;
    const auto put = [&](const std::string& field) {
        for (const char c : field) bytes.push_back(static_cast<std::byte>(c));
        bytes.push_back(std::byte{0});
    };
    put(std::to_string(static_cast<int>(error.exit_code())));
    for (const Problem& p : error.problems()) {
        put(p.code);
        put(p.place.file);
        put(std::to_string(p.place.line));
        put(std::to_string(p.place.column));
        put(p.what);
        put(p.why);
        put(p.remedy);
    }
    return bytes;
}

Error unpacked(const Bytes& bytes) {
    std::size_t at = 0;
    const auto text = [&] {
        std::string field;
        while (bytes[at] != std::byte{0}) field.push_back(static_cast<char>(bytes[at++]));
        ++at;
        return field;
    };
    const auto number = [&] { return std::stoi(text()); };
    const auto exit = static_cast<ExitCode>(number());
    std::vector<Problem> problems;
    while (at < bytes.size()) {
        Problem p;
        p.code = text();
        p.place.file = text();
        p.place.line = number();
        p.place.column = number();
        p.what = text();
        p.why = text();
        p.remedy = text();
        problems.push_back(std::move(p));
    }
    return {exit, std::move(problems)};
}

}  // namespace

void throw_together(const Comm& comm, const std::optional<Error>& failure) {
    if (comm.alone()) {
        if (failure) throw Error(*failure);
        return;
    }
    std::int64_t failed = failure ? 1 : 0;
    comm.max(std::span(&failed, 1));
    if (failed == 0) return;
    for (const Bytes& bytes : comm.gather_to_all(failure ? packed(*failure) : Bytes())) {
        if (!bytes.empty()) throw unpacked(bytes);
    }
}

}  // namespace mdsim
