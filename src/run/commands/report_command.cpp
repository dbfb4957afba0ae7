// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/output/append_file.h"
#include "parallel/threads.h"
#include "run/commands/commands.h"
#include "run/record/run_files.h"
#include "run/report/page.h"

namespace mdsim {

ExitCode report_command(const ReportOptions& options) {
    set_thread_count(options.threads);
    const RunPaths paths = require_run(options.run);
    std::filesystem::path output = options.output;
    if (output.empty()) output = paths.name + ".report.html";
    const std::string page = report::page_of(report::read_run_data(paths));
    // A report is made anew as often as one likes; what it shows is in other files.
    write_atomically(output, page);
    fmt::print("{}\n", output.string());
    return ExitCode::finished;
}

}  // namespace mdsim
