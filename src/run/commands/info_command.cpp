// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/describe/describe.h"
#include "run/commands/commands.h"

namespace mdsim {

ExitCode info_command(const std::filesystem::path& file, bool json) {
    const nlohmann::json facts = describe_file(file);
    fmt::print("{}", json ? facts.dump(2) + "\n" : describe_text(facts));
    return ExitCode::finished;
}

}  // namespace mdsim
