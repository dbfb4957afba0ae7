#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""inputs/protein.inp on the host back end of the kernels: 200 steps with the same bits on 1, 2 and 4 threads.

    same_bits.py PROGRAM [--steps 200] [--output FOLDER]

Twice: as the input is, relaxation and the first steps of heating; and with all stages shortened to as many steps in
all, so that pressure coupling and free dynamics are among them. Then the forces at step 0 beside the CPU's, in mixed
precision. Prints a table; exit code 1 where bits differ, or forces by more than 1e-5 (RMS, relative)."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "run"), str(SOURCE / "tests" / "run" / "gpu")]

import harness  # noqa: E402
from systems import ON_HOST, require_forces_of_cpu  # noqa: E402

INPUT = SOURCE / "inputs" / "protein.inp"
THREADS = (1, 2, 4)
# Of the steps.
SHARES = {"heat": 0.5, "equilibrate": 0.25, "produce": 0.25}


def shortened(steps):
    """Arguments that leave `steps` steps of 2 fs in all stages."""
    arguments = ["--set", 'output.energies.every="10 steps"', "--set", 'output.trajectory.every="50 steps"']
    for stage, share in SHARES.items():
        arguments += ["--set", f'stage.{stage}.duration="{2 * int(share * steps)} fs"']
    return arguments


def compare(program, folder, name, arguments, code):
    """A run on each number of threads; a line of the table for each."""
    first = None
    for threads in THREADS:
        run = folder / f"{name.replace(' ', '-')}-{threads}"
        run.mkdir(parents=True)
        began = time.monotonic()
        program.run(run, "-i", INPUT, *ON_HOST, *arguments, expect=code, threads=threads, timeout=7200)
        step, when, state = harness.state_of(run, "protein")
        minutes = (time.monotonic() - began) / 60
        print(f"| {name} | {threads} | {step} | {when} ps | {state} | {minutes:.1f} |", flush=True)
        first = first or run
        harness.require_same_run(first, run, name="protein", drop=("hardware.threads",))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=harness.Program)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--output", type=Path, help="keeps the runs there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mdsim-same-bits-") as temporary:
        folder = (options.output or Path(temporary)).resolve()
        print("| run | threads | step | time | state | minutes |\n| --- | --- | --- | --- | --- | --- |", flush=True)
        try:
            first_steps = ["--set", f"debug.stop_at_step={options.steps}"]
            compare(options.program, folder, "as it is", first_steps, harness.STOPPED)
            compare(options.program, folder, "all stages", shortened(options.steps), harness.FINISHED)
            difference = require_forces_of_cpu(options.program, INPUT, folder)
        except harness.Failure as failure:
            sys.exit(f"FAILED: {failure}")
        print(f"\nforces at step 0, device and CPU: {difference:.1e}")


if __name__ == "__main__":
    main()
