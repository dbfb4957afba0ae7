# SPDX-License-Identifier: Apache-2.0
"""mdsim plan: its JSON, its script, its errors, and that it predicts one rank as bench measures it.

    test_plan.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, OUTPUT, dynamics, require  # noqa: E402

STAGE = dynamics("produce", 100, 'temperature = "300 K"\npressure = "1 bar"')
STEPS = 600


def system(folder, source):
    """900 waters that have been equilibrated."""
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "water" / f"water.{kind}", folder / f"box.{kind}")
    (folder / "run.inp").write_text(HEAD + OUTPUT + STAGE)


HEAD = """\
[system]
topology = "box.top"
coordinates = "box.gro"
velocities = "file"
"""


def plan_of(program, folder, *arguments):
    result = program.run(folder, "plan", "-i", "run.inp", "--json", *arguments, expect=FINISHED)
    return json.loads(result.out)


def test_json(program, folder, source):
    system(folder, source)
    plan = plan_of(program, folder, "--nodes", "1,2,4", "--cores-per-node", "16", "--price", "2 EUR", "--watts", "500 W")
    require([p["nodes"] for p in plan["plans"]] == [1, 2, 4], f"plans for {plan['plans']}")
    for p in plan["plans"]:
        require(p["ranks"] == p["nodes"] * p["ranks_per_node"], f"ranks of {p}")
        require(p["ranks_per_node"] * p["threads"] <= 16, f"more threads than cores in {p}")
        x, y, z = p["grid"]
        require(x * y * z == p["ranks"] - p["mesh_ranks"], f"the grid of {p}")
        parts = sum(p["parts"].values())
        require(abs(parts - p["ms_per_step"]) < 1e-6 * parts, f"the parts of {p} add up to {parts}")
        hours = 24 * p["nodes"] / p["ns_per_day"]
        require(abs(p["cost_per_ns"] - 2 * hours) < 1e-6 * hours, f"the price of {p}")
        require(abs(p["kwh_per_ns"] - 0.5 * hours) < 1e-6 * hours, f"the energy of {p}")
        require(0 < p["memory"]["rank"] <= p["memory"]["first_rank"] <= p["memory"]["node"], f"memory of {p}")
    require(plan["plans"][0]["scaling"] == 1.0, "the first plan is not what the others are compared with")
    require(0 < plan["plans"][0]["efficiency"] < 1, f"16 cores against one: {plan['plans'][0]['efficiency']}")
    require(0 <= plan["recommended"] < 3, f"recommended: {plan['recommended']}")
    require(plan["error"]["relative"] > 0, "no error is stated")
    require(harness.files_in(folder) == ["box.gro", "box.top", "run.inp"], f"files: {harness.files_in(folder)}")


def test_disk_is_what_a_run_writes(program, folder, source):
    system(folder, source)
    disk = plan_of(program, folder)["disk"]
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    written = sum((folder / f"run.{kind}").stat().st_size for kind in ("h5", "xtc", "trr", "dcd", "nc", "gro", "energies.csv"))
    require(0.7 < written / disk["outputs"] < 1.5, f"{written} bytes were written, {disk['outputs']} predicted")
    checkpoints = sum(path.stat().st_size for path in folder.glob("run.checkpoint*.h5"))
    require(0.7 < checkpoints / disk["checkpoints"] < 2.5, f"checkpoints: {checkpoints}, not {disk['checkpoints']}")


def test_one_rank_is_as_measured(program, folder, source):
    """Processor time of one thread, which other programs on the machine change by what they take of caches only."""
    system(folder, source)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    program.run(folder, "bench", "-i", "run.inp", "--steps", STEPS, expect=FINISHED, threads=1)
    measured = 1e3 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) / (STEPS + STEPS // 3)
    plan = plan_of(program, folder, "--threads", 1, "--cores-per-node", 1)["plans"][0]
    require(plan["ranks"] == 1 and plan["threads"] == 1, f"one core has {plan}")
    require(plan["efficiency"] == 1, f"the efficiency of one core is {plan['efficiency']}")
    ratio = plan["ms_per_step"] / measured
    require(1 / 1.7 < ratio < 1.7, f"predicted {plan['ms_per_step']} ms, measured {measured} ms")
    require(plan["traffic"]["halo_positions"]["bytes"] == 0, "one rank sends positions")
    return ratio


def test_script(program, folder, source):
    system(folder, source)
    (folder / "job.sbatch").write_text("kept\n")
    result = program.run(folder, "plan", "-i", "run.inp", "--nodes", 2, "--cores-per-node", 8, "--gpus-per-node", 2,
                         "--sbatch", "job.sbatch", expect=FINISHED)
    text = (folder / "job.sbatch").read_text()
    subprocess.run(["bash", "-n", "job.sbatch"], cwd=folder, check=True)
    require("recommended:" in result.out, str(result))
    for line in ("#SBATCH --nodes=2", "#SBATCH --ntasks-per-node=2", "#SBATCH --cpus-per-task=2",
                 "#SBATCH --gpus-per-node=2"):
        require(re.search(f"^{line}$", text, re.MULTILINE), f"the script lacks {line}\n{text}")
    kept = [path for path in folder.iterdir() if path.is_file() and path.read_text(errors="replace") == "kept\n"]
    require(len(kept) == 1, "what had the name of the script is gone")
    result = program.run(folder, "plan", "-i", "run.inp", "--sbatch", "run.inp", expect=INPUT)
    require("MD609" in result.err, str(result))


SRUN = """\
#!/bin/bash
while [ "$1" != mdsim ]; do echo "$1" >>srun.options; shift; done
shift
exec "$MDSIM" "$@" --quiet
"""
SCONTROL = """\
#!/bin/bash
echo "$@" >>scontrol.calls
exit 1
"""


def test_script_runs_until_finished(program, folder, source):
    """With an srun that starts one process: the first job is stopped and queued again, the second one finishes."""
    system(folder, source)
    (folder / "bin").mkdir()
    for name, text in (("srun", SRUN), ("scontrol", SCONTROL)):
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    program.run(folder, "plan", "-i", "run.inp", "--sbatch", "job.sbatch", "--set", "debug.stop_at_step=20",
                expect=FINISHED)
    again = (folder / "job.sbatch").read_text().replace("--set 'debug.stop_at_step=20'", "")
    (folder / "again.sbatch").write_text(again)
    slurm = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "MDSIM": program.path,
             "SLURM_CPUS_PER_TASK": "1", "SLURM_JOB_ID": "7"}

    def job(script):
        return subprocess.run(["bash", script], cwd=folder, env=slurm, capture_output=True, text=True, timeout=300)

    def requeues():
        """mdsim itself asks scontrol, too: when the job ends."""
        return (folder / "scontrol.calls").read_text().splitlines().count("requeue 7")

    stopped = job("job.sbatch")
    require(stopped.returncode == harness.STOPPED, f"exit {stopped.returncode}\n{stopped.stdout}{stopped.stderr}")
    require(requeues() == 1, "the job was not queued again")
    finished = job("again.sbatch")
    require(finished.returncode == FINISHED, f"exit {finished.returncode}\n{finished.stdout}{finished.stderr}")
    require(requeues() == 1, "a run that has finished was queued again")
    require((folder / "run.log").read_text().splitlines()[-2] == "finished", "the log does not say so")


def test_errors(program, folder, source):
    system(folder, source)
    cases = {
        ("--nodes", "1,0"): "--nodes",
        ("--nodes", ""): "--nodes",
        ("--latency", "2"): "--latency",
        ("--bandwidth", "12 GB"): "--bandwidth",
        ("--price", "free"): "--price",
        ("--watts", "-3 W"): "--watts",
        ("--watts", "500"): "--watts",
        ("--price", "2"): "--price",
        ("--nodes", "1000000000", "--cores-per-node", "1000000000"): "--nodes",
        ("--gpus-per-node", "4", "--cores-per-node", "2"): "--gpus-per-node",
    }
    for arguments, named in cases.items():
        result = program.run(folder, "plan", "-i", "run.inp", *arguments, expect=INPUT)
        require("[MD116]" in result.err and named in result.err and "try:" in result.err, str(result))
        require(result.out == "", f"something is printed before the error\n{result}")
    result = program.run(folder, "plan", "-i", "run.inp", "--nodes", "1", expect=INPUT,
                         variables={"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"})
    require("launcher" in result.err, str(result))


def test_one_process_on_each_host(program, folder, source):
    """What a launcher has started on other hosts is seen, too."""
    if shutil.which("mpirun") is None:
        return
    system(folder, source)
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    alone_here = ["env", "OMPI_COMM_WORLD_LOCAL_RANK=0", "OMPI_COMM_WORLD_LOCAL_SIZE=1"]
    done = subprocess.run(["mpirun", *root, "--oversubscribe", "-n", "2", *alone_here, program.path, "plan", "-i", "run.inp"],
                          cwd=folder, capture_output=True, text=True, timeout=120)
    require(done.returncode == INPUT and "[MD116]" in done.stderr, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    require("one of 2" in done.stderr and not done.stdout, f"{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    harness.main([test_json, test_disk_is_what_a_run_writes, test_one_rank_is_as_measured, test_script, test_script_runs_until_finished,
                  test_errors, test_one_process_on_each_host])
