# SPDX-License-Identifier: Apache-2.0
"""The same positions, velocities, energies and frames for any number of ranks and threads, any grid of regions, wherever
their faces are, with and without ranks for the mesh alone.

    test_rank_bits.py PROGRAM SOURCE_DIR [--all]

In CI a water box, a droplet in vacuum and a slab with few rank counts; with --all 200 steps of these and of ubiquitin in a
dodecahedron, on 1 to 16 ranks with 1 and 2 threads and every grid that fits (some twenty minutes; validation/ranks).
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, SKIPPED, Failure, Program, require  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
PRODUCE = """
[[stage]]
name = "produce"
kind = "dynamics"
duration = "{fs} fs"
timestep = "2 fs"
temperature = "300 K"
{pressure}
"""
OUTPUTS = """
[output]
trajectory = { every = "40 steps", format = ["h5md"], velocities = true, forces = true }
energies = { every = "20 steps" }
log = { every = "100 steps" }
"""


def water_box(source):
    """Lines of atoms and box edge [nm] of 900 waters."""
    lines = (source / "inputs" / "water" / "water.gro").read_text().splitlines()
    return lines[2:-1], [float(word) for word in lines[-1].split()]


def write_waters(folder, source, atoms, box):
    top = (source / "inputs" / "water" / "water.top").read_text().splitlines()
    last = max(n for n, line in enumerate(top) if line.split()[:1] == ["SOL"])
    top[last] = f"SOL {len(atoms) // 3}"
    (folder / "run.top").write_text("\n".join(top) + "\n")
    text = ["waters", f"{len(atoms):5d}", *atoms, " ".join(f"{edge:.5f}" for edge in box)]
    (folder / "run.gro").write_text("\n".join(text) + "\n")


def system_of(forces="", pressure="", velocities="file", minimise=""):
    head = f'[system]\ntopology = "run.top"\ncoordinates = "run.gro"\nvelocities = "{velocities}"\n'
    return lambda steps: head + forces + OUTPUTS + minimise + PRODUCE.format(fs=2 * steps, pressure=pressure)


def water(folder, source):
    write_waters(folder, source, *water_box(source))
    return system_of(pressure='pressure = "1 bar"')


def droplet(folder, source):
    """The waters within 1.1 nm of the middle, in vacuum: all pairs."""
    atoms, box = water_box(source)
    kept = []
    for n in range(0, len(atoms), 3):
        place = [float(word) for word in atoms[n][20:].split()[:3]]
        if sum((x - 0.5 * edge) ** 2 for x, edge in zip(place, box)) < 1.1**2:
            kept += atoms[n : n + 3]
    write_waters(folder, source, kept, [0.0, 0.0, 0.0])
    return system_of('[forces]\nelectrostatics = "none"\n')


def slab(folder, source):
    """A layer of water with as much emptiness above it, the barostat moving x and y together."""
    atoms, box = water_box(source)
    write_waters(folder, source, atoms, [box[0], box[1], 2.2 * box[2]])
    return system_of(pressure='pressure = "1 bar"\ncoupling = "semi-isotropic"')


def langevin(folder, source):
    """The water box with random forces and volume trials."""
    write_waters(folder, source, *water_box(source))
    return system_of(pressure='integrator = "langevin"\npressure = "1 bar"\nbarostat = "monte-carlo"', velocities="generate")


def ubiquitin(folder, source):
    """In a rhombic dodecahedron, minimised first, the backbone held."""
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "ubiquitin" / f"ubiquitin.{kind}", folder / f"run.{kind}")
    held = 'restrain = [{ select = "protein and backbone", force_constant = "200 kJ/mol/nm^2", scale_with_box = true }]'
    relax = '\n[[stage]]\nname = "relax"\nkind = "minimise"\nstop_below = "200 kJ/mol/nm"\nmax_steps = 20\n'
    return system_of(pressure=f'pressure = "1 bar"\n{held}', velocities="generate", minimise=relax)


def grids_of(ranks, thinnest, edges):
    """All grids of so many regions none of which is thinner than that [nm]."""
    for x, y in itertools.product(range(1, ranks + 1), repeat=2):
        if ranks % (x * y) == 0:
            grid = (x, y, ranks // (x * y))
            if all(edge / n >= thinnest for n, edge in zip(grid, edges)):
                yield grid


class Runs:
    """Runs of one system, compared with the first one."""

    def __init__(self, program, parent, source, make, steps):
        self.program, self.parent, self.steps = program, parent, steps
        self.template = parent / make.__name__
        self.template.mkdir()
        (self.template / "run.inp").write_text(make(self.template, source)(steps))
        self.count, self.reference = 0, None

    def run(self, ranks, threads=1, **keys):
        folder = self.parent / f"{self.template.name}-{self.count}"
        self.count += 1
        shutil.copytree(self.template, folder)
        command = [*LAUNCH, str(ranks)] if ranks > 1 else []
        command += [self.program.path, "-i", "run.inp", "--quiet", "--threads", str(threads)]
        for key, value in {"debug.list_every": 16, **keys}.items():
            command += ["--set", f"{key}={value}"]
        began = time.time()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        require(done.returncode == FINISHED, f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}")
        found = harness.state_of(folder), (folder / "run.energies.csv").read_text(), frames_of(folder)
        if self.reference is None:
            self.reference = found
        for what, mine, first in zip(("state", "energies", "frames"), found, self.reference):
            require(mine == first, f"{' '.join(command)}\n{what} differ: {str(mine)[-300:]}\n{str(first)[-300:]}")
        shutil.rmtree(folder)
        return time.time() - began


def frames_of(folder):
    """Positions, velocities and forces of all frames, bit for bit."""
    dump = subprocess.run(["h5dump", "-d", "/particles/all/position/value", "-d", "/particles/all/velocity/value", "-d",
                           "/particles/all/force/value", "run.h5"], cwd=folder, capture_output=True, text=True)
    return dump.stdout


def some(program, folder, source):
    moved = {"debug.balance": '"forced"'}
    for make, ways in (
        (water, [(2, 1, {}), (4, 2, moved), (3, 1, {"hardware.mesh_ranks": 1}), (8, 1, {"debug.ranks_grid": "[2, 2, 2]"}),
                 (6, 1, {"debug.ranks_grid": "[6, 1, 1]", **moved})]),
        (langevin, [(4, 1, moved), (2, 1, {"hardware.mesh_ranks": 1})]),
        (droplet, [(4, 1, {}), (6, 1, {})]),
        (slab, [(4, 1, {}), (4, 1, {"debug.ranks_grid": "[1, 1, 4]", **moved})]),
    ):
        runs = Runs(program, folder, source, make, 80)
        runs.run(1)
        for ranks, threads, keys in ways:
            runs.run(ranks, threads, **{"hardware.mesh_ranks": 0, **keys})
        print(f"{make.__name__}: the same on {len(ways)} other ways", flush=True)


def every(program, folder, source):
    edges = {"water": (3, 3, 3), "langevin": (3, 3, 3), "droplet": (2.2, 2.2, 2.2), "slab": (3, 3, 6.6), "ubiquitin": (7, 6, 5)}
    for make in (water, langevin, droplet, slab, ubiquitin):
        runs = Runs(program, folder, source, make, 200)
        runs.run(1)
        ways = 0
        for ranks in (1, 2, 3, 4, 6, 8, 12, 16):
            for grid in grids_of(ranks, 0.3, edges[make.__name__]):
                threads = 1 + ways % 2
                keys = {"debug.ranks_grid": list(grid), "hardware.mesh_ranks": 0}
                if ways % 2:
                    keys["debug.balance"] = '"forced"'
                seconds = runs.run(ranks, threads, **keys)
                ways += 1
                print(f"{make.__name__:10} ranks {ranks:2} grid {grid} threads {threads} {keys.get('debug.balance', ''):8} {seconds:6.1f} s", flush=True)
            if ranks > 2 and make is not droplet:
                seconds = runs.run(ranks, 1, **{"hardware.mesh_ranks": max(1, ranks // 4)})
                ways += 1
                print(f"{make.__name__:10} ranks {ranks:2} with {max(1, ranks // 4)} for the mesh {seconds:6.1f} s", flush=True)
        print(f"{make.__name__}: {ways} ways, the state of all is {runs.reference[0]}", flush=True)


def main(arguments):
    program, source = Program(arguments[0]), Path(arguments[1])
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        try:
            (every if "--all" in arguments else some)(program, Path(folder), source)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
