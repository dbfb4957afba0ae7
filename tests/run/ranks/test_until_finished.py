# SPDX-License-Identifier: Apache-2.0
"""examples/slurm/until_finished.sh without Slurm: a script plays scontrol. tests/slurm has the real one.

    test_until_finished.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, IO, STOPPED, UNSTABLE, require  # noqa: E402

STAGES = harness.RELAX + harness.dynamics("produce", 20, 'temperature = "300 K"')


def job(program, folder, source, *command):
    """One job of the run: its exit code, and whether it wants to be queued again. Slurm's answer ends a real one."""
    tools = folder / "tools"
    if not tools.exists():
        tools.mkdir()
        (tools / "scontrol").write_text('#!/bin/sh\necho "$@" >>requeued\nexit 1\n')
        (tools / "scontrol").chmod(0o755)
        shutil.copy(source / "examples" / "slurm" / "until_finished.sh", folder)
    (folder / "requeued").unlink(missing_ok=True)
    path = f"{tools}:{Path(program.path).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "until_finished.sh", "run.log", *command], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PATH": path, "SLURM_JOB_ID": "7"},
    )
    asked = folder / "requeued"  # mdsim asks scontrol for the job's end, too
    return done.returncode, asked.exists() and "requeue 7" in asked.read_text().splitlines(), done.stdout


def prepare(folder):
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(harness.HEAD + harness.OUTPUT + STAGES)


def test_until_it_has_finished(program, folder, source):
    prepare(folder)
    run = ("mdsim", "-i", "run.inp", "--threads", "2", "--quiet")
    for step in (5, 10):
        code, again, text = job(program, folder, source, *run, "--set", f"debug.stop_at_step={step}")
        require(again and code == STOPPED, f"exit {code}, asked to be queued again: {again}\n{text}")
    # srun that has not noticed the death of a host.
    require(job(program, folder, source, "true")[1], "0 was believed, and the run has not finished")
    code, again, text = job(program, folder, source, *run)
    require(code == FINISHED and not again, f"exit {code}, asked to be queued again: {again}\n{text}")
    require(not (folder / "run.requeues").exists(), "a file was left behind")


def test_errors_are_not_repeated(program, folder, source):
    prepare(folder)
    for code in (harness.INPUT, UNSTABLE, IO):
        got, again, text = job(program, folder, source, "sh", "-c", f"exit {code}")
        require(got == code and not again, f"exit {got}, asked to be queued again: {again}\n{text}")


def test_no_progress(program, folder, source):
    prepare(folder)
    for n in range(5):
        code, again, text = job(program, folder, source, "sh", "-c", "exit 75")
        require(again == (n < 4), f"job {n + 1}: asked to be queued again: {again}\n{text}")
    require(code == harness.INTERNAL and "no progress" in text, f"exit {code}\n{text}")


if __name__ == "__main__":
    harness.main([test_until_it_has_finished, test_errors_are_not_repeated, test_no_progress])
