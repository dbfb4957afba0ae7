# SPDX-License-Identifier: Apache-2.0
"""mdsim bench over ranks: what it reports under mpirun, and --ranks, which starts mpirun itself.

    test_bench_ranks.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, require  # noqa: E402

os.environ["OMP_WAIT_POLICY"] = "passive"
os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"
KINDS = ("halo_positions", "halo_forces", "mesh_halo", "mesh_transpose", "repartition", "output", "other")


def deck(source):
    return source / "inputs" / "water.inp"


def under_mpirun(program, folder, ranks, *arguments):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    command = [shutil.which("mpirun"), *root, "--oversubscribe", "--bind-to", "none", "-n", ranks, program.path,
               *arguments, "--threads", 1]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=300)
    require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def test_report_of_four_ranks(program, folder, source):
    report = json.loads(under_mpirun(program, folder, 4, "bench", "-i", deck(source), "--steps", 20, "--set",
                                     "hardware.mesh_ranks=0", "--json"))
    require(report["ranks"] == 4 and report["threads"] == 1, f"{report['ranks']} ranks, {report['threads']} threads")
    require(sum(report["home_atoms"]) == report["atoms"] == 2700, f"home atoms {report['home_atoms']}")
    require(len(report["memory"]["peak"]) == 4, f"memory of {len(report['memory']['peak'])} ranks")
    for kind in KINDS:
        sent = report["traffic"][kind]
        require(sent["messages"] <= sent["messages_largest"] + 1e-9 and sent["bytes"] <= sent["bytes_largest"] + 1e-9,
                f"the mean of {kind} is above the largest: {sent}")
    for kind in ("halo_positions", "halo_forces", "mesh_halo", "mesh_transpose"):
        require(report["traffic"][kind]["bytes"] > 0, f"nothing was sent as {kind}")
    require(report["traffic"]["reductions"] >= 1, "ranks agree on nothing")
    require(0 < report["communication"]["share"] <= report["communication"]["largest"] < 1, "shares of communication")
    require(all(ratio >= 1 - 1e-9 for ratio in report["imbalance"].values()), f"imbalance {report['imbalance']}")
    require(report["imbalance"]["work"] < 4, f"one rank does everything: {report['imbalance']}")


def test_text(program, folder, source):
    text = under_mpirun(program, folder, 2, "bench", "-i", deck(source), "--steps", 20)
    for word in ("2 ranks", "communication", "halo_positions", "reductions", "slowest rank"):
        require(word in text, f"the table does not speak of {word}\n{text}")
    require(text.count("ms/step") == 1, f"more than one rank speaks\n{text}")


def test_counts_are_compared(program, folder, source):
    arguments = ("bench", "-i", deck(source), "--steps", 20, "--ranks", "1,2", "--threads", 1)
    report = json.loads(program.run(folder, *arguments, "--json", expect=FINISHED).out)
    require([row["ranks"] for row in report["table"]] == [1, 2], f"the table has {report['table']}")
    for row, run in zip(report["table"], report["runs"]):
        require(run["ranks"] == row["ranks"] and run["threads"] == 1, f"{run['ranks']} ranks in place of {row}")
        speed = report["runs"][0]["ms_per_step"] / run["ms_per_step"]
        require(abs(row["speedup"] - speed) < 1e-9 * speed, f"the speed of {row} is not {speed}")
        require(abs(row["efficiency"] - speed / row["ranks"]) < 1e-9, f"the efficiency of {row}")
    text = program.run(folder, *arguments, expect=FINISHED).out
    require(len(text.splitlines()) == 3 and "efficiency" in text, f"not one table:\n{text}")


def test_errors(program, folder, source):
    for ranks in ("0", "1,1", "two", "1;2"):
        result = program.run(folder, "bench", "-i", deck(source), "--ranks", ranks, expect=INPUT)
        require("[MD116]" in result.err and "--ranks" in result.err, str(result))
    result = program.run(folder, "bench", "-i", folder / "no.inp", "--ranks", "1,2", expect=INPUT)
    require(result.err.count("error:") == 1 and "[MD111]" in result.err, str(result))
    result = program.run(folder, "bench", "-i", deck(source), "--ranks", "1,2", expect=INPUT,
                         variables={"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"})
    require("[MD116]" in result.err and "mpirun itself" in result.err, str(result))


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_report_of_four_ranks, test_text, test_counts_are_compared, test_errors])
