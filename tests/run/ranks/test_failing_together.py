# SPDX-License-Identifier: Apache-2.0
"""Ranks end together: by an error of all or of one, by a signal to one, when one is killed or stands still. One message,
mdsim's exit code, and a checkpoint from which any number of ranks goes on.

    test_failing_together.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import (  # noqa: E402
    FINISHED, HEAD, INPUT, INTERNAL, IO, OUTPUT, RELAX, STAND_STILL, STOPPED, UNSTABLE, dynamics, require,
)

STEPS = 400
HELD = 110  # the step before which ranks stand still, until what is to happen to them has been done
PRODUCE = dynamics("produce", STEPS, 'temperature = "300 K"\npressure = "1 bar"')
CHECKPOINTS = ("--set", 'output.checkpoint.every="20 steps"')
SECONDS = 30  # in which all must have ended, on a machine with other work


def prepare(folder, stages=RELAX + PRODUCE):
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD + OUTPUT + stages)


def start(program, folder, ranks, *arguments):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", ranks, program.path,
               *arguments, "--threads", 1]
    with open(folder / "messages.txt", "wb") as messages:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdout=messages, stderr=messages)
    program.started.append(process)
    return process


def start_and_hold(program, folder, ranks, *arguments, step=HELD):
    """mpirun, and its ranks by number, which stand still at that step."""
    with open(folder / "run.inp", "a") as file:
        file.write(STAND_STILL.format(step))
    process = start(program, folder, ranks, *arguments)
    return process, harness.wait_until_still(folder, ranks)


def messages_of(folder):
    return (folder / "messages.txt").read_text(errors="replace")


def end_of(process, folder, seconds=SECONDS):
    """The exit code of mpirun. No rank is left."""
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise harness.Failure(f"not all had ended after {seconds} s\n{messages_of(folder)}") from None
    require(not harness.ranks_in(folder), f"ranks are left\n{messages_of(folder)}")
    return code


def require_errors(folder, code, count=1):
    text = messages_of(folder)
    require(text.count("error: [") == count and text.count(f"error: [{code}]") == count, f"not one {code}\n{text}")


def require_goes_on(program, folder, reference):
    program.run(folder, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    require(harness.state_of(folder) == harness.state_of(reference), "another end than that without interruption")
    harness.require_same_bytes(reference / "run.xtc", folder / "run.xtc")


def uninterrupted(program, folder):
    reference = folder / "reference"
    reference.mkdir()
    prepare(reference)
    program.run(reference, "-i", "run.inp", *CHECKPOINTS, expect=FINISHED)
    run = folder / "run"
    run.mkdir()
    prepare(run)
    return reference, run


def test_input_error(program, folder, source):
    """Only the first rank reads the input."""
    prepare(folder, RELAX + 'key = "unknown"\n')
    process = start(program, folder, 3, "-i", "run.inp")
    require(end_of(process, folder) == INPUT, messages_of(folder))
    require_errors(folder, "MD101")


def test_unstable(program, folder, source):
    """All ranks find out in the same step."""
    prepare(folder, RELAX + PRODUCE.replace("2 fs", "40 fs").replace(f"{2 * STEPS} fs", "40 ps"))
    process = start(program, folder, 3, "-i", "run.inp", "--set", 'system.constraints="none"')
    require(end_of(process, folder, 120) == UNSTABLE, messages_of(folder))
    require(messages_of(folder).count("error: [MD5") == 1, messages_of(folder))
    require((folder / "run.log").read_text().splitlines()[-2] == "stopped", "the log does not end as it should")


def test_one_rank_fails(program, folder, source):
    """The others wait for its messages."""
    prepare(folder, RELAX + dynamics("produce", 100000, 'temperature = "300 K"'))
    process, ranks = start_and_hold(program, folder, 3, "-i", "run.inp", "--set", "debug.list_every=1")
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        resource.prlimit(ranks[2], limit, (1 << 20, 1 << 20))
    harness.send(ranks, signal.SIGCONT)
    require(end_of(process, folder, 60) == INTERNAL, messages_of(folder))
    require_errors(folder, "MD901")


def test_rank_killed(program, folder, source):
    reference, run = uninterrupted(program, folder)
    process, ranks = start_and_hold(program, run, 3, "-i", "run.inp", *CHECKPOINTS)
    os.kill(ranks[2], signal.SIGKILL)
    harness.send(ranks, signal.SIGCONT)
    require(end_of(process, run) == 128 + signal.SIGKILL, messages_of(run))
    require_goes_on(program, run, reference)


def test_signals(program, folder, source):
    """To one of the ranks, or to all by mpirun."""
    reference, run = uninterrupted(program, folder)
    process, ranks = start_and_hold(program, run, 3, "-i", "run.inp")
    os.kill(ranks[1], signal.SIGTERM)
    harness.send(ranks, signal.SIGCONT)
    require(end_of(process, run) == STOPPED, messages_of(run))
    require((run / "run.log").read_text().splitlines()[-2] == "stopped", "the log does not end as it should")
    process, ranks = start_and_hold(program, run, 2, "-i", "run.inp", step=200)
    process.send_signal(signal.SIGUSR1)
    harness.wait_for(lambda: all(harness.has_waiting(rank, signal.SIGUSR1) for rank in ranks.values()), 60, "the signal")
    harness.send(ranks, signal.SIGCONT)
    require(end_of(process, run) == STOPPED, messages_of(run))
    require(harness.state_of(run)[0] == "201", f"stopped at {harness.state_of(run)}\n{messages_of(run)}")
    require_goes_on(program, run, reference)


def test_rank_stands_still(program, folder, source):
    """As one whose host has died: nobody closes its connections."""
    reference, run = uninterrupted(program, folder)
    process, ranks = start_and_hold(program, run, 3, "-i", "run.inp", *CHECKPOINTS, "--set", 'hardware.give_up_after="3 s"')
    for rank in (0, 1):
        os.kill(ranks[rank], signal.SIGCONT)
    require(end_of(process, run, 120) == STOPPED, messages_of(run))
    require("error: [MD802] rank 0" in messages_of(run), messages_of(run))
    require_errors(run, "MD802")
    require_goes_on(program, run, reference)


def test_disk_full(program, folder, source):
    """The first rank writes, and it alone finds out; the others wait for it."""
    reference, run = uninterrupted(program, folder)
    process, ranks = start_and_hold(program, run, 3, "-i", "run.inp", *CHECKPOINTS)
    # Not from its start on: what MPI shares between ranks is a file, too.
    limit = max(path.stat().st_size for path in run.iterdir()) + 1000
    resource.prlimit(ranks[0], resource.RLIMIT_FSIZE, (limit, limit))
    harness.send(ranks, signal.SIGCONT)
    require(end_of(process, run, 120) == IO, messages_of(run))
    require(messages_of(run).count("error: [MD60") == 1, messages_of(run))
    require_goes_on(program, run, reference)


def test_damaged_checkpoints(program, folder, source):
    """The one before is taken, with one warning of all ranks; where that is damaged as well, with one error."""
    reference, run = uninterrupted(program, folder)
    for step in (60, 90):
        process = start(program, run, 3, "-i", "run.inp", "--set", f"debug.stop_at_step={step}")
        require(end_of(process, run, 120) == STOPPED, messages_of(run))
    spoil(run / "run.checkpoint.h5")
    process = start(program, run, 4, "-i", "run.inp", "--set", "debug.stop_at_step=120")
    require(end_of(process, run, 120) == STOPPED, messages_of(run))
    require(messages_of(run).count("warning:") == 1 and "at step 60," in messages_of(run), messages_of(run))
    whole = {path: path.read_bytes() for path in run.glob("run.checkpoint*h5")}
    for path in whole:
        spoil(path)
    process = start(program, run, 3, "-i", "run.inp")
    require(end_of(process, run, 60) == IO, messages_of(run))
    require_errors(run, "MD605")
    for path, contents in whole.items():
        path.write_bytes(contents)
    require_goes_on(program, run, reference)


def spoil(path):
    contents = bytearray(path.read_bytes())
    contents[len(contents) // 2] ^= 1
    path.write_bytes(contents)


def main():
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    os.environ.pop("OMP_NUM_THREADS", None)
    harness.main([test_input_error, test_unstable, test_one_rank_fails, test_rank_killed, test_signals, test_rank_stands_still,
                  test_disk_full, test_damaged_checkpoints])


if __name__ == "__main__":
    main()
