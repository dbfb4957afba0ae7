# SPDX-License-Identifier: Apache-2.0
"""Runs on the host back end: the same bits for every number of threads, every interval of the pair list, every width of
warps and order of threads, and every place where a run was stopped; and a run that goes from the CPU to a device.

    test_gpu_bits.py PROGRAM SOURCE_DIR [TEST...]

validation/gpu/same_bits.py does the same with 200 steps of inputs/protein.inp.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
import systems  # noqa: E402
from harness import FINISHED, STOPPED, continued_copy, dynamics, require, require_same_run  # noqa: E402
from systems import ON_HOST  # noqa: E402

HEAT = harness.HEAT.replace('"40 fs"', '"20 fs"')
PRODUCE = dynamics("produce", 14, 'temperature = "300 K"\npressure = "1 bar"')
LANGEVIN = dynamics(
    "produce", 12, 'integrator = "langevin"\ntemperature = "300 K"\npressure = "1 bar"\nbarostat = "monte-carlo"'
)
OTHER_WAYS = (
    ("list_every=1",),
    ("list_every=3", "warp_width=64"),
    ("random_order_seed=1",),
    ("random_order_seed=2", "warp_width=64", "list_every=7"),
)
# Keys whose own line in the log differs because the test sets them.
OWN = ("debug.", "hardware.")
# The first steps of every stage of inputs/protein.inp but the relaxation, which no device takes part in.
PROTEIN = {"heat": "4 fs", "equilibrate": "8 fs", "produce": "4 fs"}


def run_through(program, parent, name, stages, *arguments, threads=2):
    folder = continued_copy(program, parent, name, stages)
    program.run(folder, "-i", "run.inp", *ON_HOST, *arguments, expect=FINISHED, threads=threads)
    return folder


def test_threads(program, folder, source):
    """200 steps."""
    stages = dynamics("heat", 100, 'temperature = { from = "100 K", to = "300 K" }') + dynamics(
        "produce", 100, 'temperature = "300 K"\npressure = "1 bar"'
    )
    reference = run_through(program, folder, "1", stages, threads=1)
    require(harness.state_of(reference)[0] == "200", str(harness.state_of(reference)))
    for threads in (2, 4):
        require_same_run(reference, run_through(program, folder, str(threads), stages, threads=threads), drop=OWN)


def test_orders(program, folder, source):
    """Pair lists made anew at other steps, warps, and orders of threads and streams."""
    for name, stages in (("rescaled", HEAT + PRODUCE), ("langevin", LANGEVIN)):
        reference = run_through(program, folder, name, stages)
        for n, keys in enumerate(OTHER_WAYS):
            arguments = [word for key in keys for word in ("--set", f"debug.{key}")]
            other = run_through(program, folder, f"{name}-{n}", stages, *arguments, threads=3)
            require_same_run(reference, other, drop=OWN)


def test_stops(program, folder, source):
    reference = run_through(program, folder, "reference", HEAT + PRODUCE)
    stopped = continued_copy(program, folder, "stopped", HEAT + PRODUCE)
    for threads, step in enumerate((1, 7, 10, 11, 20, 21), 1):
        keys = ("--set", f"debug.stop_at_step={step}", "--set", f"debug.random_order_seed={step}")
        program.run(stopped, "-i", "run.inp", *ON_HOST, *keys, expect=STOPPED, threads=threads % 4 + 1)
        reached = harness.state_of(stopped)[0]
        require(reached == str(step), f"stopped at step {reached}, not at {step}")
    program.run(stopped, "-i", "run.inp", *ON_HOST, expect=FINISHED)
    require_same_run(reference, stopped, drop=OWN)


def test_from_cpu_to_device(program, folder, source):
    """A checkpoint of the CPU: the device goes on from its very state, and has its own rounding from there."""
    off = ("--set", 'hardware.gpu="off"')
    runs = [continued_copy(program, folder, name, HEAT + PRODUCE) for name in ("cpu", "one", "other", "back")]
    states = []
    for run in runs:
        program.run(run, "-i", "run.inp", *off, "--set", "debug.stop_at_step=12", expect=STOPPED)
        states.append(harness.state_of(run))
    program.run(runs[0], "-i", "run.inp", *off, expect=FINISHED)
    for run in runs[1:]:
        program.run(run, "-i", "run.inp", *ON_HOST, "--set", "debug.stop_at_step=12", expect=STOPPED)
        states.append(harness.state_of(run))
    require(len(set(states)) == 1, f"the state that was read is not the one that was written: {states}")
    program.run(runs[1], "-i", "run.inp", *ON_HOST, expect=FINISHED, threads=1)
    program.run(runs[2], "-i", "run.inp", *ON_HOST, "--set", "debug.random_order_seed=5", expect=FINISHED, threads=4)
    require_same_run(runs[1], runs[2], drop=OWN)
    require(harness.state_of(runs[0]) != harness.state_of(runs[1]), "a device has the bits of the CPU: has it computed?")
    program.run(runs[3], "-i", "run.inp", *ON_HOST, "--set", "debug.stop_at_step=16", expect=STOPPED)
    program.run(runs[3], "-i", "run.inp", *off, expect=FINISHED)


def test_protein(program, folder, source):
    """The first steps of each stage, and the forces at the start."""
    systems.require_forces_of_cpu(program, source / "inputs/protein.inp", folder)
    keys = [word for stage, time in PROTEIN.items() for word in ("--set", f'stage.{stage}.duration="{time}"')]
    keys += ["--set", 'output.energies.every="1 steps"', "--set", 'output.trajectory.every="4 steps"']
    keys += ["--set", "stage.relax.max_steps=10", "--set", "stage.equilibrate.coupling_every=2"]
    runs = []
    for threads in (1, 2, 4):
        runs.append(folder / str(threads))
        runs[-1].mkdir()
        program.run(runs[-1], "-i", source / "inputs/protein.inp", *ON_HOST, *keys, expect=FINISHED, threads=threads)
        require_same_run(runs[0], runs[-1], name="protein", drop=OWN)


TESTS = [test_threads, test_orders, test_stops, test_from_cpu_to_device, test_protein]

if __name__ == "__main__":
    harness.main(TESTS)
