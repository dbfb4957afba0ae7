// SPDX-License-Identifier: Apache-2.0
#include "run/plan/report/batch_script.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace mdsim {

namespace {

// Slurm takes a comment's words as they are: what is no plain letter or digit becomes one.
std::string job_name(std::string name) {
    const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; };
    std::replace_if(
        name.begin(), name.end(), [&](char c) { return !plain(c); }, '_');
    return name;
}

std::string resources(const Layout& layout) {
    std::string text = fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n#SBATCH --cpus-per-task={}\n",
                                   layout.nodes, layout.ranks_per_node, layout.threads);
    if (layout.gpus_per_node > 0) text += fmt::format("#SBATCH --gpus-per-node={}\n", layout.gpus_per_node);
    return text;
}

}  // namespace

std::string quoted(const std::string& text) {
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'') {
            word += "'\\''";
        } else {
            word += c;
        }
    }
    return word + "'";
}

BatchJob batch_job(const Input& input, const Layout& layout) {
    return {input.output.name, input.file, input.output.directory / (input.output.name + ".log"), layout};
}

std::string batch_script(const BatchJob& job) {
    const std::string name = job_name(job.name);
    std::string mesh;
    if (job.layout.mesh_ranks > 0) mesh = fmt::format(" --set hardware.mesh_ranks={}", job.layout.mesh_ranks);
    return fmt::format(R"(#!/bin/bash
# Written by mdsim plan. Submit it where the paths below are right: sbatch FILE
#SBATCH --job-name={name}
{resources}#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={name}.slurm-%j.out
#SBATCH --signal=B:USR1@180

input={input}
log={log}

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK

# A signal to this script goes on to the run, which then writes a checkpoint and ends with 75.
stop() {{ kill -USR1 "$run" 2>/dev/null; }}
trap stop USR1 TERM

srun --mpi=pmix --cpus-per-task="$SLURM_CPUS_PER_TASK" mdsim -i "$input" --threads "$SLURM_CPUS_PER_TASK"{mesh} &
run=$!
wait "$run"; code=$?
while kill -0 "$run" 2>/dev/null; do wait "$run"; code=$?; done   # a trapped signal ends a wait early

# srun can say 0 although a node died: only the log tells that all stages are done.
if tail -n 2 "$log" | grep -qx finished; then exit 0; fi
if [ "$code" -eq 75 ] || [ "$code" -eq 0 ]; then
    echo "not finished: the job is queued again"
    scontrol requeue "$SLURM_JOB_ID"
    exit 75
fi
exit "$code"
)",
                       fmt::arg("name", name), fmt::arg("resources", resources(job.layout)),
                       fmt::arg("input", quoted(job.input.string())), fmt::arg("log", quoted(job.log.string())),
                       fmt::arg("mesh", mesh));
}

}  // namespace mdsim
