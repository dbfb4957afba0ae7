# SPDX-License-Identifier: Apache-2.0
"""What may differ when a run is continued, and what may not, sentence by sentence; files that have changed meanwhile.

    test_continuing.py PROGRAM SOURCE_DIR [TEST...]
"""

import shutil

import harness
from harness import FINISHED, HEAT, INPUT, PRODUCE, RELAX, STOPPED, continued_copy, dynamics, require

BEGIN = harness.HEAD + harness.OUTPUT + RELAX
RAMP = dynamics("heat", 20, 'temperature = { from = "100 K", to = "300 K" }')
FREE = dynamics("heat", 20, 'temperature = "300 K"')


def change(path, old, new):
    text = path.read_text()
    require(old in text, f"{path} has no {old!r}")
    path.write_text(text.replace(old, new))


def snapshot(folder):
    return {file: (folder / file).read_bytes() for file in harness.files_in(folder) if file.startswith("run.")}


def require_refused(program, folder, code, *words, arguments=()):
    """Exit code 2 with these words and the way out, and no output touched."""
    before = snapshot(folder)
    result = program.run(folder, "-i", "run.inp", *arguments, expect=INPUT)
    require(f"[{code}]" in result.err and "--restart" in result.err, str(result))
    for word in words:
        require(word in result.err, f"the refusal does not name {word!r}\n{result}")
    require(snapshot(folder) == before, f"refusing has changed files\n{result}")


def stop_at(program, folder, step):
    program.run(folder, "-i", "run.inp", "--set", f"debug.stop_at_step={step}", expect=STOPPED)


def interrupted_and_finished(program, folder, last_stage):
    """Two runs whose last stage this is, one stopped in the middle of it and one at its end."""
    interrupted = continued_copy(program, folder, "interrupted", last_stage)
    stop_at(program, interrupted, 7)
    finished = continued_copy(program, folder, "finished", last_stage)
    program.run(finished, "-i", "run.inp", expect=FINISHED)
    return interrupted, finished


def begun_with_include(program, folder):
    """A run stopped before its first step, with a restraint to a file and the water #included from a folder."""
    harness.solution(folder, edge=6)
    (folder / "parts").mkdir()
    (folder / "parts" / "water.itp").write_text(harness.WATER)
    change(folder / "box.top", harness.WATER, '#include "parts/water.itp"\n')
    shutil.copy(folder / "box.gro", folder / "held.gro")
    held = 'restrain = [{ select = "resname MOH", force_constant = "1000 kJ/mol/nm^2", to = "held.gro" }]'
    (folder / "run.inp").write_text(
        BEGIN + dynamics("heat", 20, 'temperature = "300 K"\n' + held)
    )
    stop_at(program, folder, 0)


def test_changed_files(program, folder, source):
    run = folder / "run"
    run.mkdir()
    begun_with_include(program, run)
    for file, old, new, words in (
        ("box.top", "0.1090 284512", "0.1091 284512", ("box.top", "MOH")),
        ("box.top", "3.15061e-01", "3.15062e-01", ("box.top", "non-bonded")),
        ("parts/water.itp", "-0.834", "-0.8341", ("box.top", "SOL")),
        ("parts/water.itp", "0.09572", "0.09573", ("box.top", "SOL")),
        ("box.gro", "  0.160", "  0.161", ("box.gro", "positions")),
        ("box.gro", "   1.92000\n", "   1.93000\n", ("box.gro", "box")),
        ("held.gro", "  0.160", "  0.161", ("held.gro", "positions", "restraint 1")),
    ):
        text = (run / file).read_text()
        change(run / file, old, new)
        require_refused(program, run, "MD409", *words)
        (run / file).write_text(text)
    stop_at(program, run, 0)


def test_changed_number_of_molecules(program, folder, source):
    harness.solution(folder, edge=6)
    run = folder
    (run / "run.inp").write_text(BEGIN)
    stop_at(program, run, 0)
    lines = (run / "box.gro").read_text().splitlines()
    lines[1] = str(int(lines[1]) - 3)
    del lines[-4:-1]
    (run / "box.gro").write_text("\n".join(lines) + "\n")
    change(run / "box.top", "SOL 208", "SOL 207")
    require_refused(program, run, "MD409", "number and order of molecules")


def test_harmless_changes(program, folder, source):
    """A moved folder, comments, an unused atom type, another way of writing the same numbers."""
    run = folder / "run"
    run.mkdir()
    begun_with_include(program, run)
    run = run.rename(folder / "moved")
    change(run / "box.top", "[ atomtypes ]\n", "; a comment\n[ atomtypes ]\nXX 7 14.01  0.0 A 3.2e-01 0.7\n")
    change(run / "box.top", "3.15061e-01", "0.315061")
    change(run / "parts/water.itp", "[ settles ]", "; rigid\n[ settles ]")
    (run / "parts").rename(run / "elsewhere")
    change(run / "box.top", "parts/water.itp", "elsewhere/water.itp")
    change(run / "held.gro", "methanol in water", "what the restraints hold to")
    result = program.run(run, "-i", "run.inp", "--set", "debug.stop_at_step=0", expect=STOPPED)
    require("continuing stage 1 (relax)" in result.out and result.err == "", str(result))


