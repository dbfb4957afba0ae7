# SPDX-License-Identifier: Apache-2.0
"""The same bits for every number of threads, every interval of the pair list and every place where a run was stopped.

    test_determinism.py PROGRAM SOURCE_DIR [TEST...]

DESIGN.md section 2, promise 1. Everything that a run leaves is compared: state hash, energies, trajectories, log.
"""

import shutil

import harness
from harness import FINISHED, HEAT, PRODUCE, STOPPED, continued_copy, dynamics, require, require_same_run

LANGEVIN = HEAT.replace("restrain", 'integrator = "langevin"\nrestrain') + dynamics(
    "produce", 30, 'integrator = "langevin"\ntemperature = "300 K"\npressure = "1 bar"\nbarostat = "monte-carlo"'
)
VARIANTS = {"rescaled": HEAT + PRODUCE, "langevin": LANGEVIN}

# Keys whose own line in the log differs because the test sets them.
OWN = ("debug.", "hardware.threads")


def run_through(program, parent, name, stages, *arguments, threads=2):
    folder = continued_copy(program, parent, name, stages)
    program.run(folder, "-i", "run.inp", *arguments, expect=FINISHED, threads=threads)
    return folder


def test_threads(program, folder, source):
    for variant, stages in VARIANTS.items():
        reference = run_through(program, folder, f"{variant}-1", stages, threads=1)
        rows = (reference / "run.energies.csv").read_text().splitlines()
        require(len(rows) == 14, f"{len(rows)} lines of energies where 14 are due")
        for threads in (2, 3, 4) if variant == "rescaled" else (3,):
            other = run_through(program, folder, f"{variant}-{threads}", stages, threads=threads)
            require_same_run(reference, other, drop=OWN)


def test_list_interval(program, folder, source):
    for variant, stages in VARIANTS.items():
        reference = run_through(program, folder, variant, stages)
        for every in (1, 7) if variant == "rescaled" else (3,):
            name = f"{variant}-every-{every}"
            other = run_through(program, folder, name, stages, "--set", f"debug.list_every={every}")
            require_same_run(reference, other, drop=OWN)


def test_stops(program, folder, source):
    """One run is stopped and continued at several steps, among them the border of two stages, the steps on which the
    couplings act (multiples of 10) and the steps beside them."""
    for variant, stages in VARIANTS.items():
        reference = run_through(program, folder, variant, stages)
        stopped = continued_copy(program, folder, f"{variant}-stopped", stages)
        for step in (1, 7, 10, 11, 20, 21, 30, 31, 49):
            program.run(stopped, "-i", "run.inp", "--set", f"debug.stop_at_step={step}", expect=STOPPED)
            reached = int(harness.state_of(stopped)[0])
            require(reached == step, f"stopped at step {reached}, not at {step}")
        program.run(stopped, "-i", "run.inp", expect=FINISHED, threads=3)
        require_same_run(reference, stopped, drop=OWN)


def test_prolates(program, folder, source):
    """Threads and stops with the mesh of Ewald summation with prolates, from the minimisation on."""
    harness.solution(folder, edge=6)
    head = harness.HEAD + 'electrostatics = "esp"\n'
    text = head + harness.OUTPUT + harness.RELAX.replace("max_steps = 60", "max_steps = 20") + PRODUCE

    def begun(name):
        run = harness.fresh_folder(folder, name, folder / "box.top", folder / "box.gro")
        (run / "run.inp").write_text(text)
        return run

    reference = begun("one")
    program.run(reference, "-i", "run.inp", expect=FINISHED, threads=1)
    for threads in (2, 4):
        other = begun(f"threads-{threads}")
        program.run(other, "-i", "run.inp", expect=FINISHED, threads=threads)
        require_same_run(reference, other, drop=OWN)
    stopped = begun("stopped")
    for step in (7, 10, 21):
        program.run(stopped, "-i", "run.inp", "--set", f"debug.stop_at_step={step}", expect=STOPPED)
    program.run(stopped, "-i", "run.inp", expect=FINISHED, threads=3)
    require_same_run(reference, stopped, drop=OWN)


def test_stop_changes_nothing_else(program, folder, source):
    """The state at a stop is that of the shorter run."""
    stopped = continued_copy(program, folder, "stopped", PRODUCE)
    program.run(stopped, "-i", "run.inp", "--set", "debug.stop_at_step=20", expect=STOPPED)
    short = run_through(program, folder, "short", PRODUCE.replace('duration = "60 fs"', 'duration = "40 fs"'))
    require(harness.state_of(stopped) == harness.state_of(short), "a stop has another state than a shorter run")


def test_seed(program, folder, source):
    """A test of equality that could not fail would prove nothing: with another seed the states must differ."""
    states = set()
    for seed in (1, 2):
        system = folder / str(seed)
        system.mkdir()
        harness.solution(system, edge=6, methanols=0)
        (system / "run.inp").write_text(harness.HEAD + dynamics("produce", 2, 'temperature = "300 K"'))
        program.run(system, "-i", "run.inp", "--set", f"system.seed={seed}", expect=FINISHED)
        states.add(harness.state_of(system))
    require(len(states) == 2, "two seeds gave one state")


def test_minimisation_between_blocks(program, folder, source):
    """A minimisation that is killed is taken up at the end of its last block of iterations, with the same bits."""
    reference = harness.relaxed(program)
    killed = folder / "killed"
    killed.mkdir()
    for file in ("box.top", "box.gro", "run.inp"):
        (killed / file).write_bytes((reference / file).read_bytes())
    process = program.start(killed, "-i", "run.inp", "--set", 'output.checkpoint.every="0.001 s"')
    log = killed / "run.log"
    harness.wait_for(lambda: log.exists() and "iteration     50" in log.read_text(), 120, "the first block")
    harness.wait_for(
        lambda: program.run(killed, "info", "run.checkpoint.h5", "--json").code == 0, 10, "a whole checkpoint"
    )
    harness.end(process)
    program.run(killed, "-i", "run.inp", expect=FINISHED)
    require_same_run(reference, killed, drop=("output.checkpoint",))


def test_minimum_that_a_kill_left_out(program, folder, source):
    """A run that was killed after its last checkpoint and before its minimum was on disk writes it when called again.
    That checkpoint is the one before the newest of a finished run."""
    reference = harness.relaxed(program)
    killed = folder / "killed"
    shutil.copytree(reference, killed, symlinks=True)
    (killed / "run.checkpoint.previous.h5").replace(killed / "run.checkpoint.h5")
    energies = killed / "run.energies.csv"
    rows = energies.read_text().splitlines(keepends=True)
    require(len(rows) == 2, f"{len(rows)} lines of energies where 2 are due")
    energies.write_text(rows[0])
    for _ in range(2):
        program.run(killed, "-i", "run.inp", expect=FINISHED)
        require_same_run(reference, killed)


TESTS = [
    test_threads,
    test_list_interval,
    test_stops,
    test_prolates,
    test_stop_changes_nothing_else,
    test_seed,
    test_minimisation_between_blocks,
    test_minimum_that_a_kill_left_out,
]

if __name__ == "__main__":
    harness.main(TESTS)
