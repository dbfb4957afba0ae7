# SPDX-License-Identifier: Apache-2.0
"""What runs of several ranks do beside computing: they are stopped and continued with other numbers of ranks, end together when
one of them fails, and say what they cannot use.

    test_rank_runs.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, STOPPED, UNSTABLE, require  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
HEAD = '[system]\ntopology = "water.top"\ncoordinates = "water.gro"\nvelocities = "file"\n'
OUTPUT = '[output]\ntrajectory = { every = "20 steps", format = ["h5md"] }\nenergies = { every = "10 steps" }\n'
STAGE = '[[stage]]\nname = "produce"\nkind = "dynamics"\nduration = "{}"\ntimestep = "{}"\ntemperature = "300 K"\n{}\n'
ENVIRONMENT = {**os.environ, "OMP_WAIT_POLICY": "passive"}


def system(folder, source, text):
    folder.mkdir()
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "water" / f"water.{kind}", folder)
    (folder / "run.inp").write_text(text)
    return folder


def command_of(program, ranks, *arguments):
    start = [*LAUNCH, str(ranks)] if ranks > 1 else []
    return [*start, program.path, "-i", "run.inp", "--threads", "1", *arguments]


def run(program, folder, ranks, *arguments, expect=FINISHED):
    command = command_of(program, ranks, *arguments)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    require(done.returncode == expect, f"{' '.join(command)}\nexit {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
    return done


def test_continued_with_other_ranks(program, folder, source):
    """Langevin dynamics and volume trials, whose sums of heat are kept by rank."""
    coupling = 'integrator = "langevin"\npressure = "1 bar"\nbarostat = "monte-carlo"'
    text = HEAD + OUTPUT + STAGE.format("240 fs", "2 fs", coupling)
    reference = system(folder / "reference", source, text)
    run(program, reference, 1)
    other = system(folder / "other", source, text)
    run(program, other, 4, "--set", "debug.stop_at_step=35", expect=STOPPED)
    run(program, other, 1, "--set", "debug.stop_at_step=65", expect=STOPPED)
    run(program, other, 3, "--set", "debug.stop_at_step=90", "--set", 'debug.balance="forced"', expect=STOPPED)
    run(program, other, 2)
    require(harness.state_of(reference) == harness.state_of(other), "the states differ")
    for file in ("run.energies.csv",):
        require((reference / file).read_bytes() == (other / file).read_bytes(), f"{file} differ")


def test_signal(program, folder, source):
    """A signal to one rank stops all of them at the same step, with a checkpoint."""
    run_in = system(folder / "signal", source, HEAD + OUTPUT + STAGE.format("200 ps", "2 fs", ""))
    process = subprocess.Popen(command_of(program, 3, "--quiet"), cwd=run_in, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
    program.started.append(process)
    end = time.time() + 60
    while not (run_in / "run.energies.csv").exists() or len((run_in / "run.energies.csv").read_text().splitlines()) < 3:
        require(time.time() < end, "no step within a minute")
        time.sleep(0.1)
    ranks = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    os.kill(int(ranks[-1]), signal.SIGUSR1)
    require(process.wait(timeout=60) == STOPPED, "not stopped")
    lines = (run_in / "run.log").read_text().splitlines()
    require(lines[-2] == "stopped", "\n".join(lines[-3:]))
    step = int(harness.state_of(run_in)[0])
    run(program, run_in, 2, "--set", f"debug.stop_at_step={step + 5}", expect=STOPPED)


def test_failing_together(program, folder, source):
    """Physics that comes apart, found by one rank or by several, is said once and ends all."""
    apart = system(folder / "apart", source, HEAD + OUTPUT + STAGE.format("2 ps", "20 fs", ""))
    done = run(program, apart, 4, "--quiet", expect=UNSTABLE)
    require(done.stderr.count("error: [MD5") == 1, done.stderr)
    log = (apart / "run.log").read_text()
    require("stopped" in log.splitlines() and "error: [MD5" in log, log[-500:])
    wrong = system(folder / "wrong", source, "[system]\ntopology = \n")
    done = run(program, wrong, 3, expect=INPUT)
    require(done.stderr.count("error: [MD") == 1, done.stderr)
    done = run(program, wrong, 3, "--no-such-option", expect=INPUT)
    require(done.stderr.count("error: [MD100]") == 1, done.stderr)


def test_idle(program, folder, source):
    """More ranks than there is anything for: a line says how many are of use, and the numbers are those of one rank."""
    text = HEAD + '[forces]\nelectrostatics = "ewald"\nforce_error = 5e-3\n' + OUTPUT + STAGE.format("20 fs", "2 fs", "")
    states = []
    for ranks in (1, 3):
        run_in = system(folder / f"idle-{ranks}", source, text)
        done = run(program, run_in, ranks)
        states.append(harness.state_of(run_in))
    require("2 of 3 ranks stay idle: 1 is the largest useful number here" in done.stdout, done.stdout[-2000:])
    require(states[0] == states[1], f"the states differ: {states}")


def test_too_many_mesh_ranks(program, folder, source):
    """One rank must have atoms: a line says how many are set aside in place of all that were asked for."""
    run_in = system(folder / "aside", source, HEAD + OUTPUT + STAGE.format("4 fs", "2 fs", ""))
    done = run(program, run_in, 3, "--set", "hardware.mesh_ranks=7")
    require("2 for the mesh alone" in done.stdout, done.stdout[-2000:])
    require("hardware.mesh_ranks = 7: 2 of 3 ranks can be for the mesh alone" in done.stdout, done.stdout[-2000:])


def test_too_many_regions(program, folder, source):
    run_in = system(folder / "regions", source, HEAD + OUTPUT + STAGE.format("20 fs", "2 fs", ""))
    done = run(program, run_in, 2, "--set", "debug.ranks_grid=[3, 1, 1]", expect=INPUT)
    require("MD414" in done.stderr, done.stderr)


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_continued_with_other_ranks, test_signal, test_failing_together, test_idle,
                  test_too_many_mesh_ranks, test_too_many_regions])
