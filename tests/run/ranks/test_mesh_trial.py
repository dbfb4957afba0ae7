# SPDX-License-Identifier: Apache-2.0
"""hardware.mesh_ranks = "auto": the trial changes nothing but who computes what, says what it did, and is left out where it
would not pay.

    test_mesh_trial.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, STOPPED, require  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
INPUT = """[system]
topology = "water.top"
coordinates = "water.gro"
velocities = "generate"

[output]
trajectory = { every = "20 steps", format = ["h5md"] }
energies = { every = "10 steps" }

[[stage]]
name = "heat"
kind = "dynamics"
duration = "40 fs"
timestep = "2 fs"
temperature = "300 K"
integrator = "langevin"
restrain = [{ select = "element O", force_constant = "500 kJ/mol/nm^2" }]

[[stage]]
name = "produce"
kind = "dynamics"
duration = "80 fs"
timestep = "2 fs"
temperature = "300 K"
pressure = "1 bar"
"""


def prepare(folder, source):
    folder.mkdir()
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "water" / f"water.{kind}", folder)
    (folder / "run.inp").write_text(INPUT)
    return folder


def run(program, folder, ranks, *keys, expect=FINISHED, command=()):
    words = [*LAUNCH, str(ranks)] if ranks > 1 else []
    words += [program.path, *command, "-i", "run.inp", "--threads", "1"]
    for key in keys:
        words += ["--set", key]
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive", "OMPI_MCA_mpi_yield_when_idle": "1"})
    require(done.returncode == expect, f"{words}\nexit {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
    return done


def lines_about_mesh(folder):
    return [line for line in (folder / "run.log").read_text().splitlines() if "set aside for the mesh" in line]


def test_bits_do_not_depend_on_it(program, folder, source):
    """Restrained atoms, random forces with their heat, a stage boundary; taken up again with another trial."""
    reference = prepare(folder / "reference", source)
    run(program, reference, 1)
    require(not lines_about_mesh(reference), "one rank speaks of ranks for the mesh")
    other = prepare(folder / "other", source)
    run(program, other, 4, "debug.mesh_trial=1")
    lines = lines_about_mesh(other)
    require(len(lines) == 1 and lines[0].strip().startswith("1 of 4 ranks is set aside for the mesh"), f"the log says {lines}")
    require("none with" in lines[0] and "1 with" in lines[0], f"what was tried is missing: {lines}")
    require("regions" in (other / "run.log").read_text(), "the grid is missing")
    third = prepare(folder / "third", source)
    run(program, third, 4, "debug.mesh_trial=2", "debug.stop_at_step=12", expect=STOPPED)
    done = run(program, third, 3, "debug.mesh_trial=1", "debug.balance=\"forced\"")
    require("1 of 3 ranks is set aside" in done.stdout, f"a continuation does not say what it chose\n{done.stdout}")
    for another in (other, third):
        require(harness.state_of(reference) == harness.state_of(another), "the states differ")
        for name in ("run.energies.csv",):
            require((reference / name).read_text() == (another / name).read_text(), f"{name} differs")


def test_left_out(program, folder, source):
    """Too few ranks, too few steps, no mesh, or a number in the input."""
    cases = ((2, (), "2 ranks are too few"), (4, (), "long against the stage"), (2, ('forces.electrostatics="reaction-field"',), "electrostatics"),
             (4, ("hardware.mesh_ranks=1",), None), (4, ("hardware.mesh_ranks=0",), None))
    for number, (ranks, keys, why) in enumerate(cases):
        here = prepare(folder / str(number), source)
        run(program, here, ranks, *keys)
        lines = lines_about_mesh(here)
        require(all("no ranks are set aside" in line and why in line for line in lines) if why else not lines,
                f"{keys}: {lines}, and not {why}")
        require(bool(lines) == (why is not None), f"{keys}: nothing in the log")


def test_measured(program, folder, source):
    """A trial by the clock: counts of the model beside none, and the fastest of them."""
    here = prepare(folder / "here", source)
    report = json.loads(run(program, here, 4, 'stage.heat.duration="10 ps"', command=("bench", "--json", "--steps", "20")).stdout)
    tried = report["mesh_ranks"]["tried"]
    require([t["mesh_ranks"] for t in tried][0] == 0 and 2 <= len(tried) <= 4, f"tried {tried}")
    fastest = min(tried, key=lambda t: t["ms_per_step"])["mesh_ranks"]
    require(report["mesh_ranks"]["chosen"] == fastest, f"{report['mesh_ranks']}")
    idle = report["home_atoms"].count(0)
    require(idle >= fastest, f"{fastest} are set aside, and only {idle} ranks have no atoms")


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_bits_do_not_depend_on_it, test_left_out, test_measured])
