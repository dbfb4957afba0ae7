// SPDX-License-Identifier: Apache-2.0
#include "core/program_end.h"

#include <new>
#include <system_error>

namespace mdsim {

ProgramEnd end_of(const std::exception& error) {
    if (const auto* own = dynamic_cast<const Error*>(&error)) return {own->exit_code(), own->what()};
    const bool of_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    const bool of_system = dynamic_cast<const std::system_error*>(&error) != nullptr;
    Problem problem{.code = "MD900",
                    .what = error.what(),
                    .why = "this is an error in mdsim",
                    .remedy = "please report it with the input"};
    if (of_memory) {
        problem = {
            .code = "MD901", .what = "not enough memory", .remedy = "a machine with more memory, or a smaller system"};
    } else if (of_system) {
        problem = {.code = "MD601", .what = error.what(), .remedy = "check permissions and the room on the disk"};
    }
    return {of_system ? ExitCode::io_error : ExitCode::internal_error, to_text(problem)};
}

}  // namespace mdsim