def test_longer_last_stage(program, folder, source):
    """Finished or not; the end is that of a run that was so long from the start."""
    longer = FREE.replace('duration = "40 fs"', 'duration = "60 fs"')
    require(longer != FREE, "the stage of this test has changed")
    straight = continued_copy(program, folder, "straight", longer)
    program.run(straight, "-i", "run.inp", expect=FINISHED)
    for run in interrupted_and_finished(program, folder, FREE):
        (run / "run.inp").write_text(BEGIN + longer)
        program.run(run, "-i", "run.inp", expect=FINISHED)
        require(harness.state_of(run) == harness.state_of(straight), f"{run}: another end than in one go")
        harness.require_same_bytes(run / "run.xtc", straight / "run.xtc")


def test_appended_stages(program, folder, source):
    """While the last stage has not ended; test_run_interface.py appends after it has."""
    straight = continued_copy(program, folder, "straight", FREE + PRODUCE)
    program.run(straight, "-i", "run.inp", expect=FINISHED)
    run = continued_copy(program, folder, "run", FREE)
    stop_at(program, run, 7)
    (run / "run.inp").write_text(BEGIN + FREE + PRODUCE)
    program.run(run, "-i", "run.inp", expect=FINISHED)
    require(harness.state_of(run) == harness.state_of(straight), "another end than in one go")


def test_what_may_differ(program, folder, source):
    """Output cadence, hardware and debug keys: nothing of it changes the motion (precision apart)."""
    straight = continued_copy(program, folder, "straight", FREE)
    program.run(straight, "-i", "run.inp", expect=FINISHED)
    run = continued_copy(program, folder, "run", FREE)
    stop_at(program, run, 6)
    result = program.run(
        run, "-i", "run.inp", "--set", 'output.trajectory.every="2 fs"', "--set", 'output.energies.every="2 fs"',
        "--set", 'output.log.every="4 fs"', "--set", 'output.checkpoint.every="3 steps"', "--set", "hardware.threads=1",
        "--set", "debug.list_every=2", "--set", "debug.random_order_seed=4", expect=FINISHED, threads=1,
    )
    require("continuing" in result.out, str(result))
    require(harness.state_of(run) == harness.state_of(straight), "what may differ has changed the motion")
    steps = [int(row.split(",")[1]) for row in (run / "run.energies.csv").read_text().splitlines()[1:]]
    require(steps == [0, 4, *range(6, 21)], f"energies of steps {steps}")
    run = continued_copy(program, folder, "double", FREE)
    stop_at(program, run, 6)
    program.run(run, "-i", "run.inp", "--set", 'hardware.precision="double"', expect=FINISHED)


def test_what_may_not_differ(program, folder, source):
    """Anything else is refused with the difference and the way out."""
    run = continued_copy(program, folder, "run", RAMP)
    stop_at(program, run, 5)
    for key, value in (
        ("title", '"another one"'),
        ("forces.cutoff", '"0.8 nm"'),
        ("system.seed", "3"),
        ("system.hydrogen_mass", '"3 u"'),
        ("output.trajectory.format", '["h5md"]'),
        ("output.trajectory.select", '"water"'),
        ("stage.relax.max_steps", "70"),
        ("stage.heat.timestep", '"1 fs"'),
        ("stage.heat.duration", '"20 fs"'),
        ("stage.heat.pressure", '"1 bar"'),
    ):
        require_refused(program, run, "MD115", key, arguments=("--set", f"{key}={value}"))
    text = (run / "run.inp").read_text()
    for stages, word in ((RAMP, "stage"), (RELAX, "stage"), (RELAX + RAMP.replace('"heat"', '"warm"'), "warm")):
        (run / "run.inp").write_text(harness.HEAD + harness.OUTPUT + stages)
        require_refused(program, run, "MD115", word)
    (run / "run.inp").write_text(text)
    more = text.replace(
        "trajectory = {", 'trajectory = [{ every = "5 steps", select = "water" }, {').replace("forces = true }", "forces = true }]")
    require(more != text, "the output of this test has changed")
    (run / "run.inp").write_text(more)
    require_refused(program, run, "MD115", "output.trajectory")


def test_ramp_cannot_be_longer(program, folder, source):
    """Stretched, it would have been another ramp from its start."""
    for run in interrupted_and_finished(program, folder, RAMP):
        require_refused(program, run, "MD115", "stage.heat.duration", "append a stage",
                        arguments=("--set", 'stage.heat.duration="60 fs"'))


TESTS = [
    test_changed_files,
    test_changed_number_of_molecules,
    test_harmless_changes,
    test_longer_last_stage,
    test_appended_stages,
    test_what_may_differ,
    test_what_may_not_differ,
    test_ramp_cannot_be_longer,
]

if __name__ == "__main__":
    harness.main(TESTS)
