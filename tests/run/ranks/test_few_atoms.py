# SPDX-License-Identifier: Apache-2.0
"""More ranks than atoms, molecules or places with atoms: some ranks have nothing, and the bits are those of one rank.

    test_few_atoms.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, require  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
HEAD = '[system]\ntopology = "box.top"\ncoordinates = "box.gro"\n'
IN_VACUUM = '[forces]\nelectrostatics = "none"\n'
OUTPUT = """\
[output]
trajectory = { every = "5 steps", format = ["h5md"], velocities = true, forces = true }
energies = { every = "4 steps" }
"""
RELAX = '[[stage]]\nname = "relax"\nkind = "minimise"\nmax_steps = 20\n'
ARGON = """\
[ defaults ]
1 2
[ atomtypes ]
AR 18 39.948 0.0 A 0.34 0.99774
[ moleculetype ]
Argon 1
[ atoms ]
1 AR 1 AR AR 1 0.0
"""


def write(folder, types, kind, atoms, places, box):
    """Molecules of one kind as box.top and box.gro; `atoms` are names and places [nm] within each."""
    folder.mkdir()
    count = f"[ system ]\n{kind}\n[ molecules ]\n{kind} {len(places)}\n"
    (folder / "box.top").write_text(types + count)
    lines = []
    for n, place in enumerate(places, 1):
        for name, inside in atoms:
            x, y, z = (a + b for a, b in zip(place, inside))
            lines.append(f"{n:5d}{kind[:5]:<5}{name:>5}{len(lines) + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}\n")
    (folder / "box.gro").write_text(f"{kind}\n{len(lines)}\n" + "".join(lines) + " ".join(f"{edge:.5f}" for edge in box) + "\n")


def argon(folder, places, box):
    write(folder, ARGON, "Argon", [("AR", (0.0, 0.0, 0.0))], places, box)


def waters(folder, places, box):
    write(folder, harness.WATER_TYPES + harness.WATER, "SOL", harness.WATER_ATOMS, places, box)


def result_of(program, folder, ranks, *keys):
    start = [*LAUNCH, str(ranks)] if ranks > 1 else []
    command = [*start, program.path, "-i", "run.inp", "--threads", "1"]
    for key in keys:
        command += ["--set", key]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    require(done.returncode == FINISHED, f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")
    frames = harness.h5_contents(folder / "run.h5") or {}
    return (harness.state_of(folder), (folder / "run.energies.csv").read_text(),
            {name: frames[name] for name in frames if name.startswith("particles/")})


def require_same(program, folder, system, text, ways):
    """`system` with this input, on one rank and in these ways: ranks, and keys of [debug] and [hardware]."""
    results = []
    for n, (ranks, *keys) in enumerate([(1,), *ways]):
        run = folder / str(n)
        system(run)
        (run / "run.inp").write_text(text)
        results.append(result_of(program, run, ranks, *keys))
        require(results[-1] == results[0], f"{ranks} ranks {keys}: {results[-1][:2]}\none rank: {results[0][:2]}")


def dynamics(steps=30, keys=""):
    return harness.dynamics("produce", steps, f'temperature = "300 K"\n{keys}')


MOVED = 'debug.balance="forced"'
LISTS = "debug.list_every=4"


def test_two_atoms_in_vacuum(program, folder, source):
    def pair(run):
        argon(run, [(0.0, 0.0, 0.0), (0.36, 0.05, 0.0)], (0, 0, 0))

    require_same(program, folder, pair, HEAD + IN_VACUUM + OUTPUT + RELAX + dynamics(),
                 [(2, LISTS), (3,), (8, MOVED, LISTS), (8, "debug.ranks_grid=[8, 1, 1]"), (8, "debug.ranks_grid=[2, 2, 2]", LISTS)])


def test_two_atoms_in_a_box(program, folder, source):
    """Neighbours through the face of the box, one region of many."""
    def pair(run):
        argon(run, [(0.05, 1.0, 1.0), (2.9, 1.0, 1.1)], (3, 3, 3))

    text = HEAD + '[forces]\nelectrostatics = "cutoff"\ncutoff = "1.0 nm"\n' + OUTPUT + RELAX + dynamics(60)
    require_same(program, folder, pair, text, [(2, LISTS), (8, MOVED, LISTS), (7,), (8, "debug.ranks_grid=[1, 8, 1]", LISTS)])


def test_one_water(program, folder, source):
    """A group of constraints is never divided: three ranks of four have nothing, with a mesh and without."""
    for name, box, forces in (("vacuum", (0, 0, 0), IN_VACUUM), ("box", (3, 3, 3), "")):
        inside = folder / name
        inside.mkdir()
        require_same(program, inside, lambda run, box=box: waters(run, [(2.95, 2.95, 2.95)], box),
                     HEAD + forces + OUTPUT + RELAX + dynamics(keys="" if name == "vacuum" else 'pressure = "1 bar"'),
                     [(4, LISTS), (3, MOVED, LISTS), (2,)] + ([(4, "hardware.mesh_ranks=2")] if name == "box" else []))


def test_empty_regions(program, folder, source):
    """Two clusters of water at the ends of a long box, with nothing between them."""
    places = [(x + 0.4 * i, 1.0 + 0.4 * j, 1.0 + 0.4 * k) for x in (0.3, 8.2) for i in range(3) for j in range(3) for k in range(3)]

    def clusters(run):
        waters(run, places, (10, 3, 3))

    require_same(program, folder, clusters, HEAD + OUTPUT + RELAX + dynamics(60),
                 [(8, "debug.ranks_grid=[8, 1, 1]", 'debug.balance="off"', LISTS), (6, MOVED, LISTS), (5, LISTS),
                  (8, "debug.ranks_grid=[4, 1, 2]", "hardware.mesh_ranks=0")])


def test_droplet_with_empty_regions(program, folder, source):
    """In vacuum a cube about the droplet is divided, most of which is empty."""
    places = [(0.35 * i, 0.35 * j, 0.35 * k) for i in range(4) for j in range(4) for k in range(4)]
    require_same(program, folder, lambda run: waters(run, places, (0, 0, 0)), HEAD + IN_VACUUM + OUTPUT + RELAX + dynamics(60),
                 [(8, "debug.ranks_grid=[2, 2, 2]", 'debug.balance="off"', LISTS), (8, "debug.ranks_grid=[8, 1, 1]", LISTS),
                  (7, MOVED, LISTS), (12, LISTS)])


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(harness.SKIPPED)
    harness.main([test_two_atoms_in_vacuum, test_two_atoms_in_a_box, test_one_water, test_empty_regions,
                  test_droplet_with_empty_regions])
