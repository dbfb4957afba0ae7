# SPDX-License-Identifier: Apache-2.0
"""mdsim watch: what it says of a run that goes on, was stopped, was killed, has failed and has finished."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness import FINISHED, HEAD, INPUT, OUTPUT, RELAX, STOPPED, dynamics, end, main, require, solution, wait_for  # noqa: E402


def watch(program, folder, *words, expect=FINISHED):
    done = subprocess.run([program.path, "watch", *map(str, words)], cwd=folder, capture_output=True, text=True)
    require(done.returncode == expect, f"watch {words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if expect == FINISHED else done.stderr


def state(program, folder, run="run"):
    return json.loads(watch(program, folder, run, "--json"))


def prepare(folder, steps):
    solution(folder, edge=6)
    stages = RELAX + dynamics("heat", 20, 'temperature = "300 K"') + dynamics("produce", steps, 'temperature = "300 K"')
    (Path(folder) / "run.inp").write_text(HEAD + OUTPUT + stages)


def test_finished_run(program, folder, source):
    prepare(folder, 60)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    now = state(program, folder)
    require(now["status"] == "finished" and now["step"] == 80, f"{now}")
    require((now["stage"], now["stages"], now["stage_name"]) == (3, 3, "produce"), f"{now}")
    require(now["ns_per_day"] > 0 and now["seconds_left"] == 0, f"{now}")
    text = watch(program, folder, "run")
    for name in ("temperature", "potential", "total", "conserved"):
        line = next((line for line in text.splitlines() if line.strip().startswith(name)), "")
        require(re.search("[\u2581-\u2588]{8,}", line), f"no course of the {name}:\n{text}")
    # Its other names.
    for name in ("run.inp", ".", "run.log", "run.energies.csv", Path(folder) / "run"):
        require(state(program, folder, name) == now, f"watch {name} says something else")
    # A longer last stage is known once there is a checkpoint of it.
    (folder / "run.inp").write_text((folder / "run.inp").read_text().replace('"120 fs"', '"200 fs"'))
    program.run(folder, "-i", "run.inp", "--set", "debug.stop_at_step=100", expect=STOPPED)
    now = state(program, folder)
    require(now["status"] == "stopped" and (now["step"], now["stage_last_step"]) == (100, 120), f"{now}")
    require("mdsim -i" in watch(program, folder, "run"), "it does not say how to go on")


def test_running_stopped_and_killed(program, folder, source):
    prepare(folder, 2000000)
    process = program.start(folder, "-i", "run.inp", "--set", 'output.checkpoint.every="200 steps"')
    log = folder / "run.log"
    wait_for(lambda: log.exists() and "stage 3 of 3" in log.read_text(), 240, "stage 3")
    seen = []
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and len(set(seen)) < 4:
        now = state(program, folder)
        require(now["status"] == "running" and f"process {process.pid} " in now["owner"], f"{now}")
        seen.append(now["step"])
        require("running" in watch(program, folder, "run"), "the view of a running run")
        time.sleep(0.1)
    require(seen == sorted(seen) and len(set(seen)) >= 4, f"steps {seen}")
    wait_for(lambda: state(program, folder).get("checkpoint_step", 0) > 0, 120, "a checkpoint")
    now = state(program, folder)
    require(now["stage_last_step"] == 2000020 and now["seconds_left"] > 0, f"{now}")
    end(process, signal.SIGKILL)
    now = state(program, folder)
    require(now["status"] == "interrupted" and now["step"] >= now["checkpoint_step"] > 0, f"{now}")
    text = watch(program, folder, "run")
    require("kill" in text and "mdsim -i" in text, f"the view of a killed run:\n{text}")
    process = program.start(folder, "-i", "run.inp", "--set", 'output.checkpoint.every="200 steps"')
    wait_for(lambda: state(program, folder)["status"] == "running", 120, "its continuation")
    wait_for(lambda: state(program, folder)["step"] > now["step"], 120, "its progress")
    end(process, signal.SIGTERM)
    now = state(program, folder)
    require(now["status"] == "stopped", f"{now}")
    require("stopping on signal 15" in watch(program, folder, "run"), "why it stopped")


def test_half_a_line(program, folder, source):
    """Files as they are while they are being written, cut at any byte."""
    prepare(folder, 60)
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    log, table = (folder / "run.log").read_bytes(), (folder / "run.energies.csv").read_bytes()
    before = -1
    for share in range(0, 101, 4):
        (folder / "run.log").write_bytes(log[: len(log) * share // 100])
        (folder / "run.energies.csv").write_bytes(table[: len(table) * share // 100])
        now = state(program, folder)
        require(now["status"] == ("finished" if share == 100 else "interrupted"), f"{share} %: {now}")
        require(now["step"] >= before, f"{share} %: step {now['step']} after {before}")
        before = now["step"]
        watch(program, folder, "run")


def test_failed_and_unknown(program, folder, source):
    prepare(folder, 60)
    program.run(folder, "-i", "run.inp", "--set", 'stage.heat.timestep="20 fs"', "--set", 'stage.heat.duration="4 ps"',
                "--set", 'stage.heat.thermostat="none"')
    if "error:" in (folder / "run.log").read_text():
        require(state(program, folder)["status"] == "failed", f"{state(program, folder)}")
        require("[MD5" in watch(program, folder, "run"), "the error is not shown")
    require("[MD118]" in watch(program, folder, "walk", expect=INPUT), "a run that is not there")
    empty = folder / "empty"
    empty.mkdir()
    require("[MD118]" in watch(program, folder, empty, expect=INPUT), "a folder without a run")


if __name__ == "__main__":
    main([test_finished_run, test_running_stopped_and_killed, test_half_a_line, test_failed_and_unknown])
