# SPDX-License-Identifier: Apache-2.0
"""`kill -9` at random moments, continued each time: the outputs are those of a run that was never interrupted.

    test_kill.py PROGRAM SOURCE_DIR [TEST...]
    test_kill.py PROGRAM SOURCE_DIR --input FILE.inp --kills N --checkpoint "2 s" [--seed N] [--folder PATH]

The second form does the same with an input of its own (validation/kill_nine does so with inputs/protein.inp).
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

import harness
from harness import FINISHED, HEAD, HEAT, OUTPUT, PRODUCE, RELAX, require

DROP = ("output.checkpoint",)


def continue_and_kill(program, folder, arguments, delay):
    """Starts or continues the run and kills it after `delay` [s]; True where it had finished before."""
    process = program.start(folder, *arguments)
    try:
        process.wait(timeout=delay)
    except harness.subprocess.TimeoutExpired:
        harness.end(process)
        return False
    messages = (Path(folder) / "messages.txt").read_text(errors="replace")
    require(process.returncode == FINISHED, f"exit {process.returncode} on continuing\n{messages[-3000:]}")
    return True


def kill_often(program, folder, arguments, kills, longest, numbers):
    """Kills `kills` times after random times of up to `longest` [s], then lets the run finish. Returns how many times
    it was really killed."""
    done = 0
    for _ in range(kills):
        if continue_and_kill(program, folder, arguments, numbers.uniform(0.0, longest)):
            break
        done += 1
    program.run(folder, *arguments, expect=FINISHED, timeout=3600)
    return done


def leftovers(folder, name):
    """Files that only an unfinished write has: there must be none at the end."""
    return [f for f in harness.files_in(folder) if f.startswith(name) and f.endswith((".new", ".redo"))]


def test_random_moments(program, folder, source):
    for name in ("reference", "killed"):
        (folder / name).mkdir()
        harness.solution(folder / name, edge=6)
        (folder / name / "run.inp").write_text(HEAD + OUTPUT + RELAX + HEAT + PRODUCE)
    began = time.monotonic()
    program.run(folder / "reference", "-i", "run.inp", expect=FINISHED)
    longest = 0.25 * (time.monotonic() - began)
    arguments = ("-i", "run.inp", "--set", 'output.checkpoint.every="3 steps"')
    kills = kill_often(program, folder / "killed", arguments, 8, longest, random.Random(9))
    print(f"killed {kills} times")
    require(kills >= 4, "the run was killed too seldom for a test")
    harness.require_same_run(folder / "reference", folder / "killed", drop=DROP)
    require(not leftovers(folder / "killed", "run."), f"left behind: {leftovers(folder / 'killed', 'run.')}")


def test_at_the_start(program, folder, source):
    """Kills while the outputs are being made: the run must begin again by itself."""
    relaxed = harness.relaxed(program)
    for name in ("reference", "killed"):
        (folder / name).mkdir()
        for file in ("box.top", "box.gro", "run.inp"):
            (folder / name / file).write_bytes((relaxed / file).read_bytes())
        with open(folder / name / "run.inp", "a") as text:
            text.write(HEAT)
    program.run(folder / "reference", "-i", "run.inp", expect=FINISHED)
    began = time.monotonic()
    program.run(folder / "killed", "-i", "run.inp", "--check", expect=FINISHED)
    start = time.monotonic() - began
    numbers = random.Random(4)
    for _ in range(25):
        continue_and_kill(program, folder / "killed", ("-i", "run.inp"), start * numbers.uniform(0.7, 1.5))
    program.run(folder / "killed", "-i", "run.inp", expect=FINISHED)
    harness.require_same_run(folder / "reference", folder / "killed")


def test_inside_a_checkpoint(program, folder, source):
    """With a checkpoint at every step most kills fall into one: into a fold of frames, a flush or a rename."""
    stages = HEAT + PRODUCE
    reference = harness.continued_copy(program, folder, "reference", stages)
    program.run(reference, "-i", "run.inp", expect=FINISHED)
    killed = harness.continued_copy(program, folder, "killed", stages)
    arguments = ("-i", "run.inp", "--set", 'output.checkpoint.every="1 steps"')
    began = time.monotonic()
    program.run(killed, *arguments, "--set", "debug.stop_at_step=6", expect=harness.STOPPED)
    longest = time.monotonic() - began
    kill_often(program, killed, arguments, 12, longest, random.Random(3))
    harness.require_same_run(reference, killed, drop=DROP)


def compare_one_input(program, options):
    """The second form of the command."""
    require(harness.can_read_h5(), "comparing HDF5 files needs h5py or h5dump")
    source = Path(options.input).resolve()
    name = source.stem
    parent = Path(options.folder or tempfile.mkdtemp(prefix="mdsim-kill-"))
    for folder in ("reference", "killed"):
        (parent / folder).mkdir(parents=True)
    began = time.monotonic()
    common = ("-i", source, "--set", f'output.checkpoint.every="{options.checkpoint}"')
    program.run(parent / "reference", *common, expect=FINISHED, timeout=3600)
    seconds = time.monotonic() - began
    # On average half of the run's length in all, and each kill costs what came after its last checkpoint.
    longest = seconds / options.kills
    numbers = random.Random(options.seed)
    kills = kill_often(program, parent / "killed", common, options.kills, longest, numbers)
    require(kills == options.kills, f"the run had ended after {kills} kills: try another --seed")
    harness.require_same_run(parent / "reference", parent / "killed", name)
    facts = json.loads(program.run(parent / "killed", "info", f"{name}.checkpoint.h5", "--json").out)
    print(f"{source.name}: uninterrupted {seconds:.1f} s; killed {kills} times after 0 to {longest:.1f} s each")
    print(f"both ended with state hash {facts['state_hash']}, equal CSV and XTC bytes, HDF5 datasets and log lines")
    if not options.folder:
        harness.shutil.rmtree(parent)


def main():
    if "--input" not in sys.argv:
        harness.main([test_random_moments, test_at_the_start, test_inside_a_checkpoint])
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("--input", required=True)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--checkpoint", default="2 s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder")
    options = parser.parse_args()
    try:
        compare_one_input(harness.Program(options.program), options)
    except harness.Failure as failure:
        sys.exit(f"FAILED\n{failure}")


if __name__ == "__main__":
    main()
