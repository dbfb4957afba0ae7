// SPDX-License-Identifier: Apache-2.0
#include "run/plan/report/batch_script.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "run/plan/report/until_finished.h"

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

// From the first line on that is no comment.
std::string without_heading(std::string text) {
    while (text.starts_with('#')) text.erase(0, text.find('\n') + 1);
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

std::string batch_script(const BatchJob& job) {
    const Layout& layout = job.layout;
    std::string text = fmt::format(
        "#!/bin/bash\n# Written by mdsim plan: submit it with sbatch where the paths below are right.\n"
        "#SBATCH --job-name={}\n{}#SBATCH --time=24:00:00\n#SBATCH --requeue\n#SBATCH --open-mode=append\n"
        "#SBATCH --output=%x.%j.out\n#SBATCH --signal=B:USR1@300\n\n",
        job_name(job.name), resources(layout));
    text += fmt::format("set -- {} \\\n    srun --mpi=pmix --cpus-per-task=\"$SLURM_CPUS_PER_TASK\"{} mdsim -i {}",
                        quoted(job.log.string()), layout.ranks() > 1 ? " --kill-on-bad-exit=1 --wait=30" : "",
                        quoted(job.input.string()));
    for (const std::string& key : job.overrides) text += " --set " + quoted(key);
    if (layout.mesh_ranks > 0) text += fmt::format(" --set hardware.mesh_ranks={}", layout.mesh_ranks);
    return text + "\n\n# As in examples/slurm/until_finished.sh:\n" + without_heading(until_finished);
}

}  // namespace mdsim
