// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "parallel/threads.h"
#include "run/bench/timed_stage.h"
#include "run/commands/commands.h"
#include "run/hardware/local_rank.h"
#include "run/hardware/process_memory.h"
#include "run/output/result_file.h"
#include "run/plan/report/batch_script.h"
#include "run/plan/report/plan_report.h"

namespace mdsim {

namespace {

void require_alone() {
    const LocalRank here = local_rank([](const char* name) { return std::getenv(name); });
    if (here.size == 1) return;
    throw_input_error(
        {.code = "MD116",
         .place = {"plan"},
         .what = fmt::format("this process is one of {} that a launcher has started ({})", here.size, here.source),
         .why = "mdsim plan measures one process and computes the others",
         .remedy = "leave the launcher out"});
}

}  // namespace

ExitCode plan_command(const PlanOptions& options) {
    require_alone();
    const std::int64_t before = process_memory().resident;
    const PlanRequest request = parse_request(options.texts, processor_count());
    Setup setup = open_setup(options.common);
    const StageInput& stage = first_dynamics(setup);
    std::optional<ResultFile> script;
    if (!options.sbatch.empty()) script.emplace(options.sbatch, "--sbatch", setup.input);
    const Workload work = make_workload(setup, stage);
    const Calibration calibration = calibrate(setup, work, thread_count(), before);
    const std::vector<NodePlan> plans = make_plans(work, calibration, request, options.common.threads);
    const nlohmann::ordered_json report = to_json({work, calibration, request, plans, predict_disk(setup, stage)});
    if (options.json) {
        fmt::print("{}\n", report.dump(2));
    } else {
        for (const std::string& line : plan_text(report)) fmt::print("{}\n", line);
    }
    if (script) {
        const NodePlan& plan = plans[recommended(plans)];
        script->write(batch_script(batch_job(setup.input, plan.layout)));
        if (!options.json) fmt::print("{}: sbatch {}\n", script->path().string(), script->path().string());
    }
    return ExitCode::finished;
}

}  // namespace mdsim
