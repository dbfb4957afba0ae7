// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "parallel/threads.h"
#include "run/bench/launcher.h"
#include "run/bench/timed_stage.h"
#include "run/commands/commands.h"
#include "run/hardware/process_memory.h"
#include "run/output/result_file.h"
#include "run/plan/report/batch_script.h"
#include "run/plan/report/plan_report.h"

namespace mdsim {

namespace {

BatchJob job_of(const Input& input, const PlanOptions& options, const Layout& layout) {
    return {.name = input.output.name,
            .input = input.file,
            .log = input.output.directory / (input.output.name + ".log"),
            .overrides = options.common.overrides,
            .layout = layout};
}

}  // namespace

ExitCode plan_command(const PlanOptions& options) {
    require_started_alone("plan", "mdsim plan measures one process and computes the others", "leave the launcher out");
    const std::int64_t before = process_memory().resident;
    const PlanRequest request = parse_request(options.texts, processor_count());
    const Comm alone;
    Setup setup = open_setup(options.common, alone);
    const StageInput& stage = first_dynamics(setup);
    std::optional<ResultFile> script;
    if (!options.sbatch.empty()) script.emplace(options.sbatch, "--sbatch", setup.input);
    const Workload work = make_workload(setup, stage, setup.start.x);
    setup.input.debug.ranks_grid.reset();  // that of the ranks that are computed, not of this one
    const Calibration calibration = calibrate(setup, work, thread_count(), before);
    const std::vector<NodePlan> plans = make_plans(work, calibration, request, options.common.threads);
    const nlohmann::ordered_json report = to_json({work, calibration, request, plans, predict_disk(setup, stage)});
    if (options.json) {
        fmt::print("{}\n", report.dump(2));
    } else {
        for (const std::string& line : plan_text(report)) fmt::print("{}\n", line);
    }
    if (script) {
        script->write(batch_script(job_of(setup.input, options, plans[recommended(plans)].layout)));
        if (!options.json) fmt::print("{}: sbatch {}\n", script->path().string(), script->path().string());
    }
    return ExitCode::finished;
}

}  // namespace mdsim
